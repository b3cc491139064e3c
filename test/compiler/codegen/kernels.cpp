// Every family of kernels against the reference: shapes below, at and above the vector width and the tile.
#include "test/compiler/codegen/CompiledKernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace amp::test;

namespace {

std::string type(const std::string &shape, const std::string &element) {
  return "tensor<" + shape + (shape.empty() ? "" : "x") + element + ">";
}

TEST(Elementwise, LengthsAroundVectorAndTile) {
  for (const char *element : {"f32", "bf16", "f16"})
    for (const char *shape : {"", "1", "7", "8", "9", "3x5", "16384", "16389", "5x4099"}) {
      SCOPED_TRACE(std::string(element) + " " + shape);
      std::string t = type(shape, element);
      CompiledKernel("^bb0(%a: " + t + ", %b: " + t + "):\n %0 = graph.add %a, %b : (" + t + ", " + t + ") -> " + t +
                     "\n %1 = graph.relu %0 : " + t + " -> " + t + "\n graph.yield %1, %0 : " + t + ", " + t)
          .check();
    }
}

TEST(Elementwise, TranscendentalsAreAccurate) {
  for (const char *op : {"tanh", "sigmoid", "exp"})
    CompiledKernel("^bb0(%a: tensor<1003xf32>):\n %0 = graph." + std::string(op) +
                   " %a : tensor<1003xf32> -> tensor<1003xf32>\n graph.yield %0 : tensor<1003xf32>")
        .check(3e-7);
}

TEST(Elementwise, SpecialNumbersPass) {
  for (const char *element : {"f32", "bf16", "f16"}) {
    SCOPED_TRACE(element);
    std::string t = type("12", element);
    CompiledKernel kernel("^bb0(%a: " + t + ", %b: " + t + "):\n %0 = graph.add %a, %b : (" + t + ", " + t + ") -> " +
                          t + "\n graph.yield %0 : " + t);
    auto inputs = kernel.inputs(1);
    double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    double tiny = std::string(element) == "f16" ? 0x1p-24 : 0x1p-133;
    inputs[0].floats = {inf, -inf, inf, nan, 1, tiny, 3 * tiny, 0, -0.0, 65504, 1, nan};
    inputs[1].floats = {1, 1, -inf, 1, nan, 0, tiny, tiny, 0, 0, 0.00390625, nan};
    kernel.check(inputs, 0);
  }
}

TEST(Elementwise, BroadcastsAndViews) {
  CompiledKernel(R"(^bb0(%a: tensor<3x1x20xf32>, %b: tensor<4x1xf32>, %c: tensor<4xf32>):
    %0 = graph.add %a, %b : (tensor<3x1x20xf32>, tensor<4x1xf32>) -> tensor<3x4x20xf32>
    %1 = graph.bias_add %0, %c {axis = 1 : i64} : (tensor<3x4x20xf32>, tensor<4xf32>) -> tensor<3x4x20xf32>
    %2 = graph.reshape %1 : tensor<3x4x20xf32> -> tensor<12x20xf32>
    graph.yield %2 : tensor<12x20xf32>)")
      .check();
  CompiledKernel(R"(^bb0(%a: tensor<3x4x20xbf16>):
    %0 = graph.transpose %a {permutation = array<i64: 2, 0, 1>} : tensor<3x4x20xbf16> -> tensor<20x3x4xbf16>
    %1 = graph.reshape %0 : tensor<20x3x4xbf16> -> tensor<20x12xbf16>
    graph.yield %1 : tensor<20x12xbf16>)")
      .check();
}

TEST(Elementwise, UpdatesInPlace) {
  CompiledKernel(
      R"(^bb0(%p: tensor<5x70xf32>, %g: tensor<5x70xf32>, %lr: tensor<f32>, %n: tensor<i64>, %m: tensor<5x70xf32>):
    %0, %1 = train.sgd %p, %g, %lr, %n, %m {momentum = 0.9 : f64, dampening = 0.1 : f64, weight_decay = 0.01 : f64,
        nesterov = true} : (tensor<5x70xf32>, tensor<5x70xf32>, tensor<f32>, tensor<i64>, tensor<5x70xf32>) ->
        (tensor<5x70xf32>, tensor<5x70xf32>)
    %2 = graph.cast %0 : tensor<5x70xf32> -> tensor<5x70xbf16>
    graph.yield %0, %1, %2 : tensor<5x70xf32>, tensor<5x70xf32>, tensor<5x70xbf16>)",
      {0, 4, -1})
      .check();
}

TEST(MatMul, ShapesAndTransposes) {
  for (const char *element : {"f32", "bf16", "f16"})
    for (bool left : {false, true})
      for (bool right : {false, true})
        for (auto [m, n, k] :
             {std::array<int, 3>{1, 1, 1}, {3, 5, 7}, {8, 16, 8}, {17, 35, 19}, {64, 10, 84}, {130, 50, 90}}) {
          SCOPED_TRACE(std::string(element) + " " + std::to_string(m) + " " + std::to_string(n) + " " +
                       std::to_string(k));
          auto shape = [&](bool swap, int a, int b) {
            return type(std::to_string(swap ? b : a) + "x" + std::to_string(swap ? a : b), element);
          };
          std::string a = shape(left, m, k), b = shape(right, k, n), y = shape(false, m, n);
          std::string bias = type(std::to_string(n), "f32");
          CompiledKernel kernel("^bb0(%a: " + a + ", %b: " + b + ", %c: " + bias + "):\n %0 = graph.matmul %a, %b " +
                                "{transpose_lhs = " + (left ? "true" : "false") +
                                ", transpose_rhs = " + (right ? "true" : "false") + "} : (" + a + ", " + b + ") -> " +
                                y + "\n %1 = graph.bias_add %0, %c {axis = 1 : i64} : (" + y + ", " + bias + ") -> " +
                                y + "\n %2 = graph.relu %1 : " + y + " -> " + y + "\n graph.yield %2, %0 : " + y +
                                ", " + y);
          kernel.check(kernel.inputs(3), std::string(element) == "f32" ? 1e-6 : 2e-2);
        }
}

// A result in another order: one tile makes all matrices.
TEST(MatMul, BatchesBehindATranspose) {
  for (const char *element : {"f32", "bf16"}) {
    std::string a = type("2x3x5x6", element), b = type("3x6x9", element), y = type("2x3x5x9", element);
    std::string z = type("2x5x3x9", element);
    CompiledKernel("^bb0(%a: " + a + ", %b: " + b + "):\n %0 = graph.matmul %a, %b : (" + a + ", " + b + ") -> " + y +
                   "\n %1 = graph.transpose %0 {permutation = array<i64: 0, 2, 1, 3>} : " + y + " -> " + z +
                   "\n graph.yield %1 : " + z)
        .check(std::string(element) == "f32" ? 1e-6 : 2e-2);
  }
}

TEST(MatMul, BatchesBroadcast) {
  CompiledKernel(R"(^bb0(%a: tensor<2x3x5x6xf32>, %b: tensor<3x6x9xf32>):
    %0 = graph.matmul %a, %b : (tensor<2x3x5x6xf32>, tensor<3x6x9xf32>) -> tensor<2x3x5x9xf32>
    graph.yield %0 : tensor<2x3x5x9xf32>)")
      .check();
}

} // namespace
