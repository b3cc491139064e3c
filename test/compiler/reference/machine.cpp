// The reference machine: state, commits, predicates, groups and calls.
#include "test/dialects/Evaluate.h"

#include <fstream>

using namespace mlir;
using namespace amp;
using compiler::ReferenceMachine;

namespace {
class Machine : public ::testing::Test {
protected:
  ReferenceMachine &load(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, context.get());
    EXPECT_TRUE(module) << text;
    machine.emplace(*module);
    return *machine;
  }
  graph::ReferenceTensor scalar(double value) {
    graph::ReferenceTensor tensor(RankedTensorType::get({}, Float32Type::get(context.get())));
    tensor.floats[0] = value;
    return tensor;
  }

  std::unique_ptr<MLIRContext> context = test::makeContext();
  OwningOpRef<ModuleOp> module;
  std::optional<ReferenceMachine> machine;
};

const char *counter = R"(
  train.state @count : tensor<f32> constant = dense<1.0> : tensor<f32>
  train.state @copy : tensor<f32> constant
  train.program @step micro inputs ["x"] outputs ["old"] (%x: tensor<f32>) -> tensor<f32> {
    %zero = graph.constant dense<0.0> : tensor<f32>
    %isPositive = graph.compare gt %x, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %old = train.read @count : tensor<f32>
    %new = graph.add %old, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
    train.commit %new to @count if %isPositive : tensor<i1> : tensor<f32>
    %again = train.read @count : tensor<f32>
    train.commit %again to @copy : tensor<f32>
    train.return %old : tensor<f32>
  })";
} // namespace

TEST_F(Machine, CommitsAtTheEndAndHonoursPredicates) {
  ReferenceMachine &counting = load(counter);
  ASSERT_TRUE(succeeded(counting.initialize()));
  EXPECT_EQ(counting.run("step", {{"x", scalar(2)}})->at("old").floats[0], 1);
  EXPECT_EQ(counting.getStates().at("count").floats[0], 3);
  EXPECT_EQ(counting.getStates().at("copy").floats[0], 1); // the second read saw the old value
  EXPECT_EQ(counting.run("step", {{"x", scalar(-2)}})->at("old").floats[0], 3);
  EXPECT_EQ(counting.getStates().at("count").floats[0], 3);
  EXPECT_EQ(counting.getStates().at("copy").floats[0], 3);
}

TEST_F(Machine, NamesAMissingInput) {
  ReferenceMachine &counting = load(counter);
  ASSERT_TRUE(succeeded(counting.initialize()));
  std::string message;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  EXPECT_TRUE(failed(counting.run("step", {})));
  EXPECT_EQ(message, "input 'x' is missing");
  EXPECT_TRUE(failed(counting.run("other", {})));
  EXPECT_EQ(message, "has no program @other");
}

TEST_F(Machine, ReadsExternalBytes) {
  std::string path = ::testing::TempDir() + "reference-machine.bin";
  std::ofstream(path, std::ios::binary).write("....\0\0\x80\x3F\0\0\0\x40", 12);
  ReferenceMachine &reader = load("train.state @w : tensor<2xf32> frozen = #train.external<\"" + path + "\", 4, 8>");
  ASSERT_TRUE(succeeded(reader.initialize()));
  EXPECT_EQ(reader.getStates().at("w").floats, (std::vector<double>{1, 2}));
}

TEST_F(Machine, RefusesBytesBeyondTheFile) {
  std::string path = ::testing::TempDir() + "reference-machine-short.bin";
  std::ofstream(path, std::ios::binary).write("....", 4);
  ReferenceMachine &reader = load("train.state @w : tensor<2xf32> frozen = #train.external<\"" + path + "\", 0, 8>");
  ScopedDiagnosticHandler handler(context.get(), [](Diagnostic &) {});
  EXPECT_TRUE(failed(reader.initialize()));
}

TEST_F(Machine, EvaluatesGroupsCallsAndViews) {
  ReferenceMachine &grouped = load(R"(
    plan.kernel @k attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
        aliases = array<i64: -1>, steps = [#plan.generated<"whole">]} {
    ^bb0(%a: tensor<2xf32>):
      %n = graph.neg %a : tensor<2xf32> -> tensor<2xf32>
      graph.yield %n : tensor<2xf32>
    }
    train.program @f model inputs [] outputs ["y", "z"] () -> (tensor<2x1xf32>, tensor<2xf32>) {
      %x = graph.constant dense<[1.0, -2.0]> : tensor<2xf32>
      %g = graph.group(%x) : (tensor<2xf32>) -> tensor<2xf32> {
      ^bb0(%a: tensor<2xf32>):
        %r = graph.relu %a : tensor<2xf32> -> tensor<2xf32>
        graph.yield %r : tensor<2xf32>
      }
      %n = plan.call @k(%g) : (tensor<2xf32>) -> tensor<2xf32>
      %m = plan.call @k(%n) : (tensor<2xf32>) -> tensor<2xf32>
      %y = plan.view %n : tensor<2xf32> -> tensor<2x1xf32>
      train.return %y, %m : tensor<2x1xf32>, tensor<2xf32>
    })");
  auto outputs = grouped.run("f", {});
  ASSERT_TRUE(succeeded(outputs));
  EXPECT_EQ(outputs->at("y").floats, (std::vector<double>{-1, -0.0}));
  EXPECT_EQ(outputs->at("z").floats, (std::vector<double>{1, 0}));
}
