// Family Elementwise: shape rules.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

static LogicalResult inferSame(Operation *op, SmallVectorImpl<Type> &types) {
  types.push_back(op->getOperand(0).getType()); // C1
  return success();
}

LogicalResult ReluOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}
LogicalResult TanhOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}
LogicalResult SigmoidOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}
LogicalResult NegOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}
LogicalResult ExpOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}
LogicalResult LogOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}
LogicalResult SqrtOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}

LogicalResult ErfOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}
LogicalResult AbsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}
LogicalResult ReciprocalOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}
LogicalResult GeluOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSame(*this, types);
}

static LogicalResult inferPredicate(Operation *op, SmallVectorImpl<Type> &types) {
  auto x = cast<RankedTensorType>(op->getOperand(0).getType());
  types.push_back(x.clone(IntegerType::get(op->getContext(), 1))); // C1
  return success();
}

LogicalResult IsNanOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferPredicate(*this, types);
}
LogicalResult LogicalNotOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferPredicate(*this, types);
}

/// `saved` is what the gradient reads of the forward pass: y, or x.
static LogicalResult inferGradient(Operation *op, StringRef saved, SmallVectorImpl<Type> &types) {
  auto dy = cast<RankedTensorType>(op->getOperand(0).getType());
  auto y = cast<RankedTensorType>(op->getOperand(1).getType());
  if (dy.getElementType() != y.getElementType() || !compatibleShapes(dy.getShape(), y.getShape()))
    return op->emitOpError() << "has dy of type " << dy << " and " << saved << " of type " << y
                             << "; wants one type"; // C1
  types.push_back(dy);
  return success();
}

LogicalResult ReluGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferGradient(*this, "y", types);
}
LogicalResult TanhGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferGradient(*this, "y", types);
}
LogicalResult SigmoidGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferGradient(*this, "y", types);
}

LogicalResult GeluGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferGradient(*this, "x", types);
}

/// The broadcast shape of the operands from `first` on, which have one element type.
static FailureOr<SmallVector<int64_t>> inferBroadcast(Operation *op, unsigned first) {
  auto lhs = cast<RankedTensorType>(op->getOperand(first).getType());
  auto rhs = cast<RankedTensorType>(op->getOperand(first + 1).getType());
  if (failed(verifySameElementType(op, lhs, rhs)))
    return failure(); // C1
  auto shape = broadcastShapes(lhs.getShape(), rhs.getShape());
  if (!shape)
    return op->emitOpError() << "has operands of " << shapeText(lhs.getShape()) << " and " << shapeText(rhs.getShape())
                             << ", which do not broadcast"; // C2
  return *shape;
}

static LogicalResult inferBinary(Operation *op, SmallVectorImpl<Type> &types) {
  FailureOr<SmallVector<int64_t>> shape = inferBroadcast(op, 0);
  if (failed(shape))
    return failure();
  types.push_back(RankedTensorType::get(*shape, getElementTypeOrSelf(op->getOperand(0).getType()))); // C3
  return success();
}

LogicalResult AddOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferBinary(*this, types);
}
LogicalResult SubOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferBinary(*this, types);
}
LogicalResult MulOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferBinary(*this, types);
}
LogicalResult DivOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferBinary(*this, types);
}

LogicalResult PowOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferBinary(*this, types);
}
LogicalResult MinOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferBinary(*this, types);
}
LogicalResult MaxOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferBinary(*this, types);
}
LogicalResult LogicalAndOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferBinary(*this, types);
}
LogicalResult LogicalOrOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferBinary(*this, types);
}

LogicalResult CompareOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<SmallVector<int64_t>> shape = inferBroadcast(*this, 0);
  if (failed(shape))
    return failure();
  types.push_back(RankedTensorType::get(*shape, IntegerType::get(getContext(), 1))); // C3
  return success();
}

LogicalResult SelectOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<SmallVector<int64_t>> branches = inferBroadcast(*this, 1);
  if (failed(branches))
    return failure();
  ArrayRef<int64_t> condition = getCondition().getType().getShape();
  auto shape = broadcastShapes(condition, *branches);
  if (!shape)
    return emitOpError() << "has a condition of " << shapeText(condition) << " and branches of " << shapeText(*branches)
                         << ", which do not broadcast";                                // C2
  types.push_back(RankedTensorType::get(*shape, getLhs().getType().getElementType())); // C3
  return success();
}

LogicalResult BiasAddOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType(), bias = getBias().getType();
  int64_t axis = getAxis();
  if (failed(verifyAxis(*this, axis, x.getRank())))
    return failure(); // C2
  if (!compatibleShapes(bias.getShape(), x.getDimSize(axis)))
    return emitOpError() << "has a bias of " << shapeText(bias.getShape()) << " along axis " << axis << " of "
                         << shapeText(x.getShape()); // C1
  types.push_back(x);                                // C3
  return success();
}

LogicalResult CastOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getX().getType().clone(getElementTypeOrSelf((*this)->getResult(0).getType()))); // C1
  return success();
}
