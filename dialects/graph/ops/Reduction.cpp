// Family Reduction: its ops' definitions and layout facts.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

#define GET_OP_CLASSES
#include "dialects/graph/ops/Reduction.cpp.inc"

/// Reads either layout when batch, height and width all go away: then the result has no layout of its own.
template <class ReduceOp> static LayoutClass layoutOfReduction(ReduceOp op) {
  if (op.getX().getType().getRank() != 4 || op.getKeepDims())
    return LayoutClass::Fixed;
  bool leavesChannelsAtMost = llvm::all_of(std::array<int64_t, 3>{0, 2, 3},
                                           [&](int64_t axis) { return llvm::is_contained(op.getAxes(), axis); });
  return leavesChannelsAtMost ? LayoutClass::Accepts : LayoutClass::Fixed;
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
