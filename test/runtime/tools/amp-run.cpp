// amp-run and amp-inspect as a user runs them, on a package built by hand.
#include "runtime/format/Npz.h"
#include "test/runtime/fixture/Files.h"
#include "test/runtime/fixture/TinyPackage.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <limits>

#include <sys/wait.h>

using namespace amp::runtime;
using amp::test::TemporaryDirectory;
using amp::test::TinyBatch;

namespace {

struct Outcome {
  int exit = -1;
  std::string output;
  std::string errors;
};

std::string contents(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readWhole(posixFileSystem(), path, 1 << 24);
  return bytes.isOk() ? std::string(bytes->begin(), bytes->end()) : "";
}

class AmpRun : public testing::Test {
protected:
  void SetUp() override {
    amp::test::writeTiny(directory / "tiny.amp");
    writeBatch("a.npz", TinyBatch(0));
    writeBatch("b.npz", TinyBatch(1));
  }
  void writeBatch(const std::string &name, const TinyBatch &batch) {
    NpzWriter writer;
    ByteSpan x(reinterpret_cast<const uint8_t *>(batch.x.data()), batch.x.size() * 4);
    ByteSpan labels(reinterpret_cast<const uint8_t *>(batch.labels.data()), batch.labels.size() * 8);
    ASSERT_TRUE(writer.add("x", ScalarType::F32, batch.xShape, x).isOk());
    ASSERT_TRUE(writer.add("labels", ScalarType::I64, batch.labelShape, labels).isOk());
    ASSERT_TRUE(writer.write(posixFileSystem(), directory / name).isOk());
  }
  Outcome run(const std::string &program, const std::string &options) {
    Outcome outcome;
    TemporaryDirectory streams;
    std::string command =
        program + " " + (directory / "tiny.amp") + " " + options + " >" + (streams / "out") + " 2>" + (streams / "err");
    int status = std::system(command.c_str());
    outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.output = contents(streams / "out");
    outcome.errors = contents(streams / "err");
    return outcome;
  }
  std::string inputs() const { return "--inputs=" + (directory / "a.npz") + " --inputs=" + (directory / "b.npz"); }

  TemporaryDirectory directory;
};

} // namespace

TEST_F(AmpRun, PrintsALineOfJsonAStep) {
  Outcome outcome = run(AMP_RUN, inputs() + " --steps=3 --json");
  ASSERT_EQ(outcome.exit, 0) << outcome.errors;
  std::vector<nlohmann::json> lines;
  size_t start = 0;
  for (size_t end; (end = outcome.output.find('\n', start)) != std::string::npos; start = end + 1)
    lines.push_back(nlohmann::json::parse(outcome.output.substr(start, end - start)));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2]["step"], 3);
  EXPECT_EQ(lines[0]["scale"], 8);
  EXPECT_EQ(lines[0]["lr"], 0.125);
  EXPECT_EQ(lines[0]["stepped"], true);
  EXPECT_EQ(lines[0]["found_inf"], false);
  EXPECT_TRUE(lines[0]["grad_norm"].is_number());
  EXPECT_TRUE(lines[0]["seconds"].is_number());
}

TEST_F(AmpRun, WhatIsNotFiniteIsNull) {
  TinyBatch batch;
  batch.x[0] = std::numeric_limits<float>::infinity();
  writeBatch("inf.npz", batch);
  Outcome outcome = run(AMP_RUN, "--inputs=" + (directory / "inf.npz") + " --json");
  ASSERT_EQ(outcome.exit, 0) << outcome.errors;
  nlohmann::json line = nlohmann::json::parse(outcome.output);
  EXPECT_TRUE(line["loss"].is_null());
  EXPECT_EQ(line["stepped"], false);
}

TEST_F(AmpRun, SavesWhatItIsAskedFor) {
  Outcome outcome = run(AMP_RUN, inputs() + " --save-gradients=" + (directory / "g.npz") + " --save-parameters=" +
                                     (directory / "p.npz") + " --save-state=" + (directory / "s.npz") +
                                     " --save-outputs=" + (directory / "o.npz") + " --save=" + (directory / "ckpt"));
  ASSERT_EQ(outcome.exit, 0) << outcome.errors;
  Result<NpzArchive> gradients = NpzArchive::open(posixFileSystem(), directory / "g.npz");
  Result<NpzArchive> parameters = NpzArchive::open(posixFileSystem(), directory / "p.npz");
  Result<NpzArchive> state = NpzArchive::open(posixFileSystem(), directory / "s.npz");
  Result<NpzArchive> outputs = NpzArchive::open(posixFileSystem(), directory / "o.npz");
  ASSERT_TRUE(gradients.isOk() && parameters.isOk() && state.isOk() && outputs.isOk());
  EXPECT_EQ(gradients->names(), std::vector<std::string>{"w"});
  EXPECT_EQ(parameters->names(), std::vector<std::string>{"w"});
  EXPECT_TRUE(state->has("w/momentum") && state->has("loss_scale") && state->has("step_count"));
  EXPECT_TRUE(outputs->has("loss"));
}

