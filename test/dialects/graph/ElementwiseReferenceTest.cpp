// Reference evaluation of elementwise ops, against values computed by hand.
#include "test/dialects/Evaluate.h"

#include <cmath>

using namespace amp::test;
using Floats = std::vector<double>;
using Integers = std::vector<int64_t>;

static std::string unary(const std::string &op, const std::string &values, const std::string &type) {
  return "%x = graph.constant dense<" + values + "> : " + type + "\n%y = graph." + op + " %x : " + type + " -> " + type;
}

TEST(ElementwiseReference, ActivationsAreTheirFormulas) {
  std::string values = "[-2.0, 0.0, 0.5]", type = "tensor<3xf64>";
  EXPECT_EQ(floats(unary("relu", values, type), type), (Floats{0, 0, 0.5}));
  EXPECT_EQ(floats(unary("neg", values, type), type), (Floats{2, -0.0, -0.5}));
  expectNear(floats(unary("tanh", values, type), type), {-0.9640275800758169, 0, 0.46211715726000975});
  expectNear(floats(unary("sigmoid", values, type), type), {0.11920292202211755, 0.5, 0.6224593312018546});
  expectNear(floats(unary("exp", values, type), type), {0.1353352832366127, 1, 1.6487212707001282});
  expectNear(floats(unary("log", "[1.0, 2.0, 0.5]", type), type), {0, 0.6931471805599453, -0.6931471805599453});
  EXPECT_EQ(floats(unary("sqrt", "[4.0, 0.0, 2.25]", type), type), (Floats{2, 0, 1.5}));
}

TEST(ElementwiseReference, ReluKeepsNaN) {
  EXPECT_TRUE(std::isnan(floats(unary("relu", "0x7FC00000", "tensor<f32>"), "tensor<f32>")[0]));
}

static std::string binary(const std::string &op, const std::string &lhs, const std::string &rhs) {
  return "%a = graph.constant dense<" + lhs + "> : tensor<2x1xf32>\n%b = graph.constant dense<" + rhs +
         "> : tensor<2xf32>\n%y = graph." + op + " %a, %b : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>";
}

TEST(ElementwiseReference, BinaryOpsBroadcast) {
  std::string lhs = "[[1.0], [3.0]]", rhs = "[2.0, 4.0]", type = "tensor<2x2xf32>";
  EXPECT_EQ(floats(binary("add", lhs, rhs), type), (Floats{3, 5, 5, 7}));
  EXPECT_EQ(floats(binary("sub", lhs, rhs), type), (Floats{-1, -3, 1, -1}));
  EXPECT_EQ(floats(binary("mul", lhs, rhs), type), (Floats{2, 4, 6, 12}));
  EXPECT_EQ(floats(binary("div", lhs, rhs), type), (Floats{0.5, 0.25, 1.5, 0.75}));
}

TEST(ElementwiseReference, IntegersTruncateAndWrap) {
  EXPECT_EQ(integers(R"(%a = graph.constant dense<[-7, 7]> : tensor<2xi64>
      %b = graph.constant dense<2> : tensor<i64>
      %y = graph.div %a, %b : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>)",
                     "tensor<2xi64>"),
            (Integers{-3, 3}));
  EXPECT_EQ(integers(R"(%a = graph.constant dense<127> : tensor<i8>
      %y = graph.add %a, %a : (tensor<i8>, tensor<i8>) -> tensor<i8>)",
                     "tensor<i8>"),
            (Integers{-2}));
}

static std::string gradient(const std::string &op) {
  return "%dy = graph.constant dense<[2.0, 3.0]> : tensor<2xf64>\n%s = graph.constant dense<[0.0, 0.5]> : "
         "tensor<2xf64>\n%y = graph." +
         op + " %dy, %s : tensor<2xf64>, tensor<2xf64> -> tensor<2xf64>";
}

TEST(ElementwiseReference, ActivationGradientsReadTheResult) {
  EXPECT_EQ(floats(gradient("relu_grad"), "tensor<2xf64>"), (Floats{0, 3}));
  EXPECT_EQ(floats(gradient("tanh_grad"), "tensor<2xf64>"), (Floats{2, 2.25}));
  EXPECT_EQ(floats(gradient("sigmoid_grad"), "tensor<2xf64>"), (Floats{0, 0.75}));
}

TEST(ElementwiseReference, BiasGoesAlongItsAxis) {
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
      %b = graph.constant dense<[10.0, 20.0]> : tensor<2xf32>
      %y = graph.bias_add %x, %b {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>)",
                   "tensor<2x2xf32>"),
            (Floats{11, 12, 23, 24}));
}

TEST(ElementwiseReference, CastRoundsToNearestEvenAndKeepsSubnormals) {
  // 1 + 2^-8 lies halfway between two bf16 values; the even one is 1. 1.2e-7 is twice the least f16 subnormal.
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[1.00390625, 1.01171875]> : tensor<2xf32>
      %y = graph.cast %x : tensor<2xf32> -> tensor<2xbf16>)",
                   "tensor<2xbf16>"),
            (Floats{1, 1.015625}));
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[1.2e-7, 70000.0]> : tensor<2xf32>
      %y = graph.cast %x : tensor<2xf32> -> tensor<2xf16>)",
                   "tensor<2xf16>"),
            (Floats{0x1p-23, INFINITY}));
}

TEST(ElementwiseReference, CastTruncatesToIntegersAndTestsForBool) {
  EXPECT_EQ(integers(R"(%x = graph.constant dense<[-1.5, 1.5]> : tensor<2xf32>
      %y = graph.cast %x : tensor<2xf32> -> tensor<2xi32>)",
                     "tensor<2xi32>"),
            (Integers{-1, 1}));
  EXPECT_EQ(integers(R"(%x = graph.constant dense<[0.25, 0.0]> : tensor<2xf32>
      %y = graph.cast %x : tensor<2xf32> -> tensor<2xi1>)",
                     "tensor<2xi1>"),
            (Integers{1, 0}));
}

static std::string comparison(const std::string &kind) {
  return "%a = graph.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>\n%b = graph.constant dense<2.0> : "
         "tensor<f32>\n%y = graph.compare " +
         kind + " %a, %b : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>";
}

TEST(ElementwiseReference, ComparisonsAreOrdered) {
  EXPECT_EQ(integers(comparison("eq"), "tensor<3xi1>"), (Integers{0, 1, 0}));
  EXPECT_EQ(integers(comparison("lt"), "tensor<3xi1>"), (Integers{1, 0, 0}));
  EXPECT_EQ(integers(comparison("le"), "tensor<3xi1>"), (Integers{1, 1, 0}));
  EXPECT_EQ(integers(comparison("gt"), "tensor<3xi1>"), (Integers{0, 0, 0}));
  EXPECT_EQ(integers(comparison("ge"), "tensor<3xi1>"), (Integers{0, 1, 0}));
}

TEST(ElementwiseReference, SelectTakesLhsWhereTrue) {
  EXPECT_EQ(floats(R"(%c = graph.constant dense<[true, false]> : tensor<2xi1>
      %a = graph.constant dense<1.0> : tensor<f32>
      %b = graph.constant dense<[[5.0, 6.0]]> : tensor<1x2xf32>
      %y = graph.select %c, %a, %b : (tensor<2xi1>, tensor<f32>, tensor<1x2xf32>) -> tensor<1x2xf32>)",
                   "tensor<1x2xf32>"),
            (Floats{1, 6}));
}
