#include "test/runtime/fixture/Files.h"
#include "test/runtime/fixture/TinyPackage.h"

#include <amp/amp.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>

using namespace amp::test;

namespace {

amp::Batch batchOf(const TinyBatch &tiny) {
  amp::Batch batch;
  batch.set("x", tiny.x.data(), {tinyRows, tinyColumns});
  batch.set("labels", tiny.labels.data(), {tinyRows});
  return batch;
}

} // namespace

TEST(CApi, ACProgramTrains) {
  TemporaryDirectory directory;
  std::string command = std::string(AMP_C_PROGRAM) + " " + writeTiny(directory / "tiny.amp") + " " + (directory / "c");
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(CppApi, TrainsEvaluatesSavesAndLoads) {
  TemporaryDirectory directory;
  amp::Program program = amp::Program::open(writeTiny(directory / "tiny.amp"));
  EXPECT_STREQ(program.info().model, "tiny.onnx");
  ASSERT_EQ(program.inputs().size(), 2u);
  EXPECT_EQ(program.inputs()[1].type, AMP_TYPE_INT64);
  amp::TrainerOptions options;
  options.threads = 2;
  amp::Trainer trainer(program, options);
  TinyBatch tiny;
  amp::Batch batch = batchOf(tiny);
  amp::StepResult step = trainer.step(batch);
  EXPECT_TRUE(step.stepped);
  EXPECT_EQ(trainer.gradients().at("w").size(), tinyColumns);
  trainer.setText("loader", "7");
  trainer.save(directory / "c");
  amp::Trainer other(program);
  other.load(directory / "c");
  EXPECT_EQ(other.text("loader"), "7");
  EXPECT_EQ(other.text("none"), std::nullopt);
  amp::Evaluation evaluation = other.evaluate(batch);
  EXPECT_TRUE(std::isfinite(evaluation.loss));
  EXPECT_EQ(evaluation.outputs[0].name, "y");
  EXPECT_NE(evaluation.outputs[0].as<float>(), nullptr);
  EXPECT_EQ(trainer.step(batch).loss, other.step(batch).loss);
  EXPECT_GE(trainer.memoryReport().peakBytes, 1408u);
}

TEST(CppApi, WrittenParametersReachTheirCopies) {
  TemporaryDirectory directory;
  amp::Trainer trainer(amp::Program::open(writeTiny(directory / "tiny.amp")));
  std::vector<float> ones(tinyColumns, 1.0f);
  trainer.write("w", ones.data(), ones.size() * 4);
  TinyBatch tiny;
  EXPECT_EQ(trainer.evaluate(batchOf(tiny)).outputs[0].as<float>()[3], tiny.x[3]);
  EXPECT_FALSE(trainer.tryWrite("w", ones.data(), 4));
  EXPECT_EQ(trainer.tryWrite("seed", ones.data(), 8).error().status(), AMP_STATUS_NOT_FOUND);
}

TEST(CppApi, FailuresAreThrownOrReturned) {
  EXPECT_THROW(amp::Program::open("no/such.amp"), amp::Error);
  amp::Outcome<amp::Program> missing = amp::Program::tryOpen("no/such.amp");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().status(), AMP_STATUS_NOT_FOUND);
  TemporaryDirectory directory;
  amp::Trainer trainer(amp::Program::open(writeTiny(directory / "tiny.amp")));
  TinyBatch tiny;
  tiny.labels[0] = 9;
  amp::Outcome<amp::StepResult> refused = trainer.tryStep(batchOf(tiny));
  ASSERT_FALSE(refused);
  EXPECT_NE(std::string(refused.error().what()).find("value 9 at position [0]"), std::string::npos);
}

