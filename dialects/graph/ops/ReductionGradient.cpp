// Gradient rules of the reduction family.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

namespace {

/// The gradient of a sum: dy again along each axis that was summed.
Value spread(OpBuilder &builder, Location loc, Value dy, ArrayRef<int64_t> axes, Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> kept(type.getShape());
  for (int64_t axis : axes)
    kept[axis] = 1;
  dy = reshapeTo(builder, loc, dy, kept);
  if (type.getShape() != ArrayRef<int64_t>(kept))
    dy = ExpandOp::create(builder, loc, cast<RankedTensorType>(dy.getType()).clone(type.getShape()), dy);
  return dy.getType() == type ? dy : CastOp::create(builder, loc, type, dy);
}

} // namespace

LogicalResult ReduceSumOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                         SmallVectorImpl<Value> &gradients) {
  gradients[0] = spread(builder, gradientLocation(*this), dy[0], getAxes(), getX());
  return success();
}

// Divided before it is spread: there are fewer elements then.
LogicalResult ReduceMeanOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                          SmallVectorImpl<Value> &gradients) {
  Location loc = gradientLocation(*this);
  double count = 1;
  for (int64_t axis : getAxes())
    count *= static_cast<double>(cast<RankedTensorType>(getX().getType()).getDimSize(axis));
  Value share = DivOp::create(builder, loc, dy[0].getType(), dy[0], scalarConstant(builder, loc, dy[0], count));
  gradients[0] = spread(builder, loc, share, getAxes(), getX());
  return success();
}

LogicalResult SoftmaxOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                       SmallVectorImpl<Value> &gradients) {
  gradients[0] =
      SoftmaxGradOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getY(), getAxisAttr());
  return success();
}

LogicalResult LogSoftmaxOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                          SmallVectorImpl<Value> &gradients) {
  gradients[0] =
      LogSoftmaxGradOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getY(), getAxisAttr());
  return success();
}
