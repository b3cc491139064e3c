// Gradient rules of the elementwise family. At kinks they follow PyTorch.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

#include "mlir/IR/Matchers.h"

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

namespace {

/// What the rules below are written with: elementwise ops of dy's shape, scalars broadcast.
struct Terms {
  OpBuilder &builder;
  Location loc;
  Value dy;

  Value scalar(double value) { return scalarConstant(builder, loc, dy, value); }
  Value mul(Value lhs, Value rhs) { return MulOp::create(builder, loc, broadcastType(lhs, rhs), lhs, rhs); }
  Value neg(Value x) { return NegOp::create(builder, loc, x.getType(), x); }
  Value compare(CompareKind kind, Value lhs, Value rhs) {
    Type type = broadcastType(lhs, rhs).clone(builder.getI1Type());
    return CompareOp::create(builder, loc, type, lhs, rhs, kind);
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return SelectOp::create(builder, loc, dy.getType(), condition, lhs, rhs);
  }

  static RankedTensorType broadcastType(Value lhs, Value rhs) {
    auto left = cast<RankedTensorType>(lhs.getType()), right = cast<RankedTensorType>(rhs.getType());
    return left.clone(*broadcastShapes(left.getShape(), right.getShape()));
  }
};

} // namespace

LogicalResult ErfOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  Terms terms{builder, gradientLocation(*this), dy[0]};
  Value exponent = terms.neg(terms.mul(getX(), getX()));
  Value bell = ExpOp::create(builder, terms.loc, getX().getType(), exponent);
  const double twoOverSqrtPi = 1.1283791670955126;
  gradients[0] = terms.mul(dy[0], terms.mul(bell, terms.scalar(twoOverSqrtPi)));
  return success();
}

LogicalResult AbsOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  Terms terms{builder, gradientLocation(*this), dy[0]};
  Value zero = terms.scalar(0.0);
  Value signedDy = terms.select(terms.compare(CompareKind::Less, getX(), zero), terms.neg(dy[0]), dy[0]);
  gradients[0] = terms.select(terms.compare(CompareKind::Equal, getX(), zero), zero, signedDy);
  return success();
}

LogicalResult ReciprocalOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                          Gradients &gradients) {
  Terms terms{builder, gradientLocation(*this), dy[0]};
  gradients[0] = terms.neg(terms.mul(dy[0], terms.mul(getY(), getY())));
  return success();
}

LogicalResult GeluOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &, Gradients &gradients) {
  gradients[0] =
      GeluGradOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getX(), getApproximate());
  return success();
}

/// d lhs^rhs / d lhs times dy; a constant exponent that is not 0, the usual case, needs no test for 0.
static Value powerSlope(PowOp op, Terms &terms) {
  Type type = terms.dy.getType();
  DenseElementsAttr constant;
  if (matchPattern(op.getRhs(), m_Constant(&constant)) && constant.isSplat()) {
    double exponent = ReferenceTensor(constant).floats.front();
    if (exponent == 1)
      return terms.dy;
    if (exponent == 2)
      return terms.mul(terms.dy, terms.mul(op.getLhs(), terms.scalar(2.0)));
    if (exponent != 0) {
      Value rest =
          PowOp::create(terms.builder, terms.loc, op.getLhs().getType(), op.getLhs(), terms.scalar(exponent - 1));
      return terms.mul(terms.dy, terms.mul(rest, terms.scalar(exponent)));
    }
  }
  Value lower = SubOp::create(terms.builder, terms.loc, op.getRhs().getType(), op.getRhs(), terms.scalar(1.0));
  Value rest = PowOp::create(terms.builder, terms.loc, type, op.getLhs(), lower);
  Value slope = terms.mul(terms.dy, terms.mul(rest, op.getRhs()));
  // 0 times the infinite 0^-1 would be no number.
  return terms.select(terms.compare(CompareKind::Equal, op.getRhs(), terms.scalar(0.0)), terms.scalar(0.0), slope);
}

// d rhs is y log(lhs), and 0 where lhs is 0 and rhs is not negative, as in PyTorch.
LogicalResult PowOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                   Gradients &gradients) {
  Terms terms{builder, gradientLocation(*this), dy[0]};
  Broadcast broadcast{builder, terms.loc, gradients};
  if (wanted[0])
    broadcast.give(0, powerSlope(*this, terms), getLhs());
  if (!wanted[1])
    return success();
  Value zero = terms.scalar(0.0);
  Value logarithm = LogOp::create(builder, terms.loc, getLhs().getType(), getLhs());
  Value slope = terms.mul(dy[0], terms.mul(getY(), logarithm));
  Value upward = terms.select(terms.compare(CompareKind::GreaterOrEqual, getRhs(), zero), zero, slope);
  broadcast.give(1, terms.select(terms.compare(CompareKind::Equal, getLhs(), zero), upward, slope), getRhs());
  return success();
}

/// The side that `loses` to the other gets nothing, equal sides get half each; NaN passes dy to both.
static void giveExtremum(Operation *op, ArrayRef<Value> dy, CompareKind loses, const BitVector &wanted, Terms &terms,
                         Gradients &gradients) {
  Broadcast broadcast{terms.builder, terms.loc, gradients};
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  Value equal = terms.compare(CompareKind::Equal, lhs, rhs);
  Value shared = terms.select(equal, terms.mul(dy[0], terms.scalar(0.5)), dy[0]);
  for (unsigned side : {0u, 1u}) {
    if (!wanted[side])
      continue;
    Value lost = side == 0 ? terms.compare(loses, lhs, rhs) : terms.compare(loses, rhs, lhs);
    broadcast.give(side, terms.select(lost, terms.scalar(0.0), shared), op->getOperand(side));
  }
}

LogicalResult MinOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                   Gradients &gradients) {
  Terms terms{builder, gradientLocation(*this), dy[0]};
  giveExtremum(*this, dy, CompareKind::Greater, wanted, terms, gradients);
  return success();
}

LogicalResult MaxOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                   Gradients &gradients) {
  Terms terms{builder, gradientLocation(*this), dy[0]};
  giveExtremum(*this, dy, CompareKind::Less, wanted, terms, gradients);
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