TEST(CppApi, WhatAPackageGivesIsListed) {
  TemporaryDirectory directory;
  amp::Program program = amp::Program::open(writeTiny(directory / "tiny.amp"));
  amp::Trainer trainer(program);
  amp::Evaluation evaluation = trainer.evaluate(batchOf(TinyBatch()));
  std::vector<amp::Tensor> outputs = program.outputs();
  ASSERT_EQ(outputs.size(), evaluation.outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_EQ(outputs[i].name, evaluation.outputs[i].name);
    EXPECT_EQ(outputs[i].shape, evaluation.outputs[i].shape);
    EXPECT_EQ(outputs[i].bytes, evaluation.outputs[i].bytes);
    EXPECT_EQ(outputs[i].data, nullptr);
  }
  EXPECT_TRUE(trainer.statistics().empty());
  auto tensor = amp::detail::sized<amp_tensor>();
  EXPECT_EQ(amp_program_output(program.get(), outputs.size(), &tensor), AMP_STATUS_ARGUMENT);
  EXPECT_EQ(amp_program_output_count(nullptr), 0u);
  EXPECT_EQ(amp_trainer_statistic(nullptr, 0, &tensor), AMP_STATUS_ARGUMENT);
  EXPECT_EQ(amp::version(), "0.1.0");
}

TEST(CppApi, RefusedShapesAndDevicesSayWhatIsWanted) {
  TemporaryDirectory directory;
  amp::Program program = amp::Program::open(writeTiny(directory / "tiny.amp"));
  amp::TrainerOptions options;
  options.device = "cuda";
  EXPECT_EQ(amp::Trainer::tryCreate(program, options).error().status(), AMP_STATUS_UNSUPPORTED);
  amp::Trainer trainer(program);
  TinyBatch tiny;
  amp::Batch batch = batchOf(tiny);
  batch.set("x", tiny.x.data(), {tinyRows, tinyColumns / 2});
  amp::Outcome<amp::StepResult> refused = trainer.tryStep(batch);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status(), AMP_STATUS_ARGUMENT);
  EXPECT_NE(std::string(refused.error().what()).find("'x'"), std::string::npos) << refused.error().what();
  EXPECT_EQ(batch.trySet<float>("x", nullptr, {2}).error().status(), AMP_STATUS_ARGUMENT);
  EXPECT_EQ(trainer.attempts(), 0);
}

TEST(CApi, AThreadReadsItsOwnLastError) {
  EXPECT_EQ(amp_program_open("no/such.amp", nullptr), AMP_STATUS_ARGUMENT);
  std::string own = amp_last_error();
  std::thread([] {
    EXPECT_STREQ(amp_last_error(), "");
    EXPECT_EQ(amp_trainer_step(nullptr, nullptr, nullptr), AMP_STATUS_ARGUMENT);
  }).join();
  EXPECT_EQ(amp_last_error(), own);
}

TEST(CApi, TheLastOfTwentySkipsReportsItsResult) {
  TemporaryDirectory directory;
  amp::Trainer trainer(amp::Program::open(writeTiny(directory / "tiny.amp")));
  TinyBatch tiny;
  tiny.x[0] = std::numeric_limits<float>::infinity();
  for (int i = 0; i < 19; ++i)
    EXPECT_FALSE(trainer.step(batchOf(tiny)).stepped);
  EXPECT_EQ(trainer.tryStep(batchOf(tiny)).error().status(), AMP_STATUS_NONFINITE);
}

TEST(CApi, StructsOfAnOlderHeaderAreFilledAsFarAsTheyGo) {
  TemporaryDirectory directory;
  amp::Program program = amp::Program::open(writeTiny(directory / "tiny.amp"));
  amp_program_info info = {};
  info.size = offsetof(amp_program_info, precision);
  ASSERT_EQ(amp_program_describe(program.get(), &info), AMP_STATUS_OK);
  EXPECT_STREQ(info.model, "tiny.onnx");
  EXPECT_EQ(info.precision, nullptr);
  info.size = 0;
  EXPECT_EQ(amp_program_describe(program.get(), &info), AMP_STATUS_ARGUMENT);
  EXPECT_EQ(amp_program_describe(nullptr, &info), AMP_STATUS_ARGUMENT);
  EXPECT_EQ(amp_trainer_step(nullptr, nullptr, nullptr), AMP_STATUS_ARGUMENT);
}
