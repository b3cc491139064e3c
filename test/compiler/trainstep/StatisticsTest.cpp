// Running statistics in the oracle: pending until the update, dropped with a skipped one, read by an evaluation.
#include "test/compiler/trainstep/ProgramsFixture.h"

#include <cmath>

using namespace mlir;
using amp::test::Numbers;
using amp::test::Tensors;

namespace {

// Channels of 3 values: [1, 2, 6] with mean 3 and variance 14 / 3, [0, 3, 3] with mean 2 and variance 2, times w.
const char *normalizedText = R"mlir(
train.state @w : tensor<2xf32> frozen = dense<1.0> : tensor<2xf32>
train.state @scale : tensor<2xf32> frozen = dense<[2.0, 1.0]> : tensor<2xf32>
train.state @bias : tensor<2xf32> frozen = dense<[0.5, -0.5]> : tensor<2xf32>
train.state @mean : tensor<2xf32> frozen = dense<[1.0, 0.0]> : tensor<2xf32>
train.state @variance : tensor<2xf32> frozen = dense<[1.0, 2.0]> : tensor<2xf32>
train.program @model model inputs ["x"] outputs ["logits"] (%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = train.read @w : tensor<2xf32>
  %s = train.read @scale : tensor<2xf32>
  %b = train.read @bias : tensor<2xf32>
  %m = train.read @mean : tensor<2xf32>
  %v = train.read @variance : tensor<2xf32>
  %0 = graph.mul %x, %w : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %1 = graph.batch_norm %0, %s, %b, %m, %v {axis = 1 : i64, eps = 0.25, momentum = 0.75} : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  train.return %1 : tensor<3x2xf32>
}
)mlir";

class Statistics : public amp::test::ProgramsFixture {
protected:
  Statistics() : ProgramsFixture(normalizedText) {}

  Tensors rows() {
    Tensors inputs = batch();
    amp::graph::ReferenceTensor x(RankedTensorType::get({3, 2}, Float32Type::get(&context)));
    x.floats = {1, 0, 2, 3, 6, 3};
    inputs["x"] = x;
    inputs["labels"].integers = {0, 1, 1};
    return inputs;
  }
  Numbers run(const std::string &program, const std::string &output) {
    auto outputs = machine->run(program, program == "finish" ? Tensors() : rows());
    EXPECT_TRUE(succeeded(outputs));
    return (*outputs)[output].floats;
  }
};

TEST_F(Statistics, StatisticsWaitForTheUpdate) {
  for (bool sample : {false, true}) {
    variance = sample ? "sample" : "population";
    build({});
    const double correction = sample ? 1.5 : 1;
    const Numbers mean = {0.75 * 1 + 0.25 * 3, 0.25 * 2};
    const Numbers moved = {0.75 + 0.25 * correction * 14 / 3, 0.75 * 2 + 0.25 * correction * 2};
    run("micro", "loss");
    EXPECT_EQ(state("mean"), (Numbers{1, 0}));
    EXPECT_EQ(state("variance"), (Numbers{1, 2}));
    // A micro-batch that is run again starts from what is committed.
    run("micro", "loss");
    run("finish", "gradient_norm");
    expectNear(state("mean"), mean);
    expectNear(state("variance"), moved);
  }
}

TEST_F(Statistics, ASkippedUpdateLeavesStatistics) {
  build({});
  run("micro", "loss");
  state("w/gradient")[0] = std::nan("");
  run("finish", "gradient_norm");
  EXPECT_EQ(state("mean"), (Numbers{1, 0}));
  EXPECT_EQ(state("variance"), (Numbers{1, 2}));
}

TEST_F(Statistics, EvaluationReadsWhatIsCommitted) {
  build({});
  auto logits = [&](double mean0, double variance0, double mean1, double variance1) {
    Numbers result;
    for (auto [first, second] : {std::pair(1, 0), std::pair(2, 3), std::pair(6, 3)}) {
      result.push_back((first - mean0) / std::sqrt(variance0 + 0.25) * 2 + 0.5);
      result.push_back((second - mean1) / std::sqrt(variance1 + 0.25) - 0.5);
    }
    return result;
  };
  expectNear(run("eval", "logits"), logits(1, 1, 0, 2));
  run("micro", "loss");
  expectNear(run("eval", "logits"), logits(1, 1, 0, 2));
  state("w/gradient") = state("scale/gradient") = state("bias/gradient") = {0, 0};
  run("finish", "gradient_norm");
  expectNear(run("eval", "logits"), logits(1.5, 0.75 + 3.5 / 3, 0.5, 2));
}

// The gradient through the statistics of the batch: finite differences of the training loss.
TEST_F(Statistics, GradientsAreThoseOfTheTrainingLoss) {
  build({});
  const double step = 1e-5;
  for (const std::string name : {"w", "scale", "bias"}) {
    run("micro", "loss");
    Numbers gradient = state(name + "/gradient");
    for (size_t i = 0; i < gradient.size(); ++i) {
      double middle = state(name)[i], loss[2];
      for (int side : {0, 1}) {
        state(name)[i] = side ? middle + step : middle - step;
        loss[side] = run("micro", "loss")[0];
      }
      state(name)[i] = middle;
      EXPECT_NEAR(gradient[i], (loss[1] - loss[0]) / (2 * step), 1e-7) << name << " " << i;
    }
  }
}

} // namespace
