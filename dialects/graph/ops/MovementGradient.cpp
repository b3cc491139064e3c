// Gradient rules of the movement family: the way back.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

LogicalResult ReshapeOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                       SmallVectorImpl<Value> &gradients) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(getX().getType()).getShape();
  gradients[0] = reshapeTo(builder, gradientLocation(*this), dy[0], shape);
  return success();
}

LogicalResult TransposeOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                         SmallVectorImpl<Value> &gradients) {
  SmallVector<int64_t> inverse(getPermutation().size());
  for (auto [position, axis] : llvm::enumerate(getPermutation()))
    inverse[axis] = position;
  gradients[0] = TransposeOp::create(builder, gradientLocation(*this), getX().getType(), dy[0],
                                     builder.getDenseI64ArrayAttr(inverse));
  return success();
}

LogicalResult ExpandOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                      SmallVectorImpl<Value> &gradients) {
  gradients[0] = sumToShape(builder, gradientLocation(*this), dy[0], getX());
  return success();
}

LogicalResult TriluOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                     SmallVectorImpl<Value> &gradients) {
  gradients[0] = TriluOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getUpperAttr(), getKAttr());
  return success();
}

LogicalResult ConcatOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                      SmallVectorImpl<Value> &gradients) {
  const int64_t axis = getAxis(), step = 1;
  int64_t start = 0;
  for (auto [operand, x] : llvm::enumerate(getXs())) {
    int64_t end = start + cast<RankedTensorType>(x.getType()).getDimSize(axis);
    if (wanted[operand])
      gradients[operand] =
          SliceOp::create(builder, gradientLocation(*this), x.getType(), dy[0], axis, start, end, step);
    start = end;
  }
  return success();
}

LogicalResult GatherOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                      SmallVectorImpl<Value> &gradients) {
  if (!wanted[0])
    return success();
  Location loc = gradientLocation(*this);
  RankedTensorType x = getX().getType();
  Value dx = createInferred<GatherGradOp>(builder, loc, dy[0], getIndices(), getAxisAttr(),
                                          builder.getI64IntegerAttr(x.getDimSize(getAxis())));
  if (!dx)
    return failure();
  gradients[0] = dx.getType() == x ? dx : Value(CastOp::create(builder, loc, x, dx));
  return success();
}

LogicalResult SliceOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                     SmallVectorImpl<Value> &gradients) {
  RankedTensorType x = getX().getType();
  gradients[0] = SliceGradOp::create(builder, gradientLocation(*this), x, dy[0], getAxes(), getStarts(), getEnds(),
                                     getSteps(), x.getShape());
  return success();
}
