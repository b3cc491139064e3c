// Family Reduction: its ops' definitions and layout facts.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

#define GET_OP_CLASSES
#include "dialects/graph/ops/Reduction.cpp.inc"

/// Reads either layout when height and width go away: the rest, channels behind the batch, is in one order in both.
/// Axes that are kept as length 1 leave an image, which follows.
template <class ReduceOp> static LayoutClass layoutOfReduction(ReduceOp op) {
  if (op.getX().getType().getRank() != 4)
    return LayoutClass::Fixed;
  bool drops = llvm::is_contained(op.getAxes(), 2) && llvm::is_contained(op.getAxes(), 3);
  return drops ? LayoutClass::Accepts : LayoutClass::Fixed;
}

template <class ReduceOp> static void remapAxes(ReduceOp op) {
  SmallVector<int64_t> axes;
  for (int64_t axis : op.getAxes())
    axes.push_back(toChannelsLastAxis(axis));
  llvm::sort(axes);
  op.setAxes(axes);
}

LayoutClass ReduceSumOp::getLayoutClass() {
  return layoutOfReduction(*this);
}
LayoutClass ReduceMeanOp::getLayoutClass() {
  return layoutOfReduction(*this);
}
void ReduceSumOp::convertToChannelsLast() {
  remapAxes(*this);
}
void ReduceMeanOp::convertToChannelsLast() {
  remapAxes(*this);
}
