// Gradient rules against central differences of the double-precision oracle, and PyTorch's choices at kinks.
#include "compiler/reference/ReferenceMachine.h"
#include "compiler/trainstep/ReverseMode.h"
#include "test/compiler/trainstep/GradientCases.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace amp;
using compiler::ReferenceMachine;
using compiler::trainstep::ReverseMode;
using graph::ReferenceTensor;
using test::GradientCase;
using Tensors = ReferenceMachine::Tensors;

namespace {

std::string nameOf(size_t index) {
  return std::string(1, static_cast<char>('a' + index));
}

/// loss = sum(y * r), so that every element of y has its own weight.
std::string programText(const GradientCase &one) {
  std::string names, arguments;
  for (size_t i = 0; i < one.inputs.size(); ++i) {
    names += "\"" + nameOf(i) + "\", ";
    arguments += "%" + nameOf(i) + ": " + one.inputs[i] + ", ";
  }
  int64_t rank = std::count(one.result.begin(), one.result.end(), 'x');
  std::string axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    axes += (axis ? ", " : ": ") + std::to_string(axis);
  std::string sum = rank == 0 ? "train.return %p : tensor<f32>"
                              : "%loss = graph.reduce_sum %p {axes = array<i64" + axes + ">} : " + one.result +
                                    " -> tensor<f32>\ntrain.return %loss : tensor<f32>";
  return "train.program @f model inputs [" + names + "\"r\"] outputs [\"loss\"] (" + arguments + "%r: " + one.result +
         ") -> tensor<f32> {\n" + one.body + "\n%p = graph.mul %y, %r : (" + one.result + ", " + one.result + ") -> " +
         one.result + "\n" + sum + "\n}";
}

class GradientRules : public testing::Test {
protected:
  GradientRules() { context.loadDialect<graph::GraphDialect, train::TrainDialect>(); }

  /// Parses a program and appends the gradients of its float inputs but the last as outputs "d<name>".
  OwningOpRef<ModuleOp> differentiate(const std::string &text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return nullptr;
    auto program = *module->getOps<train::ProgramOp>().begin();
    SmallVector<Value> sources(program.getBody().getArguments().drop_back());
    Value target = program.getReturn().getValues().front();
    ReverseMode reverse(target, sources);
    EXPECT_TRUE(reverse.missing().empty());
    OpBuilder builder(program.getReturn());
    auto scalar = RankedTensorType::get({}, builder.getF32Type());
    Value seed = graph::ConstantOp::create(builder, program.getLoc(), scalar,
                                           DenseElementsAttr::get(scalar, builder.getF32FloatAttr(1)));
    if (failed(reverse.build(builder, seed)))
      return nullptr;
    SmallVector<Attribute> names(program.getOutputNames().begin(), program.getOutputNames().end());
    SmallVector<Value> values(program.getReturn().getValues());
    for (auto [index, source] : llvm::enumerate(sources)) {
      EXPECT_TRUE(reverse.gradientOf(source)) << "no gradient of input " << index;
      values.push_back(reverse.gradientOf(source));
      names.push_back(builder.getStringAttr("d" + nameOf(index)));
    }
    program.setOutputNamesAttr(builder.getArrayAttr(names));
    program.setFunctionType(builder.getFunctionType(program.getArgumentTypes(), TypeRange(ValueRange(values))));
    program.getReturn().getValuesMutable().assign(values);
    return succeeded(verify(*module)) ? std::move(module) : nullptr;
  }

  ReferenceTensor tensor(const std::string &type, std::vector<double> values) {
    ReferenceTensor result(cast<RankedTensorType>(parseType(type, &context)));
    result.floats = std::move(values);
    return result;
  }

  void compare(const GradientCase &one);

