// The tensor of the reference evaluation: rounding, conversion, index arithmetic.
#include "test/dialects/Evaluate.h"

#include <cmath>

using namespace mlir;
using namespace amp::graph;
using amp::test::makeContext;
using Lengths = SmallVector<int64_t>;

TEST(ReferenceTensor, RoundsF16AndLeavesF32) {
  auto context = makeContext();
  ReferenceTensor half(RankedTensorType::get({3}, Float16Type::get(context.get())));
  half.floats = {1.0 + 0x1p-11, 65520.0, 0x1p-25 * 1.5};
  half.round();
  EXPECT_EQ(half.floats, (std::vector<double>{1.0, INFINITY, 0x1p-24}));
  ReferenceTensor single(RankedTensorType::get({1}, Float32Type::get(context.get())));
  single.floats = {1.0 + 0x1p-40};
  single.round();
  EXPECT_EQ(single.floats[0], 1.0 + 0x1p-40);
}

TEST(ReferenceTensor, GoesThroughAnAttribute) {
  auto context = makeContext();
  ReferenceTensor tensor(RankedTensorType::get({2}, IntegerType::get(context.get(), 8)));
  tensor.integers = {-1, 127};
  EXPECT_EQ(ReferenceTensor(tensor.toAttribute()).integers, tensor.integers);
  ReferenceTensor flags(RankedTensorType::get({2}, IntegerType::get(context.get(), 1)));
  flags.integers = {1, 0};
  EXPECT_EQ(ReferenceTensor(flags.toAttribute()).integers, flags.integers);
}

TEST(ReferenceTensor, ReadsLittleEndianBytes) {
  auto context = makeContext();
  auto type = RankedTensorType::get({1}, Float32Type::get(context.get()));
  EXPECT_EQ(ReferenceTensor::fromBytes(type, {0, 0, char(0xC0), char(0x3F)})->floats[0], 1.5);
  EXPECT_FALSE(ReferenceTensor::fromBytes(type, {0, 0, 0}));
}

TEST(ReferenceTensor, BroadcastsShapes) {
  int64_t unknown = ShapedType::kDynamic;
  EXPECT_EQ(*broadcastShapes({2, 1}, {3}), (Lengths{2, 3}));
  EXPECT_EQ(*broadcastShapes({unknown, 4}, {1, 1}), (Lengths{unknown, 4}));
  EXPECT_EQ(*broadcastShapes({unknown}, {5}), (Lengths{5}));
  EXPECT_FALSE(broadcastShapes({2}, {3}));
}

TEST(ReferenceTensor, VisitsNoIndexOfAnEmptyShape) {
  int visits = 0;
  forEachIndex({2, 0}, [&](ArrayRef<int64_t>) { ++visits; });
  EXPECT_EQ(visits, 0);
  forEachIndex({}, [&](ArrayRef<int64_t>) { ++visits; });
  EXPECT_EQ(visits, 1);
}
