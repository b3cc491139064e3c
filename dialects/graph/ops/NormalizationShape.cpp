// Family Normalization: shape rules.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

/// An f32 vector as long as x on `axis`.
static RankedTensorType channelVector(RankedTensorType x, int64_t axis) {
  return RankedTensorType::get({x.getDimSize(axis)}, Float32Type::get(x.getContext()));
}

/// Whether the operands from `first` on are vectors of x's channels.
static LogicalResult verifyChannels(Operation *op, RankedTensorType x, int64_t axis, unsigned first) {
  if (failed(verifyAxis(op, axis, x.getRank())))
    return failure();
  RankedTensorType wanted = channelVector(x, axis);
  for (unsigned number = first; number < op->getNumOperands(); ++number) {
    auto type = cast<RankedTensorType>(op->getOperand(number).getType());
    if (type.getElementType() != wanted.getElementType() || !compatibleShapes(type.getShape(), wanted.getShape()))
      return op->emitOpError() << "has operand " << number << " of type " << type << "; wants " << wanted
                               << ", one value a channel";
  }
  return success();
}

static LogicalResult verifyEps(Operation *op, const APFloat &eps) {
  if (!eps.isNegative() && eps.isFinite())
    return success();
  return op->emitOpError() << "has eps " << eps.convertToDouble() << "; wants a number that is not negative";
}

static LogicalResult verifySameType(Operation *op, Type lhs, Type rhs) {
  auto a = cast<RankedTensorType>(lhs), b = cast<RankedTensorType>(rhs);
  if (a.getElementType() == b.getElementType() && compatibleShapes(a.getShape(), b.getShape()))
    return success();
  return op->emitOpError() << "has operands of types " << a << " and " << b << "; wants one type";
}

LogicalResult BatchNormOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(verifyChannels(*this, getX().getType(), getAxis(), 1)) || failed(verifyEps(*this, getEps())))
    return failure(); // C1, C2, C4
  double momentum = getMomentum().convertToDouble();
  if (!(momentum >= 0 && momentum <= 1))
    return emitOpError() << "has momentum " << momentum << "; wants 0 to 1"; // C4
  types.push_back(getX().getType());                                         // C3
  return success();
}

LogicalResult BatchMomentsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(verifyAxis(*this, getAxis(), getX().getType().getRank())) || failed(verifyEps(*this, getEps())))
    return failure();                                          // C1
  types.assign(3, channelVector(getX().getType(), getAxis())); // C2
  return success();
}

LogicalResult NormalizeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getX().getType());                            // C3
  return verifyChannels(*this, getX().getType(), getAxis(), 1); // C1, C2
}

LogicalResult NormalizeSumsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(verifySameType(*this, getDy().getType(), getX().getType())) || // C1
      failed(verifyChannels(*this, getX().getType(), getAxis(), 2)))        // C2
    return failure();
  types.assign(2, channelVector(getX().getType(), getAxis()));
  return success();
}

LogicalResult NormalizeGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(verifySameType(*this, getDy().getType(), getX().getType()))) // C1
    return failure();
  types.push_back(getX().getType());
  return verifyChannels(*this, getX().getType(), getAxis(), 2); // C2
}

LogicalResult UpdateStatisticsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  for (Value operand : getOperands())
    if (failed(verifySameType(*this, getMean().getType(), operand.getType())))
      return failure();
  types.assign(2, getMean().getType());
  return success();
}

/// Whether scale and bias have the shape of x from `axis` on.
static LogicalResult verifyTrailing(Operation *op, RankedTensorType x, int64_t axis, ValueRange vectors) {
  if (failed(verifyAxis(op, axis, x.getRank())))
    return failure();
  for (Value vector : vectors) {
    auto type = cast<RankedTensorType>(vector.getType());
    if (!type.getElementType().isF32() || !compatibleShapes(type.getShape(), x.getShape().drop_front(axis)))
      return op->emitOpError() << "has scale or bias of type " << type << "; wants f32 of shape "
                               << shapeText(x.getShape().drop_front(axis));
  }
  return success();
}

LogicalResult LayerNormOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getX().getType()); // C3
  if (failed(verifyEps(*this, getEps())))
    return failure();
  return verifyTrailing(*this, getX().getType(), getAxis(), getOperands().drop_front(1)); // C1, C2
}

LogicalResult LayerNormGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  if (failed(verifySameType(*this, getDy().getType(), x)) ||                                         // C1
      failed(verifyTrailing(*this, x, getAxis(), getScale())) || failed(verifyEps(*this, getEps()))) // C2
    return failure();
  if (int64_t(getParts()) <= 0)
    return emitOpError() << "has " << int64_t(getParts()) << " parts; wants at least 1"; // C3
  SmallVector<int64_t> parts = {int64_t(getParts())};
  llvm::append_range(parts, x.getShape().drop_front(getAxis()));
  types.push_back(x);
  types.append(2, RankedTensorType::get(parts, Float32Type::get(getContext())));
  return success();
}
