// Sums over axes, softmax with a prologue, dropout in a group, sums of squares, and elementwise rules of all types.
#include "test/compiler/codegen/CompiledKernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace amp::test;

namespace {

std::string tensor(const std::string &shape, const std::string &element) {
  return "tensor<" + shape + (shape.empty() ? "" : "x") + element + ">";
}

struct Axes {
  const char *x, *axes, *y;
};

TEST(Reduction, Columns) {
  const Axes cases[] = {{"700x50", "0", "50"},         {"3x200x90", "0, 1", "90"}, {"5x7x9x40", "1, 2", "5x40"},
                        {"6x3x4x10", "0", "3x4x10"},   {"6x3x5x9", "0", "3x5x9"},  {"1000x129", "0", "129"},
                        {"2x300x5x16", "1", "2x5x16"}, {"3x40", "0", "40"},        {"9x8x1x33", "0, 1, 2", "33"}};
  for (const Axes &c : cases)
    for (const char *op : {"reduce_sum", "reduce_mean"})
      for (const char *element : {"f32", "bf16"}) {
        SCOPED_TRACE(std::string(c.x) + " " + op + " " + element);
        std::string x = tensor(c.x, element), y = tensor(c.y, "f32"), axes = c.axes;
        std::string head = std::string("graph.") + op + " ",
                    tail = " {axes = array<i64: " + axes + ">} : " + x + " -> " + y;
        CompiledKernel("^bb0(%x: " + x + "):\n %0 = " + head + "%x" + tail + "\n graph.yield %0 : " + y).check(2e-6);
        CompiledKernel("^bb0(%x: " + x + ", %g: " + x + ", %b: " + y + "):\n %0 = graph.relu_grad %g, %x : " + x +
                       ", " + x + " -> " + x + "\n %1 = " + head + "%0" + tail + "\n %2 = graph.add %1, %b : (" + y +
                       ", " + y + ") -> " + y + "\n graph.yield %2, %1 : " + y + ", " + y)
            .check(2e-6);
      }
}

// Prologues that are not walked by their position.
TEST(Reduction, ColumnsOfBroadcasts) {
  CompiledKernel(R"(^bb0(%x: tensor<6x5x24xf32>, %p: tensor<5x24xf32>):
    %0 = graph.mul %x, %p : (tensor<6x5x24xf32>, tensor<5x24xf32>) -> tensor<6x5x24xf32>
    %1 = graph.reduce_sum %0 {axes = array<i64: 0>} : tensor<6x5x24xf32> -> tensor<5x24xf32>
    graph.yield %1 : tensor<5x24xf32>)")
      .check(2e-6);
  CompiledKernel(R"(^bb0(%x: tensor<6x5x9xf32>, %p: tensor<5x9xf32>):
    %0 = graph.mul %x, %p : (tensor<6x5x9xf32>, tensor<5x9xf32>) -> tensor<6x5x9xf32>
    %1 = graph.reduce_sum %0 {axes = array<i64: 0>} : tensor<6x5x9xf32> -> tensor<5x9xf32>
    graph.yield %1 : tensor<5x9xf32>)")
      .check(2e-6);
  CompiledKernel(R"(^bb0(%x: tensor<200x40xf32>, %p: tensor<200x1xf32>):
    %0 = graph.mul %x, %p : (tensor<200x40xf32>, tensor<200x1xf32>) -> tensor<200x40xf32>
    %1 = graph.reduce_sum %0 {axes = array<i64: 0>} : tensor<200x40xf32> -> tensor<40xf32>
    graph.yield %1 : tensor<40xf32>)")
      .check(2e-6);
}

TEST(Softmax, MaskedScores) {
  for (const char *element : {"f32", "bf16"})
    for (const char *op : {"softmax", "log_softmax"}) {
      std::string x = tensor("2x3x20x21", element), s = tensor("", element);
      CompiledKernel kernel("^bb0(%x: " + x + ", %m: tensor<1x1x20x21xi1>, %s: " + s + ", %low: " + s +
                            "):\n %0 = graph.mul %x, %s : (" + x + ", " + s + ") -> " + x +
                            "\n %1 = graph.select %m, %0, %low : (tensor<1x1x20x21xi1>, " + x + ", " + s + ") -> " + x +
                            "\n %2 = graph." + op + " %1 {axis = 3 : i64} : " + x + " -> " + x +
                            "\n graph.yield %2 : " + x);
      auto inputs = kernel.inputs(3);
      for (size_t row = 0; row < 20; ++row)
        inputs[1].integers[row * 21] = 1; // no row is masked as a whole
      inputs[3].floats[0] = std::string(op) == "softmax" ? -std::numeric_limits<double>::infinity() : -1e4;
      kernel.check(inputs, 2e-6);
    }
}

TEST(Softmax, GradientWithPrologue) {
  CompiledKernel(R"(^bb0(%d: tensor<30x37xbf16>, %y: tensor<30x37xf32>):
    %0 = graph.cast %d : tensor<30x37xbf16> -> tensor<30x37xf32>
    %1 = graph.softmax_grad %0, %y {axis = 1 : i64} : tensor<30x37xf32>, tensor<30x37xf32> -> tensor<30x37xf32>
    %2 = graph.cast %1 : tensor<30x37xf32> -> tensor<30x37xbf16>
    graph.yield %2 : tensor<30x37xbf16>)")
      .check(2e-6);
}

TEST(Softmax, GradientOfARowThatAMaskLeavesNothing) {
  CompiledKernel kernel(R"(^bb0(%d: tensor<3x37xf32>, %y: tensor<3x37xf32>):
    %0 = graph.softmax_grad %d, %y {axis = 1 : i64} : tensor<3x37xf32>, tensor<3x37xf32> -> tensor<3x37xf32>
    graph.yield %0 : tensor<3x37xf32>)");
  auto inputs = kernel.inputs(5);
  for (size_t i = 37; i < 74; ++i)
    inputs[1].floats[i] = std::numeric_limits<double>::quiet_NaN();
  kernel.check(inputs, 2e-6);
}

TEST(Dropout, InTheMiddleOfAGroup) {
  CompiledKernel kernel(
      R"(^bb0(%x: tensor<5x700xf32>, %b: tensor<700xf32>, %r: tensor<5x700xf32>, %s: tensor<i64>, %u: tensor<i64>):
    %0 = graph.bias_add %x, %b {axis = 1 : i64} : (tensor<5x700xf32>, tensor<700xf32>) -> tensor<5x700xf32>
    %1 = graph.dropout %0 keyed(%s, %u : tensor<i64>, tensor<i64>) {ratio = 0.5 : f64, number = 1 : i64} : tensor<5x700xf32> -> tensor<5x700xf32>
    %2 = graph.add %1, %r : (tensor<5x700xf32>, tensor<5x700xf32>) -> tensor<5x700xf32>
    graph.yield %2 : tensor<5x700xf32>)");
  kernel.check(kernel.inputs(1, 1000000007));
}

TEST(Measure, SumsOfSquaresInParts) {
  for (auto [shape, parts] :
       {std::pair{"5x7", "1"}, std::pair{"1000", "7"}, std::pair{"33x1000", "3"}, std::pair{"5", "4"}}) {
    SCOPED_TRACE(shape);
    std::string g = tensor(shape, "f32"), p = tensor(parts, "f64");
    CompiledKernel kernel("^bb0(%g: " + g + ", %s: tensor<f32>):\n %0 = train.unscale %g, %s : (" + g +
                          ", tensor<f32>) -> " + g + "\n %1 = train.sum_squares %0 : " + g + " -> " + p +
                          "\n graph.yield %1 : " + p);
    EXPECT_EQ(kernel.tiles(), std::atoi(parts));
    kernel.check(1e-6);
    CompiledKernel("^bb0(%g: " + g + "):\n %1 = train.sum_squares %g : " + g + " -> " + p + "\n graph.yield %1 : " + p)
        .check(1e-13); // f64 all the way
  }
}

TEST(Measure, FiniteAndNorm) {
  CompiledKernel kernel(R"(^bb0(%a: tensor<35xf64>, %b: tensor<1xf64>):
    %1, %2 = train.measure %a, %b : (tensor<35xf64>, tensor<1xf64>) -> (tensor<i1>, tensor<f32>)
    graph.yield %1, %2 : tensor<i1>, tensor<f32>)");
  auto inputs = kernel.inputs(1);
  for (auto &input : inputs)
    for (double &value : input.floats)
      value = std::fabs(value);
  kernel.check(inputs);
  for (double bad : {std::numeric_limits<double>::infinity(), std::nan("")})
    for (size_t place : {size_t(0), size_t(34)}) {
      auto spoilt = inputs;
      spoilt[0].floats[place] = bad;
      EXPECT_EQ(kernel.run(spoilt)[0].integers[0], 0);
    }
}

TEST(Elementwise, RulesOfOneOperand) {
  for (const char *op : {"gelu", "erf", "abs", "reciprocal", "sqrt", "neg"})
    for (const char *element : {"f32", "bf16", "f16"}) {
      SCOPED_TRACE(std::string(op) + " " + element);
      std::string x = tensor("1003", element);
      CompiledKernel kernel("^bb0(%x: " + x + "):\n %0 = graph." + op + " %x : " + x + " -> " + x +
                            "\n graph.yield %0 : " + x);
      auto inputs = kernel.inputs(6);
      for (double &value : inputs[0].floats)
        value = std::string(op) == "sqrt" ? std::fabs(value) : std::string(op) == "reciprocal" ? value + 3 : 4 * value;
      inputs[0].round();
      kernel.check(inputs, 1e-6);
    }
}

TEST(Elementwise, GeluAndItsGradient) {
  for (const char *approximate : {"true", "false"})
    for (const char *element : {"f32", "bf16"}) {
      std::string x = tensor("1003", element);
      CompiledKernel kernel("^bb0(%dy: " + x + ", %x: " + x +
                            "):\n %0 = graph.gelu_grad %dy, %x {approximate = " + std::string(approximate) +
                            "} : " + x + ", " + x + " -> " + x + "\n %1 = graph.gelu %x {approximate = " + approximate +
                            "} : " + x + " -> " + x + "\n graph.yield %0, %1 : " + x + ", " + x);
      auto inputs = kernel.inputs(6);
      for (double &value : inputs[1].floats)
        value = float(6 * value);
      inputs[1].round();
      // 1 + tanh loses the tail on the left.
      kernel.check(inputs, 4e-6);
    }
}

TEST(Elementwise, RulesOfTwoOperands) {
  for (const char *op : {"min", "max", "pow", "sub", "div"})
    for (const char *element : {"f32", "bf16"}) {
      SCOPED_TRACE(std::string(op) + " " + element);
      std::string x = tensor("7x53", element), r = tensor("53", element);
      CompiledKernel kernel("^bb0(%a: " + x + ", %b: " + r + "):\n %0 = graph." + std::string(op) + " %a, %b : (" + x +
                            ", " + r + ") -> " + x + "\n graph.yield %0 : " + x);
      auto inputs = kernel.inputs(7);
      for (auto &input : inputs)
        for (double &value : input.floats)
          value = std::string(op) == "min" || std::string(op) == "max" ? value : 2 * std::fabs(value) + 0.25;
      inputs[0].round();
      inputs[1].round();
      kernel.check(inputs, 1e-6);
    }
}

TEST(Elementwise, LogicAndIntegers) {
  CompiledKernel kernel(R"(^bb0(%x: tensor<9x37xf32>, %i: tensor<37xi64>, %j: tensor<9x1xi64>, %m: tensor<9x37xi1>):
    %0 = graph.is_nan %x : tensor<9x37xf32> -> tensor<9x37xi1>
    %1 = graph.compare ge %i, %j : (tensor<37xi64>, tensor<9x1xi64>) -> tensor<9x37xi1>
    %2 = graph.logical_and %m, %1 : (tensor<9x37xi1>, tensor<9x37xi1>) -> tensor<9x37xi1>
    %3 = graph.logical_or %2, %0 : (tensor<9x37xi1>, tensor<9x37xi1>) -> tensor<9x37xi1>
    %4 = graph.logical_not %3 : tensor<9x37xi1> -> tensor<9x37xi1>
    %5 = graph.add %i, %j : (tensor<37xi64>, tensor<9x1xi64>) -> tensor<9x37xi64>
    %6 = graph.reshape %4 : tensor<9x37xi1> -> tensor<333xi1>
    graph.yield %4, %5, %6 : tensor<9x37xi1>, tensor<9x37xi64>, tensor<333xi1>)");
  auto inputs = kernel.inputs(8, 5);
  inputs[0].floats[3] = inputs[0].floats[40] = std::nan("");
  kernel.check(inputs);
}

} // namespace
