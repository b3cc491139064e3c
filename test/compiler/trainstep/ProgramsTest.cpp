// The programs of a step in the oracle: gradients of a small network, and updates as torch.optim makes them.
#include "test/compiler/trainstep/ProgramsFixture.h"

#include <cmath>

using namespace amp::compiler::trainstep;
using amp::test::Numbers;
using amp::test::Tensors;

namespace {

// "tied" is used twice, once transposed; "unused" reaches no output.
const char *modelText = R"mlir(
train.state @tied : tensor<4x4xf32> frozen = dense<[[0.1, -0.2, 0.3, 0.4], [0.5, 0.2, -0.1, 0.3], [-0.4, 0.1, 0.2, -0.3], [0.3, 0.2, 0.1, -0.5]]> : tensor<4x4xf32>
train.state @bias : tensor<4xf32> frozen = dense<[0.1, 0.0, -0.1, 0.2]> : tensor<4xf32>
train.state @unused : tensor<4xf32> frozen
train.program @model model inputs ["x"] outputs ["logits"] (%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %w = train.read @tied : tensor<4x4xf32>
  %b = train.read @bias : tensor<4xf32>
  %u = train.read @unused : tensor<4xf32>
  %0 = graph.matmul %x, %w : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %1 = graph.bias_add %0, %b {axis = 1 : i64} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %2 = graph.tanh %1 : tensor<3x4xf32> -> tensor<3x4xf32>
  %3 = graph.dropout %2 {ratio = 0.5 : f64, number = 1 : i64} : tensor<3x4xf32> -> tensor<3x4xf32>
  %w2 = train.read @tied : tensor<4x4xf32>
  %4 = graph.matmul %3, %w2 {transpose_rhs = true} : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  train.return %4 : tensor<3x4xf32>
}
)mlir";

class Programs : public amp::test::ProgramsFixture {
protected:
  Programs() : ProgramsFixture(modelText) {}
};

TEST_F(Programs, MicroGivesScaledGradientsOfEvalsLoss) {
  DeclareStatesPassOptions states;
  states.lossScale = "static";
  states.initialScale = 128;
  build({}, states, /*dropout=*/false);
  Tensors inputs = batch();
  auto outputs = machine->run("micro", inputs);
  ASSERT_TRUE(succeeded(outputs));
  auto evaluated = machine->run("eval", inputs);
  ASSERT_TRUE(succeeded(evaluated));
  EXPECT_EQ((*outputs)["loss"].floats, (*evaluated)["loss"].floats);
  EXPECT_EQ(state("loss"), (*evaluated)["loss"].floats);
  EXPECT_EQ((*evaluated)["logits"].floats.size(), 12u);
  EXPECT_FALSE(machine->getStates().count("unused/gradient"));

  const double step = 1e-5;
  for (const std::string name : {"tied", "bias"}) {
    Numbers gradient = state(name + "/gradient");
    for (size_t i = 0; i < gradient.size(); ++i) {
      double middle = state(name)[i], loss[2];
      for (int side : {0, 1}) {
        state(name)[i] = side ? middle + step : middle - step;
        loss[side] = (*machine->run("eval", inputs))["loss"].floats[0];
      }
      state(name)[i] = middle;
      EXPECT_NEAR(gradient[i] / 128, (loss[1] - loss[0]) / (2 * step), 1e-7) << name << " " << i;
    }
  }
}

TEST_F(Programs, MicroDrawsTheSameMaskAgainUntilAnUpdateIsTaken) {
  build({});
  Tensors inputs = batch();
  Numbers first = (*machine->run("micro", inputs))["loss"].floats;
  Numbers again = (*machine->run("micro", inputs))["loss"].floats;
  EXPECT_EQ(first, again);
  machine->getStates().at("step_count").integers[0] = 1;
  EXPECT_NE((*machine->run("micro", inputs))["loss"].floats, first);
  machine->getStates().at("step_count").integers[0] = 0;
  machine->getStates().at("seed").integers[0] = 9;
  EXPECT_NE((*machine->run("micro", inputs))["loss"].floats, first);
}

const Numbers gradients[] = {{1, -2, 0.5, 0}, {0.3, 0.1, -4, 1}, {-1, 1, 2, 1e-3}};

