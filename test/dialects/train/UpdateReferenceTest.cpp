// Reference evaluation of the update ops, against values computed by hand.
#include "test/dialects/Evaluate.h"

#include <cmath>

using namespace amp::test;
using Floats = std::vector<double>;

static const char *operands = R"(%p = graph.constant dense<1.0> : tensor<1xf32>
    %g = graph.constant dense<0.5> : tensor<1xf32>
    %m = graph.constant dense<0.25> : tensor<1xf32>
    %v = graph.constant dense<1.0> : tensor<1xf32>
    %lr = graph.constant dense<0.5> : tensor<f32>
    %first = graph.constant dense<0> : tensor<i64>
    %later = graph.constant dense<3> : tensor<i64>
    %p1 = graph.constant dense<0.5> : tensor<f64>
    %p2 = graph.constant dense<0.75> : tensor<f64>
)";

static Floats sgd(const std::string &steps, const std::string &nesterov) {
  return floats(operands + ("%y, %b = train.sgd %p, %g, %lr, %" + steps) +
                    ", %m {momentum = 0.5 : f64, dampening = 0.0 : f64, "
                    "weight_decay = 0.25 : f64, nesterov = " +
                    nesterov +
                    "} : (tensor<1xf32>, tensor<1xf32>, tensor<f32>, "
                    "tensor<i64>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)",
                "tensor<1xf32>");
}

TEST(UpdateReference, SgdStartsItsMomentumFromTheGradient) {
  EXPECT_EQ(sgd("first", "false"), (Floats{1 - 0.5 * 0.75}));
  EXPECT_EQ(sgd("later", "false"), (Floats{1 - 0.5 * (0.125 + 0.75)}));
  EXPECT_EQ(sgd("later", "true"), (Floats{1 - 0.5 * (0.75 + 0.5 * 0.875)}));
}

static Floats adam(const std::string &decoupled) {
  return floats(
      operands +
          std::string("%y, %a, %b = train.adam %p, %g, %m, %v, %lr, %p1, %p2 {beta1 = 0.5 : f64, beta2 = 0.5 : f64, "
                      "eps = 0.125 : f64, weight_decay = 0.5 : f64, decoupled = ") +
          decoupled +
          "} : (tensor<1xf32>, tensor<1xf32>, "
          "tensor<1xf32>, tensor<1xf32>, tensor<f32>, tensor<f64>, tensor<f64>) -> (tensor<1xf32>, tensor<1xf32>, "
          "tensor<1xf32>)",
      "tensor<1xf32>");
}

TEST(UpdateReference, AdamDecaysInOneOfTwoWays) {
  double root = std::sqrt(1 - 0.75);
  // Decoupled: p = 0.75, m = 0.375, v = 0.625. Otherwise g = 1, m = 0.625, v = 1.
  expectNear(adam("true"), {0.75 - 0.5 / 0.5 * 0.375 / (std::sqrt(0.625) / root + 0.125)});
  expectNear(adam("false"), {1 - 0.5 / 0.5 * 0.625 / (1 / root + 0.125)});
}

TEST(UpdateReference, UnscaleMultipliesByTheRoundedInverse) {
  EXPECT_EQ(floats(R"(%g = graph.constant dense<3.0> : tensor<1xf32>
      %s = graph.constant dense<3.0> : tensor<f32>
      %y = train.unscale %g, %s : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>)",
                   "tensor<1xf32>"),
            (Floats{3 * double(float(1.0 / 3))}));
}

// Runs of two elements; the last is shorter.
TEST(UpdateReference, SumSquaresAddsRunsOfElements) {
  auto parts = [](const std::string &values) {
    return floats("%g = graph.constant dense<" + values +
                      "> : tensor<5xf32>\n%y = train.sum_squares %g : tensor<5xf32> -> tensor<3xf64>",
                  "tensor<3xf64>");
  };
  EXPECT_EQ(parts("[1.0, 2.0, 3.0, 4.0, 5.0]"), (Floats{5, 25, 25}));
  // No square of an f32 overflows in f64.
  EXPECT_EQ(parts("[0x7F7FFFFF, 0.0, 0.0, 0.0, 0.0]")[0], double(0x1.fffffep127) * double(0x1.fffffep127));
  EXPECT_TRUE(std::isinf(parts("[1.0, 0x7F800000, 3.0, 4.0, 5.0]")[0]));
  EXPECT_FALSE(std::isfinite(parts("[1.0, 2.0, 3.0, 0x7FC00000, 5.0]")[1]));
}

TEST(UpdateReference, PartsDependOnTheNumberOfElementsAlone) {
  using amp::train::SumSquaresOp;
  EXPECT_EQ(SumSquaresOp::partsFor(1), 1);
  EXPECT_EQ(SumSquaresOp::partsFor((1 << 17) - 1), 1);
  EXPECT_EQ(SumSquaresOp::partsFor(1 << 17), 2);
  EXPECT_EQ(SumSquaresOp::partsFor(int64_t(1) << 30), 64);
}

static std::string measured(const std::string &values) {
  return "%a = graph.constant dense<" + values +
         "> : tensor<2xf64>\n%b = graph.constant dense<[144.0]> : tensor<1xf64>\n";
}

TEST(UpdateReference, MeasureTestsAndTakesTheNorm) {
  std::string tail = " = train.measure %a, %b : (tensor<2xf64>, tensor<1xf64>) -> (tensor<i1>, tensor<f32>)";
  EXPECT_EQ(floats(measured("[9.0, 16.0]") + "%f, %y" + tail, "tensor<f32>"), (Floats{13}));
  EXPECT_EQ(integers(measured("[9.0, 16.0]") + "%y, %n" + tail, "tensor<i1>")[0], 1);
  EXPECT_EQ(integers(measured("[9.0, 0x7FF0000000000000]") + "%y, %n" + tail, "tensor<i1>")[0], 0);
  EXPECT_EQ(integers(measured("[9.0, 0x7FF8000000000000]") + "%y, %n" + tail, "tensor<i1>")[0], 0);
}

static std::string moved(const std::string &tracker, const std::string &finite, const std::string &loss) {
  return "%s = graph.constant dense<8.0> : tensor<f32>\n%t = graph.constant dense<" + tracker +
         "> : tensor<i32>\n"
         "%f = graph.constant dense<" +
         finite + "> : tensor<i1>\n%l = graph.constant dense<" + loss +
         "> : tensor<f32>\n"
         "%y, %z = train.update_scale %s, %t, %f, %l {growth = 2.0 : f64, backoff = 0.5 : f64, interval = 3 : i64, "
         "min = 5.0 : f64, max = 12.0 : f64} : (tensor<f32>, tensor<i32>, tensor<i1>, tensor<f32>) -> (tensor<f32>, "
         "tensor<i32>)";
}

TEST(UpdateReference, ScaleGrowsAndShrinksWithinItsBounds) {
  EXPECT_EQ(floats(moved("0", "true", "1.0"), "tensor<f32>")[0], 8);
  EXPECT_EQ(floats(moved("2", "true", "1.0"), "tensor<f32>")[0], 12);
  EXPECT_EQ(floats(moved("2", "false", "1.0"), "tensor<f32>")[0], 5);
  EXPECT_EQ(floats(moved("2", "false", "0x7F800000"), "tensor<f32>")[0], 8);
}