  MLIRContext context;
};

void GradientRules::compare(const GradientCase &one) {
  OwningOpRef<ModuleOp> module = differentiate(programText(one));
  ASSERT_TRUE(module);
  ReferenceMachine machine(*module);
  ASSERT_TRUE(succeeded(machine.initialize()));
  std::mt19937 random(17);
  std::uniform_real_distribution<double> draw(one.low, one.high);
  Tensors inputs;
  auto fill = [&](const std::string &name, const std::string &type) {
    ReferenceTensor value(cast<RankedTensorType>(parseType(type, &context)));
    for (double &element : value.floats)
      element = draw(random);
    inputs[name] = value;
  };
  for (size_t i = 0; i < one.inputs.size(); ++i)
    fill(nameOf(i), one.inputs[i]);
  fill("r", one.result);
  FailureOr<Tensors> results = machine.run("f", inputs);
  ASSERT_TRUE(succeeded(results));

  const double step = 1e-5;
  for (size_t i = 0; i < one.inputs.size(); ++i) {
    const std::vector<double> gradient = (*results)["d" + nameOf(i)].floats;
    double largest = 1e-3;
    for (double element : gradient)
      largest = std::max(largest, std::fabs(element));
    for (size_t k = 0; k < gradient.size(); ++k) {
      double &element = inputs[nameOf(i)].floats[k];
      const double middle = element;
      double loss[2];
      for (int side : {0, 1}) {
        element = side ? middle + step : middle - step;
        FailureOr<Tensors> moved = machine.run("f", inputs);
        ASSERT_TRUE(succeeded(moved));
        loss[side] = (*moved)["loss"].floats[0];
      }
      element = middle;
      ASSERT_NEAR(gradient[k], (loss[1] - loss[0]) / (2 * step), 1e-6 * largest)
          << "input " << nameOf(i) << ", element " << k;
    }
  }
}

TEST_F(GradientRules, EqualFiniteDifferences) {
  for (const GradientCase &one : test::gradientCases()) {
    SCOPED_TRACE(one.name);
    compare(one);
    if (HasFatalFailure())
      return;
  }
}

TEST_F(GradientRules, FollowPyTorchAtKinks) {
  struct Kink {
    GradientCase function;
    std::vector<double> at, slope;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  const Kink kinks[] = {
      {{"relu at 0", {"tensor<3xf32>"}, "tensor<3xf32>", "%y = graph.relu %a : tensor<3xf32> -> tensor<3xf32>"},
       {-1, 0, 1},
       {0, 0, 1}},
      {{"sqrt at 0", {"tensor<1xf32>"}, "tensor<1xf32>", "%y = graph.sqrt %a : tensor<1xf32> -> tensor<1xf32>"},
       {0},
       {infinity}},
      {{"abs at 0", {"tensor<3xf32>"}, "tensor<3xf32>", "%y = graph.abs %a : tensor<3xf32> -> tensor<3xf32>"},
       {-1, 0, 1},
       {-1, 0, 1}},
      {{"equal sides of max",
        {"tensor<3xf32>"},
        "tensor<3xf32>",
        "%z = graph.constant dense<0.0> : tensor<f32>\n"
        "%y = graph.max %a, %z : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>"},
       {-1, 0, 1},
       {0, 0.5, 1}},
      {{"equal sides of min",
        {"tensor<3xf32>"},
        "tensor<3xf32>",
        "%z = graph.constant dense<0.0> : tensor<f32>\n"
        "%y = graph.min %a, %z : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>"},
       {-1, 0, 1},
       {1, 0.5, 0}},
      {{"0 to the power 0",
        {"tensor<3xf32>"},
        "tensor<3xf32>",
        "%e = graph.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>\n"
        "%y = graph.pow %a, %e : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>"},
       {0, 0, 0},
       {0, 1, 0}},
      {{"0 to the constant power 0",
        {"tensor<2xf32>"},
        "tensor<2xf32>",
        "%e = graph.constant dense<0.0> : tensor<f32>\n"
        "%y = graph.pow %a, %e : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>"},
       {0, 3},
       {0, 0}},
      {{"exponents of 0",
        {"tensor<2xf32>"},
        "tensor<2xf32>",
        "%b = graph.constant dense<0.0> : tensor<2xf32>\n"
        "%y = graph.pow %b, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>"},
       {0, 3},
       {0, 0}},
      {{"equal values in a pooling window",
        {"tensor<1x1x2x2xf32>"},
        "tensor<1x1x1x1xf32>",
        "%y = graph.max_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, "
        "0>,"
        " dilations = array<i64: 1, 1>} : tensor<1x1x2x2xf32> -> tensor<1x1x1x1xf32>"},
       {1, 3, 3, 2},
       {0, 1, 0, 0}}};
  for (const Kink &kink : kinks) {
    SCOPED_TRACE(kink.function.name);
    OwningOpRef<ModuleOp> module = differentiate(programText(kink.function));
    ASSERT_TRUE(module);
    ReferenceMachine machine(*module);
    ReferenceTensor weights(cast<RankedTensorType>(parseType(kink.function.result, &context)));
    std::fill(weights.floats.begin(), weights.floats.end(), 1.0);
    FailureOr<Tensors> results = machine.run("f", {{"a", tensor(kink.function.inputs[0], kink.at)}, {"r", weights}});
    ASSERT_TRUE(succeeded(results));
    EXPECT_EQ((*results)["da"].floats, kink.slope);
  }
}

// A gradient behind a gate that is closed is 0 even where what comes back is infinite.
TEST_F(GradientRules, StopAtClosedGates) {
  GradientCase one{"relu", {"tensor<2xf32>"}, "tensor<2xf32>", "%y = graph.relu %a : tensor<2xf32> -> tensor<2xf32>"};
  OwningOpRef<ModuleOp> module = differentiate(programText(one));
  ASSERT_TRUE(module);
  ReferenceMachine machine(*module);
  const double infinity = std::numeric_limits<double>::infinity();
  FailureOr<Tensors> results =
      machine.run("f", {{"a", tensor("tensor<2xf32>", {-1, 1})}, {"r", tensor("tensor<2xf32>", {infinity, 2})}});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ((*results)["da"].floats, (std::vector<double>{0, 2}));
}

TEST_F(GradientRules, KeepNodeNamesInLocations) {
  OwningOpRef<ModuleOp> module = differentiate(
      "train.program @f model inputs [\"a\", \"r\"] outputs [\"loss\"] (%a: tensor<f32>, %r: tensor<f32>)"
      " -> tensor<f32> {\n%y = graph.tanh %a : tensor<f32> -> tensor<f32> loc(\"act\")\n"
      "%p = graph.mul %y, %r : (tensor<f32>, tensor<f32>) -> tensor<f32>\ntrain.return %p : tensor<f32>\n}");
  ASSERT_TRUE(module);
  module->walk([](graph::TanhGradOp op) {
    std::string text;
    llvm::raw_string_ostream(text) << op.getLoc();
    EXPECT_EQ(text, "loc(fused<\"gradient\">[\"act\"])");
  });
}

TEST_F(GradientRules, ListWhatIsMissing) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      "train.program @f model inputs [\"a\"] outputs [\"loss\"] (%a: tensor<2xf32>) -> tensor<f32> {\n"
      "%i = graph.constant dense<[1]> : tensor<1xi64>\n"
      "%b = graph.gather_elements %a, %i {axis = 0 : i64} : (tensor<2xf32>, tensor<1xi64>) -> tensor<1xf32>\n"
      "%c = graph.compare lt %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>\n"
      "%y = graph.reshape %b : tensor<1xf32> -> tensor<f32>\ntrain.return %y : tensor<f32>\n}",
      &context);
  ASSERT_TRUE(module);
  auto program = *module->getOps<train::ProgramOp>().begin();
  ReverseMode reverse(program.getReturn().getValues().front(), {program.getBody().getArgument(0)});
  ASSERT_EQ(reverse.missing().size(), 1u);
  EXPECT_TRUE(isa<graph::GatherElementsOp>(reverse.missing().front()));
}

} // namespace
