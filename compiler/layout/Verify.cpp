// amp-layout-verify: checks what layout promises.
#include "compiler/layout/ImageTranspose.h"
#include "compiler/layout/Passes.h"
#include "compiler/support/Remarks.h"
#include "dialects/train/Train.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

#define GEN_PASS_DEF_LAYOUTVERIFY
#include "compiler/layout/Passes.h.inc"

namespace {

constexpr StringLiteral foldPass = "amp-layout-fold-transpose";

LogicalResult check(TransposeOp transpose) {
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  if (auto inner = transpose.getX().getDefiningOp<TransposeOp>()) {
    InFlightDiagnostic diagnostic = brokenContract(transpose, foldPass) << "transposes a transpose; wants one at most";
    diagnostic.attachNote(inner.getLoc()) << "first transpose here";
    return diagnostic;
  }
  if (movesUnitAxesOnly(transpose.getX().getType(), permutation))
    return brokenContract(transpose, foldPass) << "moves axes of length 1 alone; wants a reshape";
  if (canGive(transpose.getX(), permutation))
    return brokenContract(transpose, foldPass) << "its producer can absorb it";
  for (OpOperand &use : transpose.getY().getUses())
    if (canTake(use, permutation))
      return brokenContract(transpose, foldPass) << "its user '" << use.getOwner()->getName() << "' can absorb it";
  return success();
}

struct LayoutVerifyPass : impl::LayoutVerifyBase<LayoutVerifyPass> {
  using LayoutVerifyBase::LayoutVerifyBase;

  void runOnOperation() override {
    WalkResult result = getOperation().walk([](TransposeOp transpose) {
      return isImageTranspose(transpose) && failed(check(transpose)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace amp::compiler
