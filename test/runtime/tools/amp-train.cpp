// amp-train as a user runs it, on a package built by hand.
#include "runtime/format/Npz.h"
#include "test/runtime/fixture/TinyPackage.h"
#include "test/runtime/format/Hostile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>

using namespace amp::runtime;

namespace {

struct Outcome {
  int exit = -1;
  std::string text; // stdout and stderr
};

Outcome run(const std::string &command) {
  Outcome outcome;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return outcome;
  char piece[4096];
  while (size_t count = fread(piece, 1, sizeof piece, pipe))
    outcome.text.append(piece, count);
  int status = pclose(pipe);
  outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

// A folder with tiny.amp and nine samples of data for its batches of two; gone at the end.
class AmpTrain : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "amp-train-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    amp::test::writeTiny(folder + "/tiny.amp");
    std::vector<float> x;
    std::vector<int64_t> labels;
    for (unsigned i = 0; i < 9; ++i) {
      amp::test::TinyBatch batch(i);
      x.insert(x.end(), batch.x.begin(), batch.x.begin() + amp::test::tinyColumns);
      labels.push_back(batch.labels[0]);
    }
    NpzWriter writer;
    ByteSpan xBytes(reinterpret_cast<const uint8_t *>(x.data()), x.size() * sizeof(float));
    ByteSpan labelBytes(reinterpret_cast<const uint8_t *>(labels.data()), labels.size() * sizeof(int64_t));
    ASSERT_TRUE(writer.add("x", ScalarType::F32, {9, amp::test::tinyColumns}, xBytes).isOk());
    ASSERT_TRUE(writer.add("labels", ScalarType::I64, {9}, labelBytes).isOk());
    ASSERT_TRUE(writer.write(posixFileSystem(), folder + "/data.npz").isOk());
  }
  void TearDown() override { EXPECT_TRUE(removeTree(posixFileSystem(), folder).isOk()); }

  std::string at(const std::string &name) const { return folder + "/" + name; }
  std::string command(const std::string &options) const {
    return std::string(AMP_TRAIN) + " " + at("tiny.amp") + " --data=" + at("data.npz") + " " + options;
  }
  std::string content(const std::string &name) const {
    Result<std::vector<uint8_t>> bytes = readWhole(posixFileSystem(), at(name), 1 << 24);
    EXPECT_TRUE(bytes.isOk()) << bytes.status().message();
    return bytes.isOk() ? std::string(bytes->begin(), bytes->end()) : std::string();
  }
  bool exists(const std::string &name) const { return *posixFileSystem().kind(at(name)) != PathKind::Missing; }

  std::string folder;
};

