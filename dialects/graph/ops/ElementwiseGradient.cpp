// Gradient rules of the elementwise family. At kinks they follow PyTorch.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

namespace {

using Gradients = SmallVectorImpl<Value>;

/// The gradients of a broadcasting op's operands, given those of the broadcast operands.
struct Broadcast {
  OpBuilder &builder;
  Location loc;
  Gradients &gradients;

  void give(unsigned operand, Value gradient, Value like) {
    gradients[operand] = sumToShape(builder, loc, gradient, like);
  }
};

} // namespace

LogicalResult ReluOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  gradients[0] = ReluGradOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getY());
  return success();
}

LogicalResult TanhOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  gradients[0] = TanhGradOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getY());
  return success();
}

LogicalResult SigmoidOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                       Gradients &gradients) {
  gradients[0] = SigmoidGradOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getY());
  return success();
}

LogicalResult NegOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  gradients[0] = NegOp::create(builder, gradientLocation(*this), getX().getType(), dy[0]);
  return success();
}

LogicalResult ExpOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  gradients[0] = MulOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getY());
  return success();
}

LogicalResult LogOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  gradients[0] = DivOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getX());
  return success();
}

// dy / (2 y): infinite at 0, as in PyTorch.
LogicalResult SqrtOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  Location loc = gradientLocation(*this);
  Value twice = AddOp::create(builder, loc, getX().getType(), getY(), getY());
  gradients[0] = DivOp::create(builder, loc, getX().getType(), dy[0], twice);
  return success();
}

LogicalResult AddOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                   Gradients &gradients) {
  Broadcast broadcast{builder, gradientLocation(*this), gradients};
  if (wanted[0])
    broadcast.give(0, dy[0], getLhs());
  if (wanted[1])
    broadcast.give(1, dy[0], getRhs());
  return success();
}

LogicalResult SubOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                   Gradients &gradients) {
  Broadcast broadcast{builder, gradientLocation(*this), gradients};
  if (wanted[0])
    broadcast.give(0, dy[0], getLhs());
  if (!wanted[1])
    return success();
  // Negated after the sum: there are fewer elements then.
  Value sum = sumToShape(builder, broadcast.loc, dy[0], getRhs());
  gradients[1] = NegOp::create(builder, broadcast.loc, sum.getType(), sum);
  return success();
}

LogicalResult MulOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                   Gradients &gradients) {
  Broadcast broadcast{builder, gradientLocation(*this), gradients};
  Type type = dy[0].getType();
  if (wanted[0])
    broadcast.give(0, MulOp::create(builder, broadcast.loc, type, dy[0], getRhs()), getLhs());
  if (wanted[1])
    broadcast.give(1, MulOp::create(builder, broadcast.loc, type, dy[0], getLhs()), getRhs());
  return success();
}

// drhs = -dy * (y / rhs): y is what the forward pass computed anyway.
LogicalResult DivOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                   Gradients &gradients) {
  Broadcast broadcast{builder, gradientLocation(*this), gradients};
  Type type = dy[0].getType();
  if (wanted[0])
    broadcast.give(0, DivOp::create(builder, broadcast.loc, type, dy[0], getRhs()), getLhs());
  if (!wanted[1])
    return success();
  Value slope = DivOp::create(builder, broadcast.loc, type, getY(), getRhs());
  Value product = MulOp::create(builder, broadcast.loc, type, dy[0], slope);
  Value sum = sumToShape(builder, broadcast.loc, product, getRhs());
  gradients[1] = NegOp::create(builder, broadcast.loc, sum.getType(), sum);
  return success();
}

LogicalResult BiasAddOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                       Gradients &gradients) {
  if (wanted[0])
    gradients[0] = dy[0];
  if (!wanted[1])
    return success();
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < cast<RankedTensorType>(getX().getType()).getRank(); ++axis)
    if (axis != static_cast<int64_t>(getAxis()))
      axes.push_back(axis);
  Location loc = gradientLocation(*this);
  Value sum = sumOver(builder, loc, dy[0], axes);
  if (sum.getType() != getBias().getType())
    sum = CastOp::create(builder, loc, getBias().getType(), sum);
  gradients[1] = sum;
  return success();
}

// An integer on either side cuts the path: the gradient is zero by definition.
LogicalResult CastOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  if (isa<FloatType>(getElementTypeOrSelf(getX())) && isa<FloatType>(getElementTypeOrSelf(getY())))
    gradients[0] = CastOp::create(builder, gradientLocation(*this), getX().getType(), dy[0]);
  return success();
}

// A select, not a product with the condition: dy may be infinite where the branch was not taken.
LogicalResult SelectOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                      Gradients &gradients) {
  Broadcast broadcast{builder, gradientLocation(*this), gradients};
  Type type = dy[0].getType();
  Value zero = scalarConstant(builder, broadcast.loc, dy[0], 0.0);
  if (wanted[1])
    broadcast.give(1, SelectOp::create(builder, broadcast.loc, type, getCondition(), dy[0], zero), getLhs());
  if (wanted[2])
    broadcast.give(2, SelectOp::create(builder, broadcast.loc, type, getCondition(), zero, dy[0]), getRhs());
  return success();
}
