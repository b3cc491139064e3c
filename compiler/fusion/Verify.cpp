// amp-fusion-verify: checks what fusion promises.
#include "compiler/fusion/GroupPlan.h"
#include "compiler/fusion/Passes.h"
#include "compiler/support/Remarks.h"
#include "dialects/train/Train.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

#define GEN_PASS_DEF_FUSIONVERIFY
#include "compiler/fusion/Passes.h.inc"

namespace {

constexpr StringLiteral formPass = "amp-fusion-form-groups";

int64_t countOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

/// The Root or Alone op; null for elementwise groups and views. Sets `failed` on the second one.
LogicalResult findRoot(GroupOp group, Operation *&root) {
  for (Operation &op : group.getBody().front().without_terminator()) {
    if (!computes(&op))
      return brokenContract(&op, formPass) << "has no fusion class and lies in a group";
    FusionClass opClass = fusionClass(&op);
    if (opClass == FusionClass::Elementwise || opClass == FusionClass::View)
      continue;
    if (root)
      return brokenContract(&op, formPass) << "is the second root of its group, after '" << root->getName() << "'";
    root = &op;
  }
  return success();
}

LogicalResult check(GroupOp group) {
  Operation *root = nullptr;
  if (failed(findRoot(group, root)))
    return failure();
  if (!root)
    return success();
  Block &block = group.getBody().front();
  if (fusionClass(root) == FusionClass::Alone && llvm::range_size(block.without_terminator()) != 1)
    return brokenContract(root, formPass) << "is of class Alone, but shares its group";
  int64_t wanted = countOf(root->getResult(0));
  for (auto [index, value] : llvm::enumerate(block.getTerminator()->getOperands()))
    if (value.getDefiningOp() != root && countOf(value) != wanted)
      return brokenContract(group, formPass) << "result " << index << " has " << countOf(value)
                                             << " elements, its root '" << root->getName() << "' has " << wanted;
  return success();
}

LogicalResult check(train::ProgramOp program) {
  for (Operation &op : program.getBody().front()) {
    if (auto group = dyn_cast<GroupOp>(op)) {
      if (failed(check(group)))
        return failure();
      continue;
    }
    if (!isa<train::ReadOp, train::CommitOp, train::ReturnOp>(op))
      return brokenContract(&op, formPass) << "stands outside every group";
  }
  return success();
}

struct FusionVerifyPass : impl::FusionVerifyBase<FusionVerifyPass> {
  using FusionVerifyBase::FusionVerifyBase;

  void runOnOperation() override {
    for (auto program : getOperation().getOps<train::ProgramOp>())
      if (failed(check(program)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace amp::compiler
