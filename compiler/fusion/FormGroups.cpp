// amp-fusion-form-groups: puts every op into a group that one kernel computes.
#include "compiler/fusion/GroupBuilder.h"
#include "compiler/fusion/Passes.h"
#include "compiler/support/Remarks.h"
#include "dialects/train/Train.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

#define GEN_PASS_DEF_FORMGROUPS
#include "compiler/fusion/Passes.h.inc"

namespace {

struct FormGroupsPass : impl::FormGroupsBase<FormGroupsPass> {
  using FormGroupsBase::FormGroupsBase;

  void runOnOperation() override {
    auto explainApart = [this](Operation *producer, Operation *user, StringRef why) {
      if (explain)
        remark(user, "fusion") << "kept " << nodeName(producer) << " (" << producer->getName() << "), "
                               << nodeName(user) << " (" << user->getName() << ") apart: " << why;
    };
    for (auto program : getOperation().getOps<train::ProgramOp>()) {
      Block &body = program.getBody().front();
      eraseDead(body);
      GroupPlan plan(body, explainApart);
      groups += buildGroups(body, plan);
      joined += plan.joinedCount();
    }
  }

  /// Nothing computes what nobody reads.
  static void eraseDead(Block &body) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
} // namespace amp::compiler
