// PyTorch's GradScaler, step by step: the finish program in the oracle, with the gradients that the truth saw.
#include "compiler/reference/ReferenceMachine.h"
#include "compiler/trainstep/Passes.h"
#include "compiler/trainstep/Programs.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace mlir;
using namespace amp;
using compiler::ReferenceMachine;
using nlohmann::json;
using Tensors = ReferenceMachine::Tensors;

namespace {

// The truth's model: sum(w * x) with x = [0.5, 0.25].
const char *modelText = R"mlir(
train.state @w : tensor<2xf32> frozen = dense<[1.0, -2.0]> : tensor<2xf32>
train.program @model model inputs ["x"] outputs ["y"] (%x: tensor<2xf32>) -> tensor<f32> {
  %w = train.read @w : tensor<2xf32>
  %0 = graph.mul %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.reduce_sum %0 {axes = array<i64: 0>} : tensor<2xf32> -> tensor<f32>
  train.return %1 : tensor<f32>
}
)mlir";

double numberOr(const json &config, const char *key, double otherwise) {
  return config.contains(key) ? config[key].get<double>() : otherwise;
}

class LossScale : public testing::Test {
protected:
  LossScale() { context.loadDialect<graph::GraphDialect, train::TrainDialect>(); }

  OwningOpRef<ModuleOp> buildStep(const json &config, double least = 1) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(modelText, &context);
    PassManager passes(&context);
    passes.addPass(compiler::trainstep::createBuildLossPass());
    passes.addPass(compiler::trainstep::createSelectParametersPass());
    compiler::trainstep::DeclareStatesPassOptions states;
    states.learningRate = 0.125;
    states.lossScale = "dynamic";
    states.initialScale = numberOr(config, "init_scale", 65536);
    passes.addPass(compiler::trainstep::createDeclareStatesPass(states));
    passes.addPass(compiler::trainstep::createBuildMicroPass());
    compiler::trainstep::BuildFinishPassOptions finish;
    finish.momentum = 0.5;
    finish.minScale = least;
    finish.growth = numberOr(config, "growth_factor", 2);
    finish.backoff = numberOr(config, "backoff_factor", 0.5);
    finish.interval = static_cast<int64_t>(numberOr(config, "growth_interval", 2000));
    passes.addPass(compiler::trainstep::createBuildFinishPass(finish));
    passes.addPass(compiler::trainstep::createBuildEvalPass());
    passes.addPass(compiler::trainstep::createBuildDerivePass());
    passes.addPass(compiler::trainstep::createVerifyPass());
    return succeeded(passes.run(*module)) ? std::move(module) : nullptr;
  }

  graph::ReferenceTensor input() {
    graph::ReferenceTensor x(RankedTensorType::get({2}, Float32Type::get(&context)));
    x.floats = {0.5, 0.25};
    return x;
  }

  MLIRContext context;
};

/// What the truth injected into the second gradient element at a step.
double injected(const json &run, int step) {
  std::string key = std::to_string(step);
  if (!run["injected"].contains(key))
    return 0;
  std::string value = run["injected"][key];
  return value == "nan" ? std::nan("") : value == "inf" ? HUGE_VAL : -HUGE_VAL;
}

TEST_F(LossScale, ReproducesPyTorchStepByStep) {
  json truth = json::parse(std::ifstream("test/data/scaler_truth.json"));
  ASSERT_EQ(truth["machine"].size(), 3u);
  for (const json &run : truth["machine"]) {
    SCOPED_TRACE(run["config"].dump());
    // PyTorch knows no least scale.
    OwningOpRef<ModuleOp> module = buildStep(run["config"], 1e-30);
    ASSERT_TRUE(module);
    ReferenceMachine machine(*module);
    ASSERT_TRUE(succeeded(machine.initialize()));
    Tensors &states = machine.getStates();
    int64_t taken = 0;
    for (const json &row : run["rows"]) {
      int step = row["step"];
      SCOPED_TRACE("step " + std::to_string(step));
      EXPECT_EQ(states["loss_scale"].floats[0], row["scale"].get<double>());
      double scale = states["loss_scale"].floats[0];
      ASSERT_TRUE(succeeded(machine.run("micro", {{"x", input()}})));
      EXPECT_EQ(states["w/gradient"].floats, (std::vector<double>{0.5 * scale, 0.25 * scale}));
      if (double bad = injected(run, step); bad != 0)
        states["w/gradient"].floats[1] = bad;
      FailureOr<Tensors> outputs = machine.run("finish", {});
      ASSERT_TRUE(succeeded(outputs));
      bool skipped = row["skipped"];
      taken += !skipped;
      EXPECT_EQ((*outputs)["finite"].integers[0], skipped ? 0 : 1);
      EXPECT_EQ(states["loss_scale"].floats[0], row["scale_after"].get<double>());
      EXPECT_EQ(states["growth_tracker"].integers[0], row["growth_tracker"].get<int64_t>());
      EXPECT_EQ(states["step_count"].integers[0], taken);
      for (int i : {0, 1})
        EXPECT_EQ(static_cast<float>(states["w"].floats[i]), row["weight"][i].get<float>()) << "element " << i;
    }
  }
}

// What PyTorch cannot: a loss that is not finite is not the scale's fault.
TEST_F(LossScale, IsNotBlamedForTheLoss) {
  OwningOpRef<ModuleOp> module = buildStep(json{{"init_scale", 8}});
  ASSERT_TRUE(module);
  ReferenceMachine machine(*module);
  ASSERT_TRUE(succeeded(machine.initialize()));
  Tensors &states = machine.getStates();
  states["loss"].floats[0] = std::nan("");
  states["growth_tracker"].integers[0] = 5;
  states["w/gradient"].floats = {std::nan(""), 1};
  ASSERT_TRUE(succeeded(machine.run("finish", {})));
  EXPECT_EQ(states["loss_scale"].floats[0], 8);
  EXPECT_EQ(states["growth_tracker"].integers[0], 5);
  EXPECT_EQ(states["w"].floats, (std::vector<double>{1, -2}));
  EXPECT_EQ(states["step_count"].integers[0], 0);
}

TEST_F(LossScale, StaysWithinItsBounds) {
  OwningOpRef<ModuleOp> module = buildStep(json{{"init_scale", 1}});
  ASSERT_TRUE(module);
  ReferenceMachine machine(*module);
  ASSERT_TRUE(succeeded(machine.initialize()));
  Tensors &states = machine.getStates();
  states["loss"].floats[0] = 1;
  states["w/gradient"].floats = {HUGE_VAL, 1};
  ASSERT_TRUE(succeeded(machine.run("finish", {})));
  EXPECT_EQ(states["loss_scale"].floats[0], 1);
}

} // namespace
