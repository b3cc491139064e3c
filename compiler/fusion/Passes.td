#ifndef AMP_FUSION_PASSES
#define AMP_FUSION_PASSES
include "mlir/Pass/PassBase.td"

def FormGroups : Pass<"amp-fusion-form-groups", "::mlir::ModuleOp"> {
  let summary = "Puts every op into a group that one kernel computes";
  let description = [{
    In the order of the program an elementwise op joins the group of a producer that has the same iteration space, and
    groups that meet in it are joined as well, as long as at most one of them has a root and no path leads out of the
    group and back. What feeds a root that accepts a prologue, and nothing else, joins the root. Constants,
    scalars and views that repeat elements are computed again in each group that uses them. Views stand alone
    unless a root's epilogue goes on behind a reshape.

    Postcondition: a program holds reads, commits, groups and the return. Refuses: results that would be committed
    under different predicates in one group.
  }];
  let dependentDialects = ["::amp::graph::GraphDialect"];
  let options = [Option<"explain", "explain", "bool", "false", "remark on every neighbour that stayed apart">];
  let statistics = [Statistic<"groups", "groups", "groups formed">, Statistic<"joined", "joined", "ops that joined a group">];
}

def FusionVerify : Pass<"amp-fusion-verify", "::mlir::ModuleOp"> {
  let summary = "Checks what fusion promises";
  let description = [{
    Rules: a program holds reads, commits, groups and the return alone; a group holds ops that can be fused, at most one
    root; an op of class Alone shares its group with nothing; with a root, every result has the number of elements of
    the root's first result.
  }];
}
#endif
