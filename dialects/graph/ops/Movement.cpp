// Family Movement: its ops' definitions, facts and folds.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

#define GET_OP_CLASSES
#include "dialects/graph/ops/Movement.cpp.inc"

FusionClass ConstantOp::getFusionClass() {
  return getValue().isSplat() ? FusionClass::Elementwise : FusionClass::Alone;
}

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  return getValue();
}

/// Images of one layout go in and out where `op` takes and gives tensors of rank 4.
static LayoutClass layoutOfImages(Operation *op, LayoutClass ofImages) {
  auto isImage = [](Type type) { return cast<RankedTensorType>(type).getRank() == 4; };
  bool allImages = llvm::all_of(op->getOperandTypes(), isImage) && llvm::all_of(op->getResultTypes(), isImage);
  return allImages ? ofImages : LayoutClass::Fixed;
}

// A broadcast of an image leaves each axis where it is.
LayoutClass ExpandOp::getLayoutClass() {
  return layoutOfImages(*this, LayoutClass::Elementwise);
}
LayoutClass ConcatOp::getLayoutClass() {
  return layoutOfImages(*this, LayoutClass::Accepts);
}
LayoutClass SliceOp::getLayoutClass() {
  return layoutOfImages(*this, LayoutClass::Accepts);
}
LayoutClass SliceGradOp::getLayoutClass() {
  return layoutOfImages(*this, LayoutClass::Accepts);
}

template <class OpTy> static void remapAxes(OpTy op) {
  op.setAxes(llvm::map_to_vector(op.getAxes(), toChannelsLastAxis));
}

void ConcatOp::convertToChannelsLast() {
  setAxis(toChannelsLastAxis(getAxis()));
}
void SliceOp::convertToChannelsLast() {
  remapAxes(*this);
}
void SliceGradOp::convertToChannelsLast() {
  remapAxes(*this);
  setInputShape(toChannelsLast(getInputShape()));
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getX().getType() == getY().getType())
    return getX();
  if (auto inner = getX().getDefiningOp<ReshapeOp>()) {
    getXMutable().assign(inner.getX());
    return getResult();
  }
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  ArrayRef<int64_t> outer = getPermutation();
  bool isIdentity =
      llvm::all_of(llvm::enumerate(outer), [](auto pair) { return int64_t(pair.index()) == pair.value(); });
  if (isIdentity && getX().getType() == getY().getType())
    return getX();
  auto inner = getX().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> both;
  for (int64_t axis : outer)
    both.push_back(inner.getPermutation()[axis]);
  setPermutation(both);
  getXMutable().assign(inner.getX());
  return getResult();
}
