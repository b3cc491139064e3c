#include "test/runtime/train/Tiny.h"

#include <cmath>
#include <limits>

using namespace amp::runtime;
using namespace amp::test;

namespace {

TinyBatch overflowing() {
  TinyBatch batch;
  batch.x[5] = std::numeric_limits<float>::infinity();
  return batch;
}

} // namespace

TEST(Trainer, AStepFollowsTheGradient) {
  std::unique_ptr<Trainer> trainer = makeTrainer();
  trainer->setLearningRate(0.5f).isOk();
  TinyBatch batch;
  float w = -0.3f;
  Result<StepResult> step = stepWith(*trainer, batch);
  ASSERT_TRUE(step.isOk()) << step.status().message();
  EXPECT_TRUE(step->stepped);
  EXPECT_FALSE(step->foundInf);
  EXPECT_EQ(step->scale, tinyInitialScale);
  EXPECT_EQ(step->learningRate, 0.5f);
  EXPECT_GT(step->gradNorm, 0);
  float gradient =
      (w * batch.x[0] - float(batch.labels[0])) * batch.x[0] + (w * batch.x[64] - float(batch.labels[1])) * batch.x[64];
  const StateView *state = trainer->session().state("w/gradient");
  std::vector<float> unscaled(tinyColumns);
  trainer->unscaledGradient(*state, unscaled.data());
  EXPECT_FLOAT_EQ(unscaled[0], gradient);
  EXPECT_FLOAT_EQ(*reinterpret_cast<float *>(trainer->session().state("w")->data), w - 0.5f * gradient);
  EXPECT_EQ(trainer->updates(), 1);
  float before = step->loss;
  for (int i = 0; i < 20; ++i)
    step = stepWith(*trainer, batch);
  EXPECT_LT(step->loss, before);
}

TEST(Trainer, ThreadsChangeNoBit) {
  std::vector<uint8_t> expected;
  for (unsigned threads : {1u, 2u, 3u}) {
    std::unique_ptr<Trainer> trainer = makeTrainer({}, threads);
    for (unsigned i = 0; i < 50; ++i)
      ASSERT_TRUE(stepWith(*trainer, TinyBatch(i)).isOk());
    if (threads == 1)
      expected = stateBytes(*trainer);
    EXPECT_EQ(stateBytes(*trainer), expected) << threads << " threads";
  }
}

TEST(Trainer, ASkippedStepLeavesNoTraceButTheScale) {
  std::unique_ptr<Trainer> trainer = makeTrainer();
  ASSERT_TRUE(stepWith(*trainer, TinyBatch()).isOk());
  std::vector<uint8_t> before = stateBytes(*trainer, false);
  Result<StepResult> step = stepWith(*trainer, overflowing());
  ASSERT_TRUE(step.isOk()) << step.status().message();
  EXPECT_FALSE(step->stepped);
  EXPECT_TRUE(step->foundInf);
  EXPECT_EQ(step->scale, tinyInitialScale);
  EXPECT_EQ(trainer->lossScale(), tinyInitialScale / 2);
  EXPECT_EQ(stateBytes(*trainer, false), before);
  EXPECT_EQ(trainer->updates(), 1);
  EXPECT_EQ(trainer->attempts(), 2);
}

TEST(Trainer, TwentySkipsInARowAreAnErrorThatNamesTheGradient) {
  std::unique_ptr<Trainer> trainer = makeTrainer();
  std::vector<uint8_t> before = stateBytes(*trainer, false);
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(stepWith(*trainer, overflowing()).isOk());
  ASSERT_TRUE(stepWith(*trainer, TinyBatch()).isOk()); // a good step starts the count again
  before = stateBytes(*trainer, false);
  for (int i = 0; i < 19; ++i)
    ASSERT_TRUE(stepWith(*trainer, overflowing()).isOk()) << i;
  Result<StepResult> step = stepWith(*trainer, overflowing());
  ASSERT_FALSE(step.isOk());
  EXPECT_EQ(step.status().code(), StatusCode::NonFinite);
  EXPECT_NE(step.status().text().find("20 steps in a row"), std::string::npos);
  EXPECT_NE(step.status().text().find("gradient of 'w'"), std::string::npos);
  EXPECT_EQ(stateBytes(*trainer, false), before);
}

TEST(Trainer, ThePolicyStopEndsAtTheFirst) {
  TinyOptions options;
  options.nonfinite = amp::format::NonFinite::Stop;
  std::unique_ptr<Trainer> trainer = makeTrainer(options);
  Result<StepResult> step = stepWith(*trainer, overflowing());
  ASSERT_FALSE(step.isOk());
  EXPECT_EQ(step.status().code(), StatusCode::NonFinite);
  EXPECT_TRUE(trainer->lastResult().foundInf);
}

TEST(Trainer, ARefusedBatchChangesNothing) {
  std::unique_ptr<Trainer> trainer = makeTrainer();
  std::vector<uint8_t> before = stateBytes(*trainer);
  TinyBatch batch;
  batch.labels[0] = 7;
  EXPECT_FALSE(stepWith(*trainer, batch).isOk());
  EXPECT_EQ(stateBytes(*trainer), before);
  EXPECT_EQ(trainer->attempts(), 0);
}

TEST(Trainer, EvaluationNeedsNoLabelsAndChangesNothing) {
  std::unique_ptr<Trainer> trainer = makeTrainer();
  std::vector<uint8_t> before = stateBytes(*trainer);
  TinyBatch batch;
  std::vector<TensorView> views = batch.views();
  Result<EvaluationResult> labelled = trainer->evaluate(Span<const TensorView>(views));
  ASSERT_TRUE(labelled.isOk()) << labelled.status().message();
  EXPECT_TRUE(std::isfinite(labelled->loss));
  ASSERT_EQ(labelled->outputs.size(), 2u);
  EXPECT_EQ(labelled->outputs[0].name, "y");
  views.pop_back();
  Result<EvaluationResult> plain = trainer->evaluate(Span<const TensorView>(views));
  ASSERT_TRUE(plain.isOk()) << plain.status().message();
  EXPECT_TRUE(std::isnan(plain->loss));
  EXPECT_EQ(stateBytes(*trainer), before);
}

TEST(Trainer, ALearningRateMustBeFinite) {
  std::unique_ptr<Trainer> trainer = makeTrainer();
  EXPECT_EQ(trainer->learningRate(), 0.125f);
  EXPECT_FALSE(trainer->setLearningRate(-1).isOk());
  EXPECT_FALSE(trainer->setLearningRate(NAN).isOk());
  EXPECT_TRUE(trainer->setLearningRate(0).isOk());
}
