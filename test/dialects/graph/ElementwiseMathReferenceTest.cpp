// Reference evaluation of functions, powers, extrema and conditions, against values computed by hand.
#include "test/dialects/Evaluate.h"

#include <cmath>

using namespace amp::test;
using Floats = std::vector<double>;
using Integers = std::vector<int64_t>;

static Floats unary(const std::string &op, const std::string &values, const std::string &attributes = "") {
  std::string type = "tensor<3xf64>";
  return floats("%x = graph.constant dense<" + values + "> : " + type + "\n%y = graph." + op + " %x " + attributes +
                    " : " + type + " -> " + type,
                type);
}

TEST(ElementwiseMathReference, FunctionsAreTheirFormulas) {
  expectNear(unary("erf", "[-2.0, 0.0, 0.5]"), {-0.9953222650189527, 0, 0.5204998778130465});
  EXPECT_EQ(unary("abs", "[-2.0, 0.0, 0.5]"), (Floats{2, 0, 0.5}));
  EXPECT_EQ(unary("reciprocal", "[-2.0, 0.5, 4.0]"), (Floats{-0.5, 2, 0.25}));
  expectNear(unary("gelu", "[-2.0, 0.0, 0.5]"), {-0.04550026389635842, 0, 0.34573123063700656});
  expectNear(unary("gelu", "[-2.0, 0.0, 0.5]", "{approximate = true}"), {-0.04540230591222, 0, 0.34571400982514});
}

static std::string binary(const std::string &op, const std::string &lhs, const std::string &rhs,
                          const std::string &element, const std::string &result) {
  return "%a = graph.constant dense<" + lhs + "> : tensor<2x1x" + element + ">\n%b = graph.constant dense<" + rhs +
         "> : tensor<2x" + element + ">\n%y = graph." + op + " %a, %b : (tensor<2x1x" + element + ">, tensor<2x" +
         element + ">) -> " + result;
}

TEST(ElementwiseMathReference, PowersAndExtremaBroadcast) {
  std::string real = "tensor<2x2xf64>", whole = "tensor<2x2xi64>";
  EXPECT_EQ(floats(binary("pow", "[[2.0], [4.0]]", "[0.5, -1.0]", "f64", real), real),
            (Floats{std::sqrt(2.0), 0.5, 2, 0.25}));
  EXPECT_EQ(floats(binary("min", "[[2.0], [-4.0]]", "[0.5, -1.0]", "f64", real), real), (Floats{0.5, -1, -4, -4}));
  EXPECT_EQ(floats(binary("max", "[[2.0], [-4.0]]", "[0.5, -1.0]", "f64", real), real), (Floats{2, 2, 0.5, -1}));
  EXPECT_EQ(integers(binary("pow", "[[-3], [2]]", "[3, 64]", "i64", whole), whole),
            (Integers{-27, 8733086111712066817, 8, 0}));
  EXPECT_EQ(integers(binary("pow", "[[-1], [2]]", "[-3, -2]", "i64", whole), whole), (Integers{-1, 1, 0, 0}));
  EXPECT_EQ(integers(binary("max", "[[-3], [2]]", "[1, 5]", "i64", whole), whole), (Integers{1, 5, 2, 5}));
  EXPECT_EQ(integers(binary("min", "[[200], [2]]", "[1, 255]", "ui8", "tensor<2x2xui8>"), "tensor<2x2xui8>"),
            (Integers{1, 200, 1, 2}));
}

TEST(ElementwiseMathReference, ExtremaKeepNaN) {
  for (const char *op : {"min", "max"})
    for (const char *order : {"%n, %x", "%x, %n"})
      EXPECT_TRUE(std::isnan(floats("%n = graph.constant dense<0x7FC00000> : tensor<f32>\n%x = graph.constant "
                                    "dense<1.0> : tensor<f32>\n%y = graph." +
                                        std::string(op) + " " + order + " : (tensor<f32>, tensor<f32>) -> tensor<f32>",
                                    "tensor<f32>")[0]));
}

TEST(ElementwiseMathReference, ConditionsCombine) {
  std::string bools = "tensor<2x2xi1>";
  EXPECT_EQ(integers(binary("logical_and", "[[true], [false]]", "[true, false]", "i1", bools), bools),
            (Integers{1, 0, 0, 0}));
  EXPECT_EQ(integers(binary("logical_or", "[[true], [false]]", "[true, false]", "i1", bools), bools),
            (Integers{1, 1, 1, 0}));
  EXPECT_EQ(integers("%x = graph.constant dense<[true, false]> : tensor<2xi1>\n%y = graph.logical_not %x : "
                     "tensor<2xi1> -> tensor<2xi1>",
                     "tensor<2xi1>"),
            (Integers{0, 1}));
  EXPECT_EQ(integers("%x = graph.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>\n%y = graph.is_nan %x : "
                     "tensor<2xf32> -> tensor<2xi1>",
                     "tensor<2xi1>"),
            (Integers{0, 1}));
}

// The derivative by differences of the function itself.
TEST(ElementwiseMathReference, GeluGradientIsItsSlope) {
  for (const char *kind : {"{approximate = false}", "{approximate = true}"}) {
    Floats above = unary("gelu", "[-1.4999, 0.0001, 2.0001]", kind);
    Floats below = unary("gelu", "[-1.5001, -0.0001, 1.9999]", kind), slope;
    for (size_t i = 0; i < 3; ++i)
      slope.push_back(2 * (above[i] - below[i]) / 2e-4);
    expectNear(floats("%dy = graph.constant dense<2.0> : tensor<3xf64>\n%x = graph.constant dense<[-1.5, 0.0, 2.0]> : "
                      "tensor<3xf64>\n%y = graph.gelu_grad %dy, %x " +
                          std::string(kind) + " : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>",
                      "tensor<3xf64>"),
               slope, 1e-7);
  }
}
