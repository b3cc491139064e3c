// Family Random: definitions, verifier, layout fact.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

#define GET_OP_CLASSES
#include "dialects/graph/ops/Random.cpp.inc"

// The mask is a function of the place of an element, so a keyed dropout keeps the canonical layout; without a key it is
// the identity.
LayoutClass DropoutOp::getLayoutClass() {
  return getSeed() ? LayoutClass::Fixed : LayoutClass::Elementwise;
}

LogicalResult DropoutOp::enterTraining(OpBuilder &, const TrainingMode &mode) {
  if (!mode.dropout) {
    getY().replaceAllUsesWith(getX());
    erase();
    return success();
  }
  getSeedMutable().assign(mode.seed());
  getUpdateMutable().assign(mode.update());
  return success();
}

LogicalResult DropoutOp::enterEvaluation(OpBuilder &) {
  getY().replaceAllUsesWith(getX());
  erase();
  return success();
}

static bool isScalarI64(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getRank() == 0 && type.getElementType().isInteger(64);
}

LogicalResult DropoutOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  double ratio = getRatio().convertToDouble();
  if (!(ratio >= 0 && ratio <= 1))
    return emitOpError() << "has ratio " << ratio << "; wants 0 to 1"; // C1
  if (bool(getSeed()) != bool(getUpdate()))
    return emitOpError() << "has " << (getSeed() ? "a seed without an update" : "an update without a seed")
                         << "; wants both or none"; // C3
  for (Value key : {getSeed(), getUpdate()})
    if (key && !isScalarI64(key))
      return emitOpError() << "has a key of type " << key.getType() << "; wants tensor<i64>"; // C3
  types.push_back(getX().getType());                                                          // C2
  return success();
}
