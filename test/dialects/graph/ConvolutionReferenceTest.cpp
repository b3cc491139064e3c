// Reference evaluation of matmul, convolution and pooling, against values computed by hand.
#include "test/dialects/Evaluate.h"

#include <cmath>

using namespace amp::test;
using Floats = std::vector<double>;

TEST(ContractionReference, MultipliesBatchesOfTransposedMatrices) {
  EXPECT_EQ(floats(R"(%a = graph.constant dense<[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]> : tensor<2x1x3xf32>
      %b = graph.constant dense<[[1.0, 0.0, 1.0], [2.0, 1.0, 0.0]]> : tensor<2x3xf32>
      %y = graph.matmul %a, %b {transpose_rhs = true} : (tensor<2x1x3xf32>, tensor<2x3xf32>) -> tensor<2x1x2xf32>)",
                   "tensor<2x1x2xf32>"),
            (Floats{4, 4, 10, 13}));
  EXPECT_EQ(floats(R"(%a = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
      %b = graph.constant dense<[[1.0], [10.0]]> : tensor<2x1xf32>
      %y = graph.matmul %a, %b {transpose_lhs = true} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>)",
                   "tensor<2x1xf32>"),
            (Floats{31, 42}));
}

static const char *geometry =
    "strides = array<i64: 1, 1>, pads = array<i64: 1, 0, 0, 0>, dilations = array<i64: 1, 1>, ";

TEST(ConvolutionReference, ConvolvesWithPadding) {
  // A 2x2 kernel over 2x2 images of one channel, padded by a row of zeros on top.
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
      %w = graph.constant dense<[[[[1.0, 10.0], [100.0, 1000.0]]]]> : tensor<1x1x2x2xf32>
      %y = graph.conv2d %x, %w {)" +
                       std::string(geometry) + R"(groups = 1 : i64}
        : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>)",
                   "tensor<1x1x2x1xf32>"),
            (Floats{2100, 4321}));
}

TEST(ConvolutionReference, ReadsChannelsLastAndGroups) {
  // Two groups of one channel, kernel 1x1: channel c is multiplied by its own weight.
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
      %w = graph.constant dense<[[[[10.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
      %y = graph.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>,
        dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #graph<layout channels_last>}
        : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x1x2x2xf32>)",
                   "tensor<1x1x2x2xf32>"),
            (Floats{10, 200, 30, 400}));
}

TEST(ConvolutionReference, GradientsAreTheTransposedProducts) {
  std::string dy = "%dy = graph.constant dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32>\n";
  EXPECT_EQ(floats(dy + R"(%w = graph.constant dense<[[[[1.0, 10.0], [100.0, 1000.0]]]]> : tensor<1x1x2x2xf32>
      %y = graph.conv2d_input_grad %dy, %w {)" +
                       geometry + R"(groups = 1 : i64, input_shape = array<i64: 1, 1, 2, 2>}
        : (tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>)",
                   "tensor<1x1x2x2xf32>"),
            (Floats{102, 1020, 200, 2000}));
  EXPECT_EQ(floats(dy + R"(%x = graph.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
      %y = graph.conv2d_weight_grad %x, %dy {)" +
                       geometry + R"(groups = 1 : i64, weight_shape = array<i64: 1, 1, 2, 2>}
        : (tensor<1x1x2x2xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>)",
                   "tensor<1x1x2x2xf32>"),
            (Floats{2, 4, 7, 10}));
}

static const char *image = "%x = graph.constant dense<[[[[1.0, 5.0, 2.0], [5.0, 3.0, 4.0]]]]> : tensor<1x1x2x3xf32>\n";
static const char *window = "kernel = array<i64: 2, 2>, strides = array<i64: 1, 2>, pads = array<i64: 0, 0, 0, 0>, "
                            "dilations = array<i64: 1, 1>, ceil_mode = true";

TEST(PoolingReference, CeilModeAddsAWindow) {
  std::string type = "tensor<1x1x1x2xf32>";
  EXPECT_EQ(
      floats(image + std::string("%y = graph.max_pool2d %x {") + window + "} : tensor<1x1x2x3xf32> -> " + type, type),
      (Floats{5, 4}));
  EXPECT_EQ(
      floats(image + std::string("%y = graph.average_pool2d %x {") + window + "} : tensor<1x1x2x3xf32> -> " + type,
             type),
      (Floats{3.5, 3}));
}

TEST(PoolingReference, PaddingCountsOnRequest) {
  std::string padded = "kernel = array<i64: 2, 3>, strides = array<i64: 1, 3>, pads = array<i64: 1, 0, 0, 0>, "
                       "dilations = array<i64: 1, 1>";
  std::string tail = "} : tensor<1x1x2x3xf32> -> tensor<1x1x2x1xf32>";
  expectNear(floats(image + ("%y = graph.average_pool2d %x {" + padded) + tail, "tensor<1x1x2x1xf32>"),
             {8.0 / 3, 20.0 / 6});
  expectNear(floats(image + ("%y = graph.average_pool2d %x {" + padded) + ", count_include_pad = true" + tail,
                    "tensor<1x1x2x1xf32>"),
             {8.0 / 6, 20.0 / 6});
}

TEST(PoolingReference, GradientGoesToTheFirstMaximum) {
  EXPECT_EQ(floats(image + std::string(R"(%dy = graph.constant dense<[[[[7.0, 9.0]]]]> : tensor<1x1x1x2xf32>
      %y = graph.max_pool2d_grad %dy, %x {)") +
                       window + "} : tensor<1x1x1x2xf32>, tensor<1x1x2x3xf32> -> tensor<1x1x2x3xf32>",
                   "tensor<1x1x2x3xf32>"),
            (Floats{0, 7, 0, 0, 0, 9}));
}

TEST(PoolingReference, AverageGradientSpreads) {
  EXPECT_EQ(floats(std::string(R"(%dy = graph.constant dense<[[[[8.0, 6.0]]]]> : tensor<1x1x1x2xf32>
      %y = graph.average_pool2d_grad %dy {)") +
                       window +
                       ", input_shape = array<i64: 1, 1, 2, 3>} "
                       ": tensor<1x1x1x2xf32> -> tensor<1x1x2x3xf32>",
                   "tensor<1x1x2x3xf32>"),
            (Floats{2, 2, 3, 2, 2, 3}));
}

TEST(PoolingReference, WritesTheOtherLayout) {
  // Two channels, channels-last in, channels-first out: the pool of each pixel alone is a transpose.
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
      %y = graph.max_pool2d %x {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>,
        dilations = array<i64: 1, 1>, layout = #graph<layout channels_last>} : tensor<1x1x2x2xf32> -> tensor<1x2x1x2xf32>)",
                   "tensor<1x2x1x2xf32>"),
            (Floats{1, 3, 2, 4}));
}
