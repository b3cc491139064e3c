// Every form of kernel on the emulator against the reference, at shapes below, at and above a warp and a block.
#include "test/cuda/EmulatedKernels.h"
#include "test/cuda/PlanFromText.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace amp;
using namespace amp::test;

namespace {

std::string type(const std::string &shape, const std::string &element) {
  return "tensor<" + shape + (shape.empty() ? "" : "x") + element + ">";
}

/// Runs the kernels in every order against the reference.
void check(const std::vector<std::string> &bodies, double tolerance = 1e-6, int64_t integerLimit = 3) {
  PlanFromText plan(bodies);
  compiler::CudaCode code = compiler::emitCuda(*plan);
  for (const compiler::CudaRefusal &refused : code.refused)
    ADD_FAILURE() << refused.name << ": " << refused.reason;
  EmulatedKernels kernels(code.source());
  ASSERT_TRUE(kernels.compiled());
  std::vector<plan::KernelOp> ops = plan.kernels();
  ASSERT_EQ(ops.size(), code.kernels.size());
  for (size_t i = 0; i < ops.size(); ++i)
    expectRight(kernels, ops[i], code.kernels[i].blocks, randomInputs(ops[i], 1, integerLimit), tolerance);
}

TEST(CudaElementwise, LengthsAroundWarpAndBlock) {
  std::vector<std::string> bodies;
  for (const char *element : {"f32", "bf16", "f16"})
    for (const char *shape : {"", "1", "31", "256", "257", "3x5x40"}) {
      std::string t = type(shape, element);
      bodies.push_back("^bb0(%a: " + t + ", %b: " + t + "):\n %0 = graph.add %a, %b : (" + t + ", " + t + ") -> " + t +
                       "\n %1 = graph.relu %0 : " + t + " -> " + t + "\n graph.yield %1, %0 : " + t + ", " + t);
    }
  check(bodies);
}

TEST(CudaElementwise, MathIsThatOfTheRules) {
  std::vector<std::string> bodies;
  for (const char *op : {"tanh", "sigmoid", "exp", "neg"})
    bodies.push_back("^bb0(%a: tensor<1003xf32>):\n %0 = graph." + std::string(op) +
                     " %a : tensor<1003xf32> -> tensor<1003xf32>\n graph.yield %0 : tensor<1003xf32>");
  check(bodies, 3e-7);
}

TEST(CudaElementwise, BroadcastsAndViews) {
  check({R"(^bb0(%a: tensor<3x1x20xf32>, %b: tensor<4x1xf32>, %c: tensor<4xf32>):
    %0 = graph.add %a, %b : (tensor<3x1x20xf32>, tensor<4x1xf32>) -> tensor<3x4x20xf32>
    %1 = graph.bias_add %0, %c {axis = 1 : i64} : (tensor<3x4x20xf32>, tensor<4xf32>) -> tensor<3x4x20xf32>
    %2 = graph.reshape %1 : tensor<3x4x20xf32> -> tensor<12x20xf32>
    graph.yield %2 : tensor<12x20xf32>)",
         R"(^bb0(%a: tensor<3x4x20xbf16>):
    %0 = graph.transpose %a {permutation = array<i64: 2, 0, 1>} : tensor<3x4x20xbf16> -> tensor<20x3x4xbf16>
    %1 = graph.reshape %0 : tensor<20x3x4xbf16> -> tensor<20x12xbf16>
    graph.yield %1 : tensor<20x12xbf16>)"});
}

TEST(CudaElementwise, SpecialNumbersPass) {
  const char *elements[] = {"f32", "bf16", "f16"};
  std::vector<std::string> bodies;
  for (const char *element : elements) {
    std::string t = type("12", element);
    bodies.push_back("^bb0(%a: " + t + ", %b: " + t + "):\n %0 = graph.add %a, %b : (" + t + ", " + t + ") -> " + t +
                     "\n graph.yield %0 : " + t);
  }
  PlanFromText plan(bodies);
  compiler::CudaCode code = compiler::emitCuda(*plan);
  EmulatedKernels kernels(code.source());
  for (size_t i = 0; i < 3; ++i) {
    SCOPED_TRACE(elements[i]);
    plan::KernelOp kernel = plan.kernels()[i];
    std::vector<Tensor> inputs = randomInputs(kernel, 1);
    double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    double tiny = std::string(elements[i]) == "f16" ? 0x1p-24 : 0x1p-133;
    inputs[0].floats = {inf, -inf, inf, nan, 1, tiny, 3 * tiny, 0, -0.0, 65504, 1, nan};
    inputs[1].floats = {1, 1, -inf, 1, nan, 0, tiny, tiny, 0, 0, 0.00390625, nan};
    expectRight(kernels, kernel, code.kernels[i].blocks, inputs, 0);
  }
}

TEST(CudaReduction, AxesAndLengths) {
  struct Case {
    const char *x, *axes, *y;
  };
  std::vector<std::string> bodies;
  for (const Case &c : {Case{"64x10", "0", "10"},
                        {"3x5x7x6", "0, 1, 2", "6"},
                        {"5x33", "1", "5"},
                        {"4x3x8", "1", "4x8"},
                        {"700x9", "0", "9"},
                        {"4x3x50", "0, 1, 2", ""},
                        {"2x6x5x5", "0, 2, 3", "6"},
                        {"2x17000", "1", "2"}})
    for (const char *op : {"reduce_sum", "reduce_mean"})
      for (const char *element : {"f32", "bf16"}) {
        std::string x = type(c.x, element), y = type(c.y, "f32");
        bodies.push_back("^bb0(%x: " + x + "):\n %0 = graph." + op + " %x {axes = array<i64: " + c.axes + ">} : " + x +
                         " -> " + y + "\n %1 = graph.neg %0 : " + y + " -> " + y + "\n graph.yield %1 : " + y);
      }
  check(bodies, 2e-6);
}

TEST(CudaSoftmax, AlongLastAndOtherAxes) {
  std::vector<std::string> bodies;
  for (auto [shape, axis] : {std::pair{"70x10", 1}, {"5x37", 1}, {"3x10x6", 1}, {"9x21", 0}})
    for (const char *op : {"softmax", "log_softmax"}) {
      std::string t = type(shape, "f32"), at = "{axis = " + std::to_string(axis) + " : i64}";
      bodies.push_back("^bb0(%x: " + t + "):\n %0 = graph." + op + " %x " + at + " : " + t + " -> " + t +
                       "\n graph.yield %0 : " + t);
      bodies.push_back("^bb0(%d: " + t + ", %y: " + t + "):\n %0 = graph." + op + "_grad %d, %y " + at + " : " + t +
                       ", " + t + " -> " + t + "\n graph.yield %0 : " + t);
    }
  check(bodies);
}

TEST(CudaLoss, CrossEntropyIgnoresLabels) {
  std::vector<std::string> bodies;
  for (const char *mean : {"true", "false"})
    for (const char *element : {"f32", "bf16"})
      for (auto [logits, labels] : {std::pair{"64x10", "64"}, {"5x3x7", "5x7"}}) {
        std::string x = type(logits, element), l = type(labels, "i64");
        // Label 2 is ignored.
        std::string at = " {axis = 1 : i64, ignore_index = 2 : i64, mean = " + std::string(mean) + "} : (";
        bodies.push_back("^bb0(%x: " + x + ", %l: " + l + "):\n %0 = graph.cross_entropy %x, %l" + at + x + ", " + l +
                         ") -> tensor<f32>\n graph.yield %0 : tensor<f32>");
        bodies.push_back("^bb0(%s: tensor<f32>, %x: " + x + ", %l: " + l +
                         "):\n %0 = graph.cross_entropy_grad %s, %x, %l" + at + "tensor<f32>, " + x + ", " + l +
                         ") -> " + x + "\n graph.yield %0 : " + x);
      }
  check(bodies);
}

TEST(CudaSums, SquaresNormsAndErrors) {
  check({R"(^bb0(%g: tensor<37x19xf32>, %s: tensor<f32>):
    %0 = train.unscale %g, %s : (tensor<37x19xf32>, tensor<f32>) -> tensor<37x19xf32>
    %1 = train.sum_squares %0 : tensor<37x19xf32> -> tensor<3xf64>
    graph.yield %1 : tensor<3xf64>)",
         R"(^bb0(%a: tensor<3xf64>, %b: tensor<1xf64>):
    %0, %1 = train.measure %a, %b : (tensor<3xf64>, tensor<1xf64>) -> (tensor<i1>, tensor<f32>)
    graph.yield %0, %1 : tensor<i1>, tensor<f32>)",
         R"(^bb0(%x: tensor<7x99xf32>, %t: tensor<7x99xf32>):
    %0 = graph.mse %x, %t {mean = true} : (tensor<7x99xf32>, tensor<7x99xf32>) -> tensor<f32>
    graph.yield %0 : tensor<f32>)"});
}

