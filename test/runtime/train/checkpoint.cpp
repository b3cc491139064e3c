#include "runtime/format/Safetensors.h"
#include "runtime/train/CheckpointJson.h"
#include "test/runtime/train/Tiny.h"

using namespace amp::runtime;
using namespace amp::test;

namespace {

void trainFor(Trainer &trainer, unsigned first, unsigned end) {
  for (unsigned i = first; i < end; ++i) {
    TinyBatch batch(i);
    if (i == 2)
      batch.x[0] = 1e38f; // one step is skipped on the way
    Result<StepResult> step = stepWith(trainer, batch);
    ASSERT_TRUE(step.isOk()) << step.status().message();
  }
}

std::string text(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readWhole(posixFileSystem(), path, 1 << 20);
  return bytes.isOk() ? std::string(bytes->begin(), bytes->end()) : "";
}

Status loadStatus(Trainer &trainer, const std::string &path) {
  Result<std::map<std::string, std::string>> loaded = trainer.load(posixFileSystem(), path);
  return loaded.isOk() ? Status() : loaded.status();
}

void writeText(const std::string &path, const std::string &contents) {
  ByteSpan part = bytesOf(contents);
  ASSERT_TRUE(writeBeside(posixFileSystem(), path, Span<const ByteSpan>(&part, 1)).isOk());
}

} // namespace

TEST(Checkpoint, FiveStepsAndFiveMoreAreTen) {
  TemporaryDirectory directory;
  std::unique_ptr<Trainer> whole = makeTrainer();
  trainFor(*whole, 0, 10);

  std::unique_ptr<Trainer> first = makeTrainer();
  first->setLearningRate(0.125f).isOk();
  trainFor(*first, 0, 5);
  ASSERT_TRUE(first->save(posixFileSystem(), directory / "c", {{"loader", "epoch 1, batch 5"}}).isOk());
  std::unique_ptr<Trainer> second = makeTrainer({}, 2);
  Result<std::map<std::string, std::string>> loaded = second->load(posixFileSystem(), directory / "c");
  ASSERT_TRUE(loaded.isOk()) << loaded.status().message();
  EXPECT_EQ(loaded->at("loader"), "epoch 1, batch 5");
  EXPECT_EQ(second->attempts(), 5);
  EXPECT_EQ(second->updates(), 4);
  EXPECT_EQ(second->seed(), 42);
  trainFor(*second, 5, 10);
  EXPECT_EQ(stateBytes(*second), stateBytes(*whole));
}

TEST(Checkpoint, HoldsWhatCannotBeRemadeAndNothingElse) {
  TemporaryDirectory directory;
  std::unique_ptr<Trainer> trainer = makeTrainer();
  ASSERT_TRUE(trainer->save(posixFileSystem(), directory / "c/", {}).isOk());
  EXPECT_EQ(directory.names(), std::vector<std::string>{"c"});
  EXPECT_EQ(*posixFileSystem().list(directory / "c"),
            (std::vector<std::string>{"checkpoint.json", "tensors.safetensors"}));
  Result<SafetensorsFile> tensors = SafetensorsFile::open(posixFileSystem(), directory / "c/tensors.safetensors");
  ASSERT_TRUE(tensors.isOk());
  std::vector<std::string> names;
  for (const SafetensorsFile::Tensor &tensor : tensors->tensors())
    names.push_back(tensor.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"growth_tracker", "learning_rate", "loss_scale", "seed", "step_count", "w",
                                             "w/momentum"}));
  // A running statistic is moved by an update; what is pending is made again by the next micro-batch.
  EXPECT_TRUE(isSaved(amp::format::Role::Statistic));
  EXPECT_FALSE(isSaved(amp::format::Role::Pending));
}

// At every call of the file layer: a disk that fills, and a process that dies.
TEST(Checkpoint, AnInterruptedSaveLeavesAWholeCheckpoint) {
  for (bool cleansUp : {true, false})
    for (int64_t calls = 0;; ++calls) {
      TemporaryDirectory directory;
      std::unique_ptr<Trainer> trainer = makeTrainer();
      trainFor(*trainer, 0, 1);
      ASSERT_TRUE(trainer->save(posixFileSystem(), directory / "c", {}).isOk());
      std::vector<uint8_t> old = stateBytes(*trainer);
      trainFor(*trainer, 1, 2);
      std::vector<uint8_t> fresh = stateBytes(*trainer);
      FailingFileSystem files(calls, cleansUp);
      Status status = trainer->save(files, directory / "c", {});
      EXPECT_EQ(status.isOk(), !files.failed());
      if (cleansUp) {
        EXPECT_EQ(directory.names(), std::vector<std::string>{"c"}) << "after " << calls << " calls";
      }
      std::unique_ptr<Trainer> reader = makeTrainer();
      ASSERT_TRUE(loadStatus(*reader, directory / "c").isOk()) << "after " << calls << " calls";
      std::vector<uint8_t> loaded = stateBytes(*reader);
      EXPECT_TRUE(loaded == old || loaded == fresh) << "after " << calls << " calls";
      if (!files.failed()) {
        EXPECT_EQ(loaded, fresh);
        break;
      }
    }
}

