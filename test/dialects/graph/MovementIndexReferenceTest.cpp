// Reference evaluation of triangles, fills, ranges, gathers and the gradients of gather and slice, by hand.
#include "test/dialects/Evaluate.h"

using namespace amp::test;
using Floats = std::vector<double>;
using Integers = std::vector<int64_t>;

static const char *matrix = "%x = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>\n";

static Integers move(const std::string &line, const std::string &type) {
  return integers(matrix + line, type);
}

static std::string indices(const std::string &values, const std::string &type) {
  return "%i = graph.constant dense<" + values + "> : " + type + "\n";
}

TEST(MovementIndexReference, ShapesComeFromOperands) {
  EXPECT_EQ(move(indices("[2, 1, 1]", "tensor<3xi64>") +
                     "%y = graph.dynamic_expand %x, %i : (tensor<2x3xi64>, tensor<3xi64>) -> tensor<2x2x3xi64>",
                 "tensor<2x2x3xi64>"),
            (Integers{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(floats(indices("[2, 2]", "tensor<2xi64>") +
                       "%y = graph.fill %i {value = dense<1.5> : tensor<1xf32>} : tensor<2xi64> -> tensor<2x2xf32>",
                   "tensor<2x2xf32>"),
            (Floats{1.5, 1.5, 1.5, 1.5}));
}

static std::string range(const std::string &start, const std::string &limit, const std::string &delta,
                         const std::string &element, int64_t count) {
  std::string type = "tensor<" + element + ">";
  return "%a = graph.constant dense<" + start + "> : " + type + "\n%b = graph.constant dense<" + limit + "> : " + type +
         "\n%c = graph.constant dense<" + delta + "> : " + type + "\n%y = graph.range %a, %b, %c : (" + type + ", " +
         type + ", " + type + ") -> tensor<" + std::to_string(count) + "x" + element + ">";
}

TEST(MovementIndexReference, RangeCountsBeforeItsLimit) {
  EXPECT_EQ(integers(range("3", "9", "3", "i64", 2), "tensor<2xi64>"), (Integers{3, 6}));
  EXPECT_EQ(integers(range("10", "4", "-2", "i64", 3), "tensor<3xi64>"), (Integers{10, 8, 6}));
  EXPECT_EQ(integers(range("10", "4", "2", "i64", 0), "tensor<0xi64>"), (Integers{}));
  EXPECT_EQ(integers(range("-5", "-4", "7", "i32", 1), "tensor<1xi32>"), (Integers{-5}));
  EXPECT_EQ(floats(range("0.0", "1.0", "0.375", "f32", 3), "tensor<3xf32>"), (Floats{0, 0.375, 0.75}));
}

static Integers triangle(const std::string &upper, const std::string &k) {
  return move("%y = graph.trilu %x {upper = " + upper + ", k = " + k + " : i64} : tensor<2x3xi64> -> tensor<2x3xi64>",
              "tensor<2x3xi64>");
}

TEST(MovementIndexReference, TriangleCountsItsDiagonal) {
  EXPECT_EQ(triangle("true", "0"), (Integers{1, 2, 3, 0, 5, 6}));
  EXPECT_EQ(triangle("true", "1"), (Integers{0, 2, 3, 0, 0, 6}));
  EXPECT_EQ(triangle("false", "0"), (Integers{1, 0, 0, 4, 5, 0}));
  EXPECT_EQ(triangle("false", "-1"), (Integers{0, 0, 0, 4, 0, 0}));
}

TEST(MovementIndexReference, GatherGradientAddsWhatWasTakenTwice) {
  EXPECT_EQ(floats("%dy = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>\n" +
                       indices("[1, -1, 1]", "tensor<3xi64>") +
                       "%y = graph.gather_grad %dy, %i {axis = 0 : i64, length = 4 : i64} : (tensor<3x2xf32>, "
                       "tensor<3xi64>) -> tensor<4x2xf32>",
                   "tensor<4x2xf32>"),
            (Floats{0, 0, 6, 8, 0, 0, 3, 4}));
  EXPECT_EQ(floats("%dy = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>\n" +
                       indices("[1, 0, 0]", "tensor<3xi64>") +
                       "%y = graph.gather_grad %dy, %i {axis = 1 : i64, length = 2 : i64} : (tensor<2x3xbf16>, "
                       "tensor<3xi64>) -> tensor<2x2xf32>",
                   "tensor<2x2xf32>"),
            (Floats{5, 1, 11, 4}));
}

TEST(MovementIndexReference, GatherElementsIndexesOneAxis) {
  EXPECT_EQ(move(indices("[[2, 0], [-1, 1]]", "tensor<2x2xi64>") +
                     "%y = graph.gather_elements %x, %i {axis = 1 : i64} : (tensor<2x3xi64>, tensor<2x2xi64>) -> "
                     "tensor<2x2xi64>",
                 "tensor<2x2xi64>"),
            (Integers{3, 1, 6, 5}));
  EXPECT_EQ(move(indices("[[1, 0, 1]]", "tensor<1x3xi64>") +
                     "%y = graph.gather_elements %x, %i {axis = 0 : i64} : (tensor<2x3xi64>, tensor<1x3xi64>) -> "
                     "tensor<1x3xi64>",
                 "tensor<1x3xi64>"),
            (Integers{4, 2, 6}));
}

TEST(MovementIndexReference, GatherNdIndexesByTuples) {
  EXPECT_EQ(move(indices("[[1, -1], [0, 0]]", "tensor<2x2xi64>") +
                     "%y = graph.gather_nd %x, %i {batch_dims = 0 : i64} : (tensor<2x3xi64>, tensor<2x2xi64>) -> "
                     "tensor<2xi64>",
                 "tensor<2xi64>"),
            (Integers{6, 1}));
  EXPECT_EQ(move(indices("[[1]]", "tensor<1x1xi64>") +
                     "%y = graph.gather_nd %x, %i {batch_dims = 0 : i64} : (tensor<2x3xi64>, tensor<1x1xi64>) -> "
                     "tensor<1x3xi64>",
                 "tensor<1x3xi64>"),
            (Integers{4, 5, 6}));
  EXPECT_EQ(move(indices("[[[2], [0]], [[1], [1]]]", "tensor<2x2x1xi64>") +
                     "%y = graph.gather_nd %x, %i {batch_dims = 1 : i64} : (tensor<2x3xi64>, tensor<2x2x1xi64>) -> "
                     "tensor<2x2xi64>",
                 "tensor<2x2xi64>"),
            (Integers{3, 1, 5, 5}));
}

TEST(MovementIndexReference, DynamicSliceTakesOperands) {
  const char *lists = "%s = graph.constant dense<[1, -1]> : tensor<2xi64>\n%e = graph.constant dense<[2, -100]> : "
                      "tensor<2xi64>\n%p = graph.constant dense<[1, -2]> : tensor<2xi64>\n";
  EXPECT_EQ(move(std::string(lists) +
                     "%y = graph.dynamic_slice %x, %s, %e, %p {axes = array<i64: 0, 1>} : (tensor<2x3xi64>, "
                     "tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x2xi64>",
                 "tensor<1x2xi64>"),
            (Integers{6, 4}));
  EXPECT_EQ(move("%s = graph.constant dense<1> : tensor<1xi32>\n%e = graph.constant dense<9> : tensor<1xi32>\n"
                 "%y = graph.dynamic_slice %x, %s, %e {axes = array<i64: 1>} : (tensor<2x3xi64>, tensor<1xi32>, "
                 "tensor<1xi32>) -> tensor<2x2xi64>",
                 "tensor<2x2xi64>"),
            (Integers{2, 3, 5, 6}));
}

TEST(MovementIndexReference, SliceGradientPutsBackWhatSliceTook) {
  EXPECT_EQ(integers("%dy = graph.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>\n"
                     "%y = graph.slice_grad %dy {axes = array<i64: 1>, starts = array<i64: -1>, ends = array<i64: 0>, "
                     "steps = array<i64: -2>, input_shape = array<i64: 2, 4>} : tensor<2x2xi64> -> tensor<2x4xi64>",
                     "tensor<2x4xi64>"),
            (Integers{0, 2, 0, 1, 0, 4, 0, 3}));
}
