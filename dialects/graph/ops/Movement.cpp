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
