// amp-shape-limit-indices: tells the runtime which inputs hold indices, and of how many things.
#include "compiler/shape/Passes.h"

namespace amp::compiler::shape {
#define GEN_PASS_DEF_LIMITINDICESPASS
#include "compiler/shape/Passes.h.inc"
} // namespace amp::compiler::shape

using namespace mlir;
using namespace amp;

namespace {

struct LimitIndicesPass : compiler::shape::impl::LimitIndicesPassBase<LimitIndicesPass> {
  void runOnOperation() override;
};

/// The length of what `operand` indexes, 0 if it is no index.
int64_t indexedLength(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto length = [&](Value x, int64_t axis) {
    return operand.getOperandNumber() == 1 ? cast<RankedTensorType>(x.getType()).getDimSize(axis) : 0;
  };
  if (auto gather = dyn_cast<graph::GatherOp>(op))
    return length(gather.getX(), gather.getAxis());
  if (auto gather = dyn_cast<graph::GatherElementsOp>(op))
    return length(gather.getX(), gather.getAxis());
  return 0;
}

/// The least length that `indices` index, whole and unchanged; 0 if they index nothing.
int64_t limitOf(Value indices) {
  int64_t least = 0;
  for (OpOperand &use : indices.getUses()) {
    Operation *op = use.getOwner();
    int64_t limit = indexedLength(use);
    if (isa<graph::ReshapeOp, graph::TransposeOp, graph::ExpandOp, graph::CastOp>(op) &&
        isa<IntegerType>(getElementTypeOrSelf(op->getResult(0))) &&
        !getElementTypeOrSelf(op->getResult(0)).isInteger(1))
      limit = limitOf(op->getResult(0));
    if (limit > 0)
      least = least == 0 ? limit : std::min(least, limit);
  }
  return least;
}

} // namespace

void LimitIndicesPass::runOnOperation() {
  for (auto program : getOperation().getOps<train::ProgramOp>()) {
    SmallVector<int64_t> limits;
    for (BlockArgument input : program.getBody().front().getArguments())
      limits.push_back(isa<IntegerType>(getElementTypeOrSelf(input)) ? limitOf(input) : 0);
    if (program.getIndexLimits() || llvm::all_of(limits, [](int64_t limit) { return limit == 0; }))
      continue;
    program.setIndexLimits(limits);
    // 0 is an index like any other: nothing is ignored.
    program.setIgnoreIndices(SmallVector<int64_t>(limits.size(), 0));
  }
}