// torch.optim.SGD, written out.
TEST_F(Programs, SgdUpdatesAsTorch) {
  struct Options {
    double momentum, dampening, decay;
    bool nesterov;
  };
  for (const Options &o : {Options{0, 0, 0, false}, Options{0, 0, 0.1, false}, Options{0.9, 0, 0.01, false},
                           Options{0.9, 0.3, 0, false}, Options{0.9, 0, 5e-4, true}}) {
    BuildFinishPassOptions finish;
    finish.momentum = o.momentum;
    finish.dampening = o.dampening;
    finish.weightDecay = o.decay;
    finish.nesterov = o.nesterov;
    DeclareStatesPassOptions states;
    states.learningRate = 0.125;
    build(finish, states);
    Numbers p = state("bias"), buffer(4, 0.0);
    bool first = true;
    for (const Numbers &gradient : gradients) {
      for (size_t i = 0; i < 4; ++i) {
        double g = gradient[i] + o.decay * p[i];
        if (o.momentum != 0) {
          buffer[i] = first ? g : o.momentum * buffer[i] + (1 - o.dampening) * g;
          g = o.nesterov ? g + o.momentum * buffer[i] : buffer[i];
        }
        p[i] -= 0.125 * g;
      }
      first = false;
      expectNear(update(gradient), p);
    }
    EXPECT_EQ(machine->getStates().count("bias/momentum"), o.momentum != 0 ? 1u : 0u);
    EXPECT_EQ(machine->getStates().at("step_count").integers[0], 3);
  }
}

// torch.optim.Adam and AdamW, written out.
TEST_F(Programs, AdamUpdatesAsTorch) {
  const double lr = 0.125, beta1 = 0.8, beta2 = 0.95, eps = 1e-4, decay = 0.02;
  for (const std::string kind : {"adam", "adamw"}) {
    BuildFinishPassOptions finish;
    finish.optimizer = kind;
    finish.beta1 = beta1;
    finish.beta2 = beta2;
    finish.eps = eps;
    finish.weightDecay = decay;
    DeclareStatesPassOptions states;
    states.learningRate = lr;
    build(finish, states);
    Numbers p = state("bias"), m(4, 0.0), v(4, 0.0);
    int t = 0;
    for (const Numbers &gradient : gradients) {
      ++t;
      for (size_t i = 0; i < 4; ++i) {
        double g = gradient[i];
        if (kind == "adamw")
          p[i] *= 1 - lr * decay;
        else
          g += decay * p[i];
        m[i] = beta1 * m[i] + (1 - beta1) * g;
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
        double denominator = std::sqrt(v[i]) / std::sqrt(1 - std::pow(beta2, t)) + eps;
        p[i] -= lr / (1 - std::pow(beta1, t)) * m[i] / denominator;
      }
      expectNear(update(gradient), p);
    }
    EXPECT_NEAR(state("beta1_power")[0], std::pow(beta1, 3), 1e-15);
  }
}

TEST_F(Programs, ASkippedUpdateLeavesNoTrace) {
  BuildFinishPassOptions finish;
  finish.optimizer = "adamw";
  build(finish);
  update(gradients[0]);
  auto before = machine->getStates();
  state("bias/gradient")[2] = std::nan("");
  before.at("bias/gradient").floats[2] = 0; // read by finish, written by micro
  auto outputs = machine->run("finish", {});
  ASSERT_TRUE(succeeded(outputs));
  EXPECT_EQ((*outputs)["finite"].integers[0], 0);
  for (const auto &[name, value] : machine->getStates()) {
    if (name == "bias/gradient")
      continue;
    EXPECT_EQ(value.floats, before.at(name).floats) << name;
    EXPECT_EQ(value.integers, before.at(name).integers) << name;
  }
}

TEST_F(Programs, IgnoreUpdatesAllTheSame) {
  BuildFinishPassOptions finish;
  finish.nonfinite = "ignore";
  build(finish);
  Numbers after = update({HUGE_VAL, 1, 1, 1});
  EXPECT_TRUE(std::isinf(after[0]));
  EXPECT_EQ(machine->getStates().at("step_count").integers[0], 1);
}

} // namespace
