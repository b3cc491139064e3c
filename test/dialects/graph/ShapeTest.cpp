// Shape rules through createInferred(): dynamic lengths stay dynamic, known ones are exact.
#include "test/dialects/Evaluate.h"

using namespace mlir;
using namespace amp::graph;
using Lengths = SmallVector<int64_t>;

namespace {
class Shape : public ::testing::Test {
protected:
  Value argument(ArrayRef<int64_t> shape) {
    return block.addArgument(RankedTensorType::get(shape, builder.getF32Type()), builder.getUnknownLoc());
  }
  static Lengths shapeOf(Operation *op) {
    return Lengths(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
  }

  std::unique_ptr<MLIRContext> context = amp::test::makeContext();
  Block block;
  OpBuilder builder = OpBuilder::atBlockEnd(&block, nullptr);
  Location loc = UnknownLoc::get(context.get());
  static constexpr int64_t unknown = ShapedType::kDynamic;

  Shape() : builder(context.get()) { builder.setInsertionPointToEnd(&block); }
};
} // namespace

TEST_F(Shape, MatMulKeepsAnUnknownBatch) {
  auto op = createInferred<MatMulOp>(builder, loc, argument({unknown, 4}), argument({3, 4}), false, true);
  EXPECT_EQ(shapeOf(op), (Lengths{unknown, 3}));
}

TEST_F(Shape, ConvolutionUsesTheFloorRule) {
  Value x = argument({unknown, 1, 28, 28}), weight = argument({6, 1, 5, 5});
  auto op = createInferred<Conv2dOp>(builder, loc, x, weight, ArrayRef<int64_t>{2, 2}, ArrayRef<int64_t>{2, 2, 2, 2},
                                     ArrayRef<int64_t>{1, 1}, 1);
  EXPECT_EQ(shapeOf(op), (Lengths{unknown, 6, 14, 14}));
}

TEST_F(Shape, CeilModeDropsAWindowThatStartsInTheEndPadding) {
  auto pool = [&](int64_t length, int64_t pad) {
    return shapeOf(createInferred<MaxPool2dOp>(builder, loc, argument({1, 1, length, length}), ArrayRef<int64_t>{2, 2},
                                               ArrayRef<int64_t>{2, 2}, ArrayRef<int64_t>{pad, pad, pad, pad},
                                               ArrayRef<int64_t>{1, 1}, true))[2];
  };
  EXPECT_EQ(pool(5, 0), 3);
  EXPECT_EQ(pool(4, 1), 3);
  EXPECT_EQ(pool(3, 1), 2); // a third window would start at 3, past the input
}

TEST_F(Shape, DynamicReshapeReadsAConstant) {
  auto type = RankedTensorType::get({3}, builder.getI64Type());
  Value shape = ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, ArrayRef<int64_t>{0, -1, 2}));
  EXPECT_EQ(shapeOf(createInferred<DynamicReshapeOp>(builder, loc, argument({4, 6}), shape)), (Lengths{4, 3, 2}));
  EXPECT_EQ(shapeOf(createInferred<DynamicReshapeOp>(builder, loc, argument({unknown, 6}), shape)),
            (Lengths{unknown, unknown, 2}));
}

TEST_F(Shape, RefusesWhatDoesNotFit) {
  std::string message;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  EXPECT_FALSE(createInferred<MatMulOp>(builder, loc, argument({2, 3}), argument({4, 5})));
  EXPECT_EQ(message, "'graph.matmul' op contracts 3 with 4");
  EXPECT_TRUE(block.empty());
}