size_t linesOf(const std::string &text) {
  return size_t(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(AmpTrain, ResumesBitwise) {
  std::string options = "--shuffle --seed=3 ";
  Outcome whole = run(command(options + "--steps=10 --checkpoint=" + at("whole")));
  ASSERT_EQ(whole.exit, 0) << whole.text;
  std::string parts = "--checkpoint=" + at("parts") + " --log=" + at("log.jsonl");
  ASSERT_EQ(run(command(options + "--steps=5 " + parts)).exit, 0);
  EXPECT_TRUE(exists("parts/step-00000005"));
  Outcome resumed = run(command("--shuffle --steps=10 --resume " + parts));
  ASSERT_EQ(resumed.exit, 0) << resumed.text;
  EXPECT_NE(resumed.text.find("resumed from " + at("parts/step-00000005")), std::string::npos) << resumed.text;
  std::string tensors = "/step-00000010/tensors.safetensors";
  EXPECT_EQ(content("whole" + tensors), content("parts" + tensors));
  EXPECT_EQ(linesOf(content("log.jsonl")), 10u);
  // Another seed gives other weights: the comparison above can fail.
  ASSERT_EQ(run(command("--shuffle --seed=4 --steps=10 --checkpoint=" + at("other"))).exit, 0);
  EXPECT_NE(content("whole" + tensors), content("other" + tensors));
}

TEST_F(AmpTrain, PassesOverADamagedCheckpoint) {
  std::string options = "--steps=6 --checkpoint-every=2 --checkpoint=" + at("run");
  ASSERT_EQ(run(command(options)).exit, 0);
  std::string tensors = content("run/step-00000006/tensors.safetensors");
  ByteSpan part = bytesOf(std::string_view(tensors).substr(0, tensors.size() / 2));
  ASSERT_TRUE(
      writeBeside(posixFileSystem(), at("run/step-00000006/tensors.safetensors"), Span<const ByteSpan>(&part, 1))
          .isOk());
  Outcome resumed = run(command(options + " --resume"));
  EXPECT_EQ(resumed.exit, 0) << resumed.text;
  EXPECT_NE(resumed.text.find("passed over a damaged checkpoint"), std::string::npos) << resumed.text;
  EXPECT_NE(resumed.text.find("resumed from " + at("run/step-00000004")), std::string::npos) << resumed.text;
  EXPECT_EQ(content("run/step-00000006/tensors.safetensors"), tensors);
}

TEST_F(AmpTrain, KeepsTheNewestCheckpoints) {
  ASSERT_EQ(run(command("--steps=6 --checkpoint-every=1 --keep=2 --checkpoint=" + at("run"))).exit, 0);
  EXPECT_FALSE(exists("run/step-00000004"));
  EXPECT_TRUE(exists("run/step-00000005"));
  EXPECT_TRUE(exists("run/step-00000006"));
}

TEST_F(AmpTrain, StartsWhenThereIsNothingToResume) {
  Outcome started = run(command("--steps=1 --resume --checkpoint=" + at("run")));
  EXPECT_EQ(started.exit, 0) << started.text;
  EXPECT_NE(started.text.find("yet; starting"), std::string::npos) << started.text;
  Outcome again = run(command("--steps=1 --checkpoint=" + at("run")));
  EXPECT_EQ(again.exit, 1);
  EXPECT_NE(again.text.find("holds checkpoints up to step 1; add --resume"), std::string::npos) << again.text;
  Outcome other = run(command("--steps=2 --shuffle --resume --checkpoint=" + at("run")));
  EXPECT_EQ(other.exit, 1);
  EXPECT_NE(other.text.find("was written with --shuffle = 0, now it is 1"), std::string::npos) << other.text;
}

TEST_F(AmpTrain, SavesWhenItIsInterrupted) {
  // A checkpoint a step keeps the run slow enough to be there when the signal comes, behind the first line of its log.
  std::string training =
      command("--steps=1000000 --checkpoint-every=1 --keep=1 --checkpoint=" + at("run") + " --log=" + at("log.jsonl"));
  Outcome stopped = run("(" + training + " & p=$!; while ! test -s " + at("log.jsonl") +
                        "; do sleep 0.01; done; kill -TERM $p; wait $p)");
  EXPECT_EQ(stopped.exit, 130) << stopped.text;
  EXPECT_NE(stopped.text.find("interrupted after step"), std::string::npos) << stopped.text;
  EXPECT_EQ(posixFileSystem().list(at("run"))->size(), 1u);
}

TEST_F(AmpTrain, LogsAndReports) {
  Outcome done =
      run(command("--epochs=2 --json --lr-schedule=linear --learning-rate=0.5 --validation=" + at("data.npz") +
                  " --log=" + at("log.jsonl")));
  ASSERT_EQ(done.exit, 0) << done.text;
  EXPECT_NE(done.text.find("each epoch drops 1 of 9 samples"), std::string::npos) << done.text;
  EXPECT_NE(done.text.find("{\"epoch\":2,\"step\":8,\"loss\":"), std::string::npos) << done.text;
  std::string log = content("log.jsonl");
  EXPECT_EQ(linesOf(log), 8u);
  EXPECT_EQ(log.find("{\"step\":1,\"epoch\":1,\"loss\":"), 0u) << log;
  EXPECT_NE(log.find("\"lr\":0.5,\"scale\":8,\"skipped\":false"), std::string::npos) << log;
  EXPECT_NE(log.find("\"validation_loss\":"), std::string::npos) << log;
}

TEST_F(AmpTrain, RefusesByName) {
  for (const char *option : {"--export=x.onnx", "--workers=2", "--tensorboard=t", "--profile=p", "--augment=flip"}) {
    Outcome refused = run(command(option));
    EXPECT_EQ(refused.exit, 1);
    std::string name = std::string(option).substr(0, std::string(option).find('='));
    EXPECT_NE(refused.text.find(name + " is not there yet; "), std::string::npos) << refused.text;
  }
  for (const char *option : {"--device=cuda", "--lr-schedule=one-cycle", "--epochs=0", "--steps=1 --epochs=1",
                             "--keep=2", "--nonsense", "--lr-schedule=linear:warm=3"}) {
    Outcome refused = run(command(option));
    EXPECT_EQ(refused.exit, 1) << option;
    EXPECT_EQ(refused.text.find("amp-train: error: "), 0u) << refused.text;
    EXPECT_EQ(linesOf(refused.text), 1u) << refused.text;
  }
  Outcome missing = run(std::string(AMP_TRAIN) + " " + at("none.amp") + " --data=" + at("data.npz"));
  EXPECT_EQ(missing.exit, 1);
  EXPECT_NE(missing.text.find("none.amp"), std::string::npos) << missing.text;
}

} // namespace