TEST_F(AmpRun, ALoadedCheckpointGoesOnBitwise) {
  ASSERT_EQ(run(AMP_RUN, inputs() + " --steps=4 --save-state=" + (directory / "whole.npz")).exit, 0);
  ASSERT_EQ(run(AMP_RUN, inputs() + " --steps=2 --threads=3 --save=" + (directory / "ckpt")).exit, 0);
  ASSERT_EQ(run(AMP_RUN,
                inputs() + " --steps=2 --load=" + (directory / "ckpt") + " --save-state=" + (directory / "parts.npz"))
                .exit,
            0);
  EXPECT_EQ(contents(directory / "parts.npz"), contents(directory / "whole.npz"));
}

TEST_F(AmpRun, ListsItsInputs) {
  Outcome outcome = run(AMP_RUN, "--list-inputs");
  ASSERT_EQ(outcome.exit, 0) << outcome.errors;
  EXPECT_EQ(nlohmann::json::parse(outcome.output),
            nlohmann::json::parse(R"([{"name":"x","type":"float32","shape":[2,64]},
                                      {"name":"labels","type":"int64","shape":[2]}])"));
}

TEST_F(AmpRun, Benchmarks) {
  Outcome outcome = run(AMP_RUN, inputs() + " --benchmark=5 --json");
  ASSERT_EQ(outcome.exit, 0) << outcome.errors;
  nlohmann::json json = nlohmann::json::parse(outcome.output);
  EXPECT_LE(json["min_seconds"], json["median_seconds"]);
  EXPECT_LE(json["median_seconds"], json["p95_seconds"]);
  EXPECT_GT(json["peak_bytes"], 0);
}

TEST_F(AmpRun, EvaluatesWithoutLabels) {
  NpzWriter writer;
  TinyBatch batch;
  ByteSpan x(reinterpret_cast<const uint8_t *>(batch.x.data()), batch.x.size() * 4);
  ASSERT_TRUE(writer.add("x", ScalarType::F32, batch.xShape, x).isOk());
  ASSERT_TRUE(writer.write(posixFileSystem(), directory / "x.npz").isOk());
  Outcome outcome =
      run(AMP_RUN, "--mode=eval --json --inputs=" + (directory / "x.npz") + " --save-outputs=" + (directory / "y.npz"));
  ASSERT_EQ(outcome.exit, 0) << outcome.errors;
  EXPECT_TRUE(nlohmann::json::parse(outcome.output)["loss"].is_null());
  Result<NpzArchive> outputs = NpzArchive::open(posixFileSystem(), directory / "y.npz");
  ASSERT_TRUE(outputs.isOk());
  EXPECT_TRUE(outputs->has("y"));
}

TEST_F(AmpRun, MistakesExitWithOneAndLeaveNoFile) {
  std::string saves = " --save-parameters=" + (directory / "p.npz") + " --save=" + (directory / "ckpt");
  TinyBatch batch;
  batch.labels[1] = 5;
  writeBatch("bad.npz", batch);
  struct Mistake {
    std::string options;
    std::string message;
  };
  const Mistake mistakes[] = {
      {"--inputs=" + (directory / "bad.npz") + saves, "value 5 at position [1] is out of range, wanted 0 to 2"},
      {"--inputs=" + (directory / "none.npz") + saves, "none.npz: cannot open"},
      {saves, "input 'x' is missing"},
      {inputs() + " --load=" + (directory / "none") + saves, "none/checkpoint.json: cannot open"},
      {"--tune", "--tune is not there yet"},
      {"--device=cuda", "--device=cuda is not there yet"},
      {"--wrong-option", "--wrong-option"},
  };
  for (const Mistake &mistake : mistakes) {
    Outcome outcome = run(AMP_RUN, mistake.options);
    EXPECT_EQ(outcome.exit, 1) << mistake.options;
    EXPECT_NE(outcome.errors.find(mistake.message), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.errors.find("amp-run: error: "), 0u) << outcome.errors;
  }
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"a.npz", "b.npz", "bad.npz", "tiny.amp"}));
}

TEST_F(AmpRun, InspectShowsWhatIsThereWithoutRunningIt) {
  Outcome outcome = run(AMP_INSPECT, "--json --plan --memory --kernels --precision");
  ASSERT_EQ(outcome.exit, 0) << outcome.errors;
  nlohmann::json json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json["state_bytes"], 1408);
  EXPECT_EQ(json["peak_bytes"], 1408 + 704 + 64);
  ASSERT_EQ(json["kernels"].size(), 8u);
  for (const char *key : {"name", "nodes", "target", "spill_bytes", "registers"})
    EXPECT_TRUE(json["kernels"][0].contains(key)) << key;
  EXPECT_EQ(json["plan"][0]["launches"].size(), 2u);
  // A package for another processor can be looked at, not run.
  amp::test::TinyOptions options;
  options.features = {"nosuchfeature"};
  amp::test::writeTiny(directory / "tiny.amp", options);
  EXPECT_EQ(run(AMP_INSPECT, "").exit, 0);
  Outcome refused = run(AMP_RUN, inputs());
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.errors.find("'nosuchfeature'"), std::string::npos) << refused.errors;
  EXPECT_EQ(run(AMP_INSPECT, "--layout").exit, 1);
}
