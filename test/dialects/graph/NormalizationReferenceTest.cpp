// Reference evaluation of batch and layer normalisation, against values computed by hand.
#include "test/dialects/Evaluate.h"

#include <cmath>

using namespace amp::test;
using Floats = std::vector<double>;

namespace {

// Channels lie on axis 1: [1, 5, 3, 7] with mean 4 and variance 5, [2, 2, 6, 6] with mean 4 and variance 4.
const char *image = "%x = graph.constant dense<[[[1.0, 5.0], [2.0, 2.0]], [[3.0, 7.0], [6.0, 6.0]]]> : "
                    "tensor<2x2x2xf32>\n";

std::string vector(const std::string &name, const std::string &values) {
  return "%" + name + " = graph.constant dense<" + values + "> : tensor<2xf32>\n";
}

const std::string weights = vector("scale", "[2.0, -1.0]") + vector("bias", "[0.5, 3.0]");
const std::string vectors = "tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>";
const std::string attributes = "axis = 1 : i64, eps = 5.0 : f64";

/// y = (x - mean) * factor + bias, channel by channel, of `image`.
Floats scaled(double mean0, double factor0, double bias0, double mean1, double factor1, double bias1) {
  auto first = [&](double x) { return (x - mean0) * factor0 + bias0; };
  auto second = [&](double x) { return (x - mean1) * factor1 + bias1; };
  return {first(1), first(5), second(2), second(2), first(3), first(7), second(6), second(6)};
}

Floats moments(const std::string &results) {
  return floats(image + results + " = graph.batch_moments %x {" + attributes +
                    "} : (tensor<2x2x2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)",
                "tensor<2xf32>");
}

} // namespace

TEST(NormalizationReference, MomentsOfAChannelCrossTheBatch) {
  EXPECT_EQ(moments("%y, %v, %d"), (Floats{4, 4}));
  EXPECT_EQ(moments("%m, %y, %d"), (Floats{5, 4}));
  expectNear(moments("%m, %v, %y"), {1 / std::sqrt(10.0), 1.0 / 3});
}

// The variance of values far from 0 does not drown.
TEST(NormalizationReference, MomentsKeepASmallVariance) {
  expectNear(floats("%x = graph.constant dense<[[16777216.0], [16777218.0]]> : tensor<2x1xf32>\n"
                    "%m, %y, %d = graph.batch_moments %x {axis = 1 : i64, eps = 0.0 : f64} : (tensor<2x1xf32>) -> "
                    "(tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)",
                    "tensor<1xf32>"),
             {1});
}

TEST(NormalizationReference, BatchNormReadsRunningStatistics) {
  expectNear(floats(image + weights + vector("mean", "[1.0, 2.0]") + vector("variance", "[11.0, 4.0]") +
                        "%y = graph.batch_norm %x, %scale, %bias, %mean, %variance {" + attributes +
                        ", momentum = 0.9 : f64} : (tensor<2x2x2xf32>, " + vectors + ") -> tensor<2x2x2xf32>",
                    "tensor<2x2x2xf32>"),
             scaled(1, 2.0 / 4, 0.5, 2, -1.0 / 3, 3));
}

TEST(NormalizationReference, NormalizeTakesMeanAndDeviation) {
  for (const char *ofBatch : {"true", "false"})
    expectNear(floats(image + weights + vector("mean", "[4.0, 4.0]") + vector("deviation", "[0.25, 0.5]") +
                          "%y = graph.normalize %x, %mean, %deviation, %scale, %bias {axis = 1 : i64, of_batch = " +
                          ofBatch + "} : (tensor<2x2x2xf32>, " + vectors + ") -> tensor<2x2x2xf32>",
                      "tensor<2x2x2xf32>"),
               scaled(4, 0.5, 0.5, 4, -0.5, 3));
}

namespace {
const std::string gradients = std::string(image) +
                              "%dy = graph.constant dense<[[[1.0, 0.0], [2.0, 1.0]], [[0.0, 3.0], [1.0, 0.0]]]> : "
                              "tensor<2x2x2xf32>\n" +
                              vector("mean", "[4.0, 4.0]") + vector("deviation", "[0.5, 0.25]") + weights;

Floats sums(const std::string &results) {
  return floats(gradients + results +
                    " = graph.normalize_sums %dy, %x, %mean, %deviation {axis = 1 : i64} : (tensor<2x2x2xf32>, "
                    "tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)",
                "tensor<2xf32>");
}
} // namespace

TEST(NormalizationReference, SumsAreThoseOfScaleAndBias) {
  EXPECT_EQ(sums("%y, %b"), (Floats{0.5 * (-3 + 3 * 3), 0.25 * (-2 * 2 - 2 + 2)}));
  EXPECT_EQ(sums("%s, %y"), (Floats{4, 4}));
}

