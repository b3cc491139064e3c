// Reference evaluation of reductions and softmax, against values computed by hand.
#include "test/dialects/Evaluate.h"

#include <cmath>

using namespace amp::test;
using Floats = std::vector<double>;

static const char *matrix = "%x = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>\n";

static Floats reduce(const std::string &op, const std::string &axes, const std::string &type) {
  return floats(matrix + ("%y = graph." + op) + " %x {axes = array<i64" + axes + ">} : tensor<2x3xf64> -> " + type,
                type);
}

TEST(ReductionReference, SumsAndMeans) {
  EXPECT_EQ(reduce("reduce_sum", ": 0", "tensor<3xf64>"), (Floats{5, 7, 9}));
  EXPECT_EQ(reduce("reduce_sum", ": 0, 1", "tensor<f64>"), (Floats{21}));
  EXPECT_EQ(reduce("reduce_mean", ": 1", "tensor<2xf64>"), (Floats{2, 5}));
  EXPECT_EQ(reduce("reduce_sum", "", "tensor<2x3xf64>"), (Floats{1, 2, 3, 4, 5, 6}));
}

TEST(ReductionReference, SumOf16BitsMayLeaveInF32) {
  // 2048 + 1 is no f16, but an f32.
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[2048.0, 1.0]> : tensor<2xf16>
      %y = graph.reduce_sum %x {axes = array<i64: 0>} : tensor<2xf16> -> tensor<f32>)",
                   "tensor<f32>"),
            (Floats{2049}));
  EXPECT_EQ(floats(R"(%x = graph.constant dense<[2048.0, 1.0]> : tensor<2xf16>
      %y = graph.reduce_sum %x {axes = array<i64: 0>} : tensor<2xf16> -> tensor<f16>)",
                   "tensor<f16>"),
            (Floats{2048}));
}

static const char *line = "%x = graph.constant dense<[[0.0], [1000.0], [1000.0]]> : tensor<3x1xf64>\n";

TEST(ReductionReference, SoftmaxDoesNotOverflow) {
  expectNear(floats(line + std::string("%y = graph.softmax %x {axis = 0 : i64} : tensor<3x1xf64> -> tensor<3x1xf64>"),
                    "tensor<3x1xf64>"),
             {0, 0.5, 0.5});
  expectNear(
      floats(line + std::string("%y = graph.log_softmax %x {axis = 0 : i64} : tensor<3x1xf64> -> tensor<3x1xf64>"),
             "tensor<3x1xf64>"),
      {-1000 - std::log(2.0), -std::log(2.0), -std::log(2.0)});
}

static Floats gradient(const std::string &op, const std::string &y) {
  return floats("%d = graph.constant dense<[1.0, 3.0]> : tensor<2xf64>\n%s = graph.constant dense<" + y +
                    "> : tensor<2xf64>\n%y = graph." + op +
                    " %d, %s {axis = 0 : i64} : tensor<2xf64>, tensor<2xf64> -> "
                    "tensor<2xf64>",
                "tensor<2xf64>");
}

TEST(ReductionReference, SoftmaxGradients) {
  expectNear(gradient("softmax_grad", "[0.25, 0.75]"), {0.25 * (1 - 2.5), 0.75 * (3 - 2.5)});
  // A row that a mask leaves nothing gets no gradient.
  expectNear(gradient("softmax_grad", "[0x7FF8000000000000, 0x7FF8000000000000]"), {0, 0});
  expectNear(gradient("log_softmax_grad", "[0.0, -1.0]"), {1 - 4, 3 - 4 * std::exp(-1.0)});
}