TEST(CudaSums, InfiniteAndMissingNumbersAreFound) {
  PlanFromText plan({R"(^bb0(%a: tensor<3xf64>):
    %0, %1 = train.measure %a : (tensor<3xf64>) -> (tensor<i1>, tensor<f32>)
    graph.yield %0, %1 : tensor<i1>, tensor<f32>)"});
  compiler::CudaCode code = compiler::emitCuda(*plan);
  EmulatedKernels kernels(code.source());
  plan::KernelOp kernel = plan.kernels()[0];
  std::vector<Tensor> inputs = randomInputs(kernel, 1);
  EXPECT_EQ(kernels.run(kernel, 1, inputs, simt::Order::Forward).results[0].integers[0], 1);
  for (double bad : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    inputs[0].floats[1] = bad;
    EXPECT_EQ(kernels.run(kernel, 1, inputs, simt::Order::Forward).results[0].integers[0], 0) << bad;
  }
}

TEST(CudaRefusals, NameTheOperator) {
  PlanFromText plan({R"(^bb0(%a: tensor<4x3xf32>, %b: tensor<3x5xf32>):
    %0 = graph.matmul %a, %b : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
    graph.yield %0 : tensor<4x5xf32>)",
                     R"(^bb0(%a: tensor<4x3xf32>):
    %0 = graph.softmax %a {axis = 1 : i64} : tensor<4x3xf32> -> tensor<4x3xf32>
    %1 = graph.transpose %0 {permutation = array<i64: 1, 0>} : tensor<4x3xf32> -> tensor<3x4xf32>
    graph.yield %1 : tensor<3x4xf32>)",
                     R"(^bb0(%a: tensor<4xf32>):
    %0 = graph.neg %a : tensor<4xf32> -> tensor<4xf32>
    graph.yield %0 : tensor<4xf32>)"});
  compiler::CudaCode code = compiler::emitCuda(*plan);
  ASSERT_EQ(code.refused.size(), 2u);
  EXPECT_EQ(code.refused[0].name, "k0");
  EXPECT_EQ(code.refused[0].reason, "graph.matmul has no CUDA code yet");
  EXPECT_EQ(code.refused[1].reason,
            "graph.softmax is read at another place than it is computed at, which has no CUDA code yet");
  ASSERT_EQ(code.kernels.size(), 1u);
  EXPECT_EQ(code.kernels[0].name, "k2");
  EXPECT_NE(code.source().find("// k0 is not here: graph.matmul"), std::string::npos);
}

} // namespace
