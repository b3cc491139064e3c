// Family Elementwise: its ops' definitions, layout facts and folds.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

#define GET_OP_CLASSES
#include "dialects/graph/ops/Elementwise.cpp.inc"

/// A broadcast ties an operand to axes by position, so only equal shapes and single elements go with any layout.
static LayoutClass layoutOfBroadcast(Operation *op) {
  ArrayRef<int64_t> common;
  for (Type type : op->getOperandTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.hasStaticShape() && tensor.getNumElements() == 1)
      continue;
    if (!common.empty() && common != tensor.getShape())
      return LayoutClass::Fixed;
    common = tensor.getShape();
  }
  return LayoutClass::Elementwise;
}

LayoutClass AddOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass SubOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass MulOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass DivOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass PowOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass MinOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass MaxOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass LogicalAndOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass LogicalOrOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass CompareOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}
LayoutClass SelectOp::getLayoutClass() {
  return layoutOfBroadcast(*this);
}

bool BiasAddOp::isImageOperand(unsigned operand) {
  return operand == 0 && getX().getType().getRank() == 4;
}

void BiasAddOp::convertToChannelsLast() {
  if (getX().getType().getRank() == 4)
    setAxis(toChannelsLastAxis(getAxis()));
}

std::optional<int64_t> BiasAddOp::getVectorAxis(unsigned operand) {
  return operand == 1 ? std::optional<int64_t>(int64_t(getAxis())) : std::nullopt;
}

/// Whether every value of `from` is a value of `to`, so that a cast there and back is the identity.
static bool holdsExactly(Type from, Type to) {
  auto fromFloat = dyn_cast<FloatType>(from);
  auto toFloat = dyn_cast<FloatType>(to);
  if (!fromFloat || !toFloat)
    return from == to;
  return llvm::APFloat::isRepresentableBy(fromFloat.getFloatSemantics(), toFloat.getFloatSemantics());
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getX().getType() == getY().getType())
    return getX();
  auto inner = getX().getDefiningOp<CastOp>();
  if (inner && inner.getX().getType() == getY().getType() &&
      holdsExactly(inner.getX().getType().getElementType(), getX().getType().getElementType()))
    return inner.getX();
  return {};
}