TEST(NormalizationReference, GradientTakesTheMeansAway) {
  std::string line = vector("dscale", "[3.0, -1.0]") + vector("dbias", "[4.0, 4.0]") +
                     "%y = graph.normalize_grad %dy, %x, %mean, %deviation, %scale, %dscale, %dbias {axis = 1 : i64} : "
                     "(tensor<2x2x2xf32>, tensor<2x2x2xf32>, " +
                     vectors + ", tensor<2xf32>) -> tensor<2x2x2xf32>";
  auto first = [](double dy, double x) { return 0.5 * 2 * (dy - (4 + (x - 4) * 0.5 * 3) / 4); };
  auto second = [](double dy, double x) { return 0.25 * -1 * (dy - (4 + (x - 4) * 0.25 * -1) / 4); };
  expectNear(floats(gradients + line, "tensor<2x2x2xf32>"), {first(1, 1), first(0, 5), second(2, 2), second(1, 2),
                                                             first(0, 3), first(3, 7), second(1, 6), second(0, 6)});
}

TEST(NormalizationReference, StatisticsMoveByTheRestOfTheMomentum) {
  std::string operands = vector("mean", "[4.0, 0.0]") + vector("variance", "[8.0, 2.0]") +
                         vector("old_mean", "[2.0, 1.0]") + vector("old_variance", "[1.0, 1.0]");
  std::string line = " = graph.update_statistics %mean, %variance, %old_mean, %old_variance {momentum = 0.75 : f64, "
                     "correction = 2.0 : f64} : (" +
                     vectors + ") -> (tensor<2xf32>, tensor<2xf32>)";
  EXPECT_EQ(floats(operands + "%y, %v" + line, "tensor<2xf32>"), (Floats{2.5, 0.75}));
  EXPECT_EQ(floats(operands + "%m, %y" + line, "tensor<2xf32>"), (Floats{0.75 + 4, 0.75 + 1}));
}

namespace {
// Rows [1, 3] and [-2, 4]: means 2 and 1, deviations 1 / 2 and 1 / sqrt(12) with eps 3.
const std::string rows = "%x = graph.constant dense<[[1.0, 3.0], [-2.0, 4.0]]> : tensor<2x2xf32>\n" + weights;
const double second = 1 / std::sqrt(12.0);
} // namespace

TEST(NormalizationReference, LayerNormTakesEachRow) {
  std::string line = "%y = graph.layer_norm %x, %scale, %bias {axis = 1 : i64, eps = 3.0 : f64} : (tensor<2x2xf32>, "
                     "tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>";
  expectNear(floats(rows + line, "tensor<2x2xf32>"),
             {-0.5 * 2 + 0.5, 0.5 * -1 + 3, -3 * second * 2 + 0.5, 3 * second * -1 + 3});
  line = "%y = graph.layer_norm %x, %scale {axis = 1 : i64, eps = 3.0 : f64} : (tensor<2x2xf32>, tensor<2xf32>) -> "
         "tensor<2x2xf32>";
  expectNear(floats(rows + line, "tensor<2x2xf32>"), {-0.5 * 2, 0.5 * -1, -3 * second * 2, 3 * second * -1});
}

// Two parts hold a row each; with three, ceil(2 / 3) rows a part, the last one is empty.
TEST(NormalizationReference, LayerNormGradientKeepsPartsOfRows) {
  auto parts = [](const std::string &count, const std::string &results) {
    std::string type = "tensor<" + count + "x2xf32>";
    return floats(rows + "%dy = graph.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf32>\n" + results +
                      " = graph.layer_norm_grad %dy, %x, %scale {axis = 1 : i64, eps = 3.0 : f64, parts = " + count +
                      " : i64} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, " + type +
                      ", " + type + ")",
                  results[1] == 'y' ? "tensor<2x2xf32>" : type);
  };
  expectNear(parts("2", "%a, %y, %b"), {-0.5, 1, -9 * second, 0});
  expectNear(parts("3", "%a, %y, %b"), {-0.5, 1, -9 * second, 0, 0, 0});
  EXPECT_EQ(parts("2", "%a, %b, %y"), (Floats{1, 2, 3, 0}));
  EXPECT_EQ(parts("1", "%a, %b, %y"), (Floats{4, 2}));
  // g = dy * scale = [2, -2] and [6, 0]; dx = deviation * (g - mean(g) - xhat * mean(g * xhat)).
  double product = 6 * -3 * second / 2;
  expectNear(parts("2", "%y, %a, %b"),
             {0.5 * (2 - -0.5 * -1), 0.5 * (-2 - 0.5 * -1), second * (6 - 3 - -3 * second * product),
              second * (0 - 3 - 3 * second * product)});
}

// Results of 16-bit types are rounded to them; what is summed is not.
TEST(NormalizationReference, SixteenBitsAreRoundedAtTheEnd) {
  std::string line = "%x = graph.constant dense<[[1.0, 1.00390625]]> : tensor<1x2xbf16>\n" + weights +
                     "%m = graph.constant dense<0.0> : tensor<2xf32>\n%d = graph.constant dense<1.0> : tensor<2xf32>\n"
                     "%y = graph.normalize %x, %m, %d, %scale, %bias {axis = 1 : i64, of_batch = false} : "
                     "(tensor<1x2xbf16>, " +
                     vectors + ") -> tensor<1x2xbf16>";
  EXPECT_EQ(floats(line, "tensor<1x2xbf16>"), (Floats{2.5, 2}));
}
