// Reference evaluation of data movement and shape arithmetic, against values computed by hand.
#include "test/dialects/Evaluate.h"

using namespace amp::test;
using Integers = std::vector<int64_t>;

static const char *matrix = "%x = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>\n";

static Integers move(const std::string &line, const std::string &type) {
  return integers(matrix + line, type);
}

TEST(MovementReference, ReshapesKeepTheOrder) {
  EXPECT_EQ(move("%y = graph.reshape %x : tensor<2x3xi64> -> tensor<3x2xi64>", "tensor<3x2xi64>"),
            (Integers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(move("%y = graph.flatten %x {axis = 0 : i64} : tensor<2x3xi64> -> tensor<1x6xi64>", "tensor<1x6xi64>"),
            (Integers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(move("%u = graph.unsqueeze %x {axes = array<i64: 0, 3>} : tensor<2x3xi64> -> tensor<1x2x3x1xi64>\n"
                 "%y = graph.squeeze %u {axes = array<i64>} : tensor<1x2x3x1xi64> -> tensor<2x3xi64>",
                 "tensor<2x3xi64>"),
            (Integers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(move("%s = graph.constant dense<[-1, 2]> : tensor<2xi64>\n%y = graph.dynamic_reshape %x, %s "
                 ": (tensor<2x3xi64>, tensor<2xi64>) -> tensor<3x2xi64>",
                 "tensor<3x2xi64>"),
            (Integers{1, 2, 3, 4, 5, 6}));
}

TEST(MovementReference, TransposeAndExpandMapIndices) {
  EXPECT_EQ(move("%y = graph.transpose %x {permutation = array<i64: 1, 0>} : tensor<2x3xi64> -> tensor<3x2xi64>",
                 "tensor<3x2xi64>"),
            (Integers{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(integers(R"(%x = graph.constant dense<[[1], [2]]> : tensor<2x1xi64>
      %y = graph.expand %x : tensor<2x1xi64> -> tensor<2x2x2xi64>)",
                     "tensor<2x2x2xi64>"),
            (Integers{1, 1, 2, 2, 1, 1, 2, 2}));
}

TEST(MovementReference, ShapeGivesItsAxes) {
  EXPECT_EQ(
      move("%y = graph.shape %x {start = 1 : i64, end = 2 : i64} : tensor<2x3xi64> -> tensor<1xi64>", "tensor<1xi64>"),
      (Integers{3}));
}

TEST(MovementReference, ConcatJoinsAlongItsAxis) {
  EXPECT_EQ(move("%z = graph.constant dense<[[7], [8]]> : tensor<2x1xi64>\n%y = graph.concat %x, %z {axis = 1 : i64} "
                 ": (tensor<2x3xi64>, tensor<2x1xi64>) -> tensor<2x4xi64>",
                 "tensor<2x4xi64>"),
            (Integers{1, 2, 3, 7, 4, 5, 6, 8}));
}

TEST(MovementReference, GatherCountsNegativeIndicesFromTheEnd) {
  EXPECT_EQ(move("%i = graph.constant dense<[-1, 0]> : tensor<2xi64>\n%y = graph.gather %x, %i {axis = 1 : i64} "
                 ": (tensor<2x3xi64>, tensor<2xi64>) -> tensor<2x2xi64>",
                 "tensor<2x2xi64>"),
            (Integers{3, 1, 6, 4}));
  EXPECT_EQ(move("%i = graph.constant dense<1> : tensor<i64>\n%y = graph.gather %x, %i {axis = 0 : i64} "
                 ": (tensor<2x3xi64>, tensor<i64>) -> tensor<3xi64>",
                 "tensor<3xi64>"),
            (Integers{4, 5, 6}));
}

static Integers slice(const std::string &start, const std::string &end, const std::string &step, int64_t count) {
  std::string type = "tensor<" + std::to_string(count) + "xi64>";
  return integers(
      "%x = graph.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi64>\n%y = graph.slice %x {axes = array<i64: 0>, "
      "starts = array<i64: " +
          start + ">, ends = array<i64: " + end + ">, steps = array<i64: " + step + ">} : tensor<5xi64> -> " + type,
      type);
}

TEST(MovementReference, SliceClampsAsOnnx) {
  EXPECT_EQ(slice("1", "9223372036854775807", "2", 2), (Integers{1, 3}));
  EXPECT_EQ(slice("-2", "100", "1", 2), (Integers{3, 4}));
  EXPECT_EQ(slice("-1", "-9223372036854775808", "-2", 3), (Integers{4, 2, 0}));
  EXPECT_EQ(slice("3", "1", "-1", 2), (Integers{3, 2}));
  EXPECT_EQ(slice("4", "2", "1", 0), (Integers{}));
  EXPECT_EQ(slice("-100", "2", "9223372036854775807", 1), (Integers{0}));
}