TEST(Checkpoint, AFirstSaveThatFailsLeavesNothing) {
  for (int64_t calls = 0; calls < 8; ++calls) {
    TemporaryDirectory directory;
    std::unique_ptr<Trainer> trainer = makeTrainer();
    FailingFileSystem files(calls, true);
    Status status = trainer->save(files, directory / "c", {});
    EXPECT_EQ(status.code(), StatusCode::Io);
    EXPECT_EQ(directory.names(), std::vector<std::string>{}) << "after " << calls << " calls";
  }
}

TEST(Checkpoint, ADirectoryWithOtherFilesIsNotReplaced) {
  TemporaryDirectory directory;
  ASSERT_TRUE(posixFileSystem().makeDirectory(directory / "c").isOk());
  writeText(directory / "c/thesis.txt", "years of work");
  std::unique_ptr<Trainer> trainer = makeTrainer();
  Status status = trainer->save(posixFileSystem(), directory / "c", {});
  EXPECT_NE(status.text().find("holds 'thesis.txt', which is no part of a checkpoint"), std::string::npos);
  EXPECT_EQ(text(directory / "c/thesis.txt"), "years of work");
}

TEST(Checkpoint, AllThatDoesNotFitIsListedAndNothingIsLoaded) {
  TemporaryDirectory directory;
  std::unique_ptr<Trainer> trainer = makeTrainer();
  ASSERT_TRUE(trainer->save(posixFileSystem(), directory / "c", {}).isOk());
  std::vector<float> values(32, 1.0f);
  ByteSpan bytes(reinterpret_cast<const uint8_t *>(values.data()), 128);
  SafetensorsWriter writer;
  ASSERT_TRUE(writer.add("w", ScalarType::F32, {32}, bytes).isOk());
  ASSERT_TRUE(writer.add("v", ScalarType::F32, {32}, bytes).isOk());
  ASSERT_TRUE(writer.add("loss_scale", ScalarType::F32, {}, bytes.slice(0, 4)).isOk());
  ASSERT_TRUE(writer.write(posixFileSystem(), directory / "c/tensors.safetensors").isOk());
  std::vector<uint8_t> before = stateBytes(*trainer);
  Status status = loadStatus(*trainer, directory / "c");
  EXPECT_EQ(status.code(), StatusCode::Argument);
  for (const char *problem : {"tensor 'w' is float32 [32], wanted float32 [64]", "tensor 'w/momentum' is missing",
                              "tensor 'step_count' is missing", "tensor 'v' is none of the package's states"})
    EXPECT_NE(status.text().find(problem), std::string::npos) << status.text();
  EXPECT_EQ(stateBytes(*trainer), before);
}

TEST(Checkpoint, DamagedRecordsAreRefused) {
  TemporaryDirectory directory;
  std::unique_ptr<Trainer> trainer = makeTrainer();
  ASSERT_TRUE(trainer->save(posixFileSystem(), directory / "c", {{"a", "b\n\"c"}}).isOk());
  std::string whole = text(directory / "c/checkpoint.json");
  for (size_t length = 0; length + 2 < whole.size(); ++length) {
    Result<CheckpointRecord> record = parseCheckpointJson(bytesOf(whole.substr(0, length)), "f");
    ASSERT_FALSE(record.isOk()) << length;
    ASSERT_NE(record.status().text().find("take another checkpoint"), std::string::npos) << record.status().text();
  }
  for (const char *bad : {"[]", "5", "null", "{\"format\":1}", "{\"format\":[[[[]]]]}", "{\"seed\":1e99}",
                          "{\"application\":{\"a\":{}}}", "{\"format\":1,\"format\":1}"})
    EXPECT_FALSE(parseCheckpointJson(bytesOf(bad), "f").isOk()) << bad;
  std::string other = whole;
  other.replace(other.find("\"format\": 1"), 11, "\"format\": 9");
  Result<CheckpointRecord> record = parseCheckpointJson(bytesOf(other), "f");
  EXPECT_EQ(record.status().code(), StatusCode::Version);
  EXPECT_EQ(loadStatus(*trainer, directory / "none").code(), StatusCode::NotFound);
}

TEST(Checkpoint, TheSameStateGivesTheSameBytes) {
  TemporaryDirectory directory;
  std::unique_ptr<Trainer> trainer = makeTrainer();
  for (const char *name : {"a", "b"})
    ASSERT_TRUE(trainer->save(posixFileSystem(), directory / name, {{"k", "v"}}).isOk());
  EXPECT_EQ(text(directory / "a/checkpoint.json"), text(directory / "b/checkpoint.json"));
  EXPECT_EQ(text(directory / "a/tensors.safetensors"), text(directory / "b/tensors.safetensors"));
}
