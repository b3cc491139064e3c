// The contract of select.
#include "compiler/select/Overwrites.h"
#include "compiler/select/Passes.h"

#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"
#include "dialects/train/Train.h"

namespace amp::compiler {
#define GEN_PASS_DEF_SELECTVERIFYPASS
#include "compiler/select/Passes.h.inc"
} // namespace amp::compiler

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

LogicalResult checkCall(plan::CallOp call) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<plan::KernelOp>(call, call.getKernelAttr());
  if (!kernel)
    return call.emitOpError() << "calls " << call.getKernelAttr() << ", which is no kernel; please report this";
  Block &body = kernel.getBody().front();
  if (body.getArgumentTypes() != call.getOperandTypes() ||
      body.getTerminator()->getOperandTypes() != call.getResultTypes())
    return call.emitOpError() << "has other types than " << call.getKernelAttr() << "; please report this";
  return success();
}

LogicalResult checkCommit(train::CommitOp commit) {
  auto call = commit.getValue().getDefiningOp<plan::CallOp>();
  if (!call)
    return commit.emitOpError("commits what is not the result of a call; please report this");
  for (Value result : call.getResults()) {
    bool committed = llvm::any_of(result.getUsers(), [&](Operation *user) {
      auto other = dyn_cast<train::CommitOp>(user);
      return other && other.getValue() == result && other.getPredicate() == commit.getPredicate();
    });
    if (commit.getPredicate() && !committed && !result.use_empty())
      return commit.emitOpError(
          "has a predicate, but the call has a result that is used without it; please report this");
  }
  for (Operation *op = call->getNextNode(); op; op = op->getNextNode())
    for (Value operand : op->getOperands()) {
      train::ReadOp read = readBehind(operand);
      if (read && read.getState() == commit.getState())
        return op->emitOpError() << "reads the old value of " << commit.getStateAttr()
                                 << " after a call overwrote it; please report this";
    }
  return success();
}

class SelectVerify : public amp::compiler::impl::SelectVerifyPassBase<SelectVerify> {
public:
  void runOnOperation() override {
    for (auto program : getOperation().getOps<train::ProgramOp>())
      for (Operation &op : program.getBody().front())
        if (failed(check(&op)))
          return signalPassFailure();
  }

private:
  LogicalResult check(Operation *op) {
    if (auto call = dyn_cast<plan::CallOp>(op))
      return checkCall(call);
    if (auto commit = dyn_cast<train::CommitOp>(op))
      return checkCommit(commit);
    if (isa<train::ReadOp, plan::ViewOp, train::ReturnOp>(op))
      return success();
    return op->emitOpError("is left after select; please report this");
  }
};

} // namespace
