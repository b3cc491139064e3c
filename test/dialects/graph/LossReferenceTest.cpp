// Reference evaluation of losses and dropout, against values computed by hand.
#include "test/dialects/Evaluate.h"

#include <cmath>

using namespace amp::test;
using Floats = std::vector<double>;

static const char *samples = R"(%x = graph.constant dense<[[0.0, 0.0], [1.0, 2.0], [5.0, 5.0]]> : tensor<3x2xf32>
    %l = graph.constant dense<[1, 0, -100]> : tensor<3xi64>
)";

static std::string crossEntropy(const std::string &more) {
  return samples + ("%y = graph.cross_entropy %x, %l {axis = 1 : i64, ignore_index = -100 : i64" + more) +
         "} : (tensor<3x2xf32>, tensor<3xi64>) -> tensor<f32>";
}

TEST(LossReference, CrossEntropyIgnoresSamples) {
  double sum = std::log(2.0) + std::log1p(std::exp(1.0));
  expectNear(floats(crossEntropy(""), "tensor<f32>"), {sum / 2});
  expectNear(floats(crossEntropy(", mean = false"), "tensor<f32>"), {sum});
}

TEST(LossReference, AllIgnoredGivesZero) {
  EXPECT_EQ(floats(R"(%x = graph.constant dense<1.0> : tensor<2x3xf32>
      %l = graph.constant dense<7> : tensor<2xi64>
      %y = graph.cross_entropy %x, %l {axis = 1 : i64, ignore_index = 7 : i64}
        : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<f32>)",
                   "tensor<f32>"),
            (Floats{0}));
}

TEST(LossReference, CrossEntropyGradientIsScaledByItsSeed) {
  double p = 1 / (1 + std::exp(1.0));
  expectNear(floats(samples + std::string(R"(%d = graph.constant dense<8.0> : tensor<f32>
      %y = graph.cross_entropy_grad %d, %x, %l {axis = 1 : i64, ignore_index = -100 : i64}
        : (tensor<f32>, tensor<3x2xf32>, tensor<3xi64>) -> tensor<3x2xf32>)"),
                    "tensor<3x2xf32>"),
             {2, -2, 4 * (p - 1), 4 * (1 - p), 0, 0});
}

TEST(LossReference, ClassesMayLieOnAnInnerAxis) {
  // One sample of two pixels: logits 1x2x2, classes on axis 1.
  expectNear(floats(R"(%x = graph.constant dense<[[[0.0, 1.0], [0.0, 2.0]]]> : tensor<1x2x2xf32>
      %l = graph.constant dense<[[1, 0]]> : tensor<1x2xi64>
      %y = graph.cross_entropy %x, %l {axis = 1 : i64, ignore_index = -1 : i64, mean = false}
        : (tensor<1x2x2xf32>, tensor<1x2xi64>) -> tensor<f32>)",
                    "tensor<f32>"),
             {std::log(2.0) + std::log1p(std::exp(1.0))});
}

TEST(LossReference, MeanSquaredError) {
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %t = graph.constant dense<[0.0, 5.0]> : tensor<2xf32>
      %y = graph.mse %x, %t : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>)",
                   "tensor<f32>"),
            (Floats{5}));
}

static Floats dropout(const std::string &update, const std::string &ratio) {
  return floats("%x = graph.constant dense<1.0> : tensor<4096xf32>\n%s = graph.constant dense<42> : tensor<i64>\n"
                "%u = graph.constant dense<" +
                    update +
                    "> : tensor<i64>\n%y = graph.dropout %x keyed(%s, %u : "
                    "tensor<i64>, tensor<i64>) {ratio = " +
                    ratio +
                    " : f64, number = 3 : i64} : tensor<4096xf32> -> "
                    "tensor<4096xf32>",
                "tensor<4096xf32>");
}

TEST(RandomReference, DropoutKeepsTheShareThatItSays) {
  Floats kept = dropout("0", "0.25");
  size_t dropped = llvm::count(kept, 0.0);
  // 4096 draws of probability 1/4: six standard deviations are 166.
  EXPECT_NEAR(double(dropped), 1024, 166);
  EXPECT_EQ(dropped + llvm::count(kept, 1.0 / 0.75), kept.size());
  EXPECT_EQ(dropout("0", "0.25"), kept);
  EXPECT_NE(dropout("1", "0.25"), kept);
}

TEST(RandomReference, DropoutDrawsThePhiloxStream) {
  // Random123's known answer: counter and key all zero give 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
  EXPECT_EQ(floats(R"(%x = graph.constant dense<1.0> : tensor<4xf64>
      %s = graph.constant dense<0> : tensor<i64>
      %y = graph.dropout %x keyed(%s, %s : tensor<i64>, tensor<i64>) {ratio = 0.5 : f64, number = 0 : i64}
        : tensor<4xf64> -> tensor<4xf64>)",
                   "tensor<4xf64>"),
            (Floats{0, 2, 2, 2}));
}

TEST(RandomReference, DropoutWithoutKeyIsTheIdentity) {
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %y = graph.dropout %x {ratio = 0.5 : f64, number = 3 : i64} : tensor<2xf32> -> tensor<2xf32>)",
                   "tensor<2xf32>"),
            (Floats{1, 2}));
}
