#ifndef AMP_COMPILER_SELECT_PASSES
#define AMP_COMPILER_SELECT_PASSES

include "mlir/Pass/PassBase.td"

def MakeKernelsPass : Pass<"amp-select-make-kernels", "::mlir::ModuleOp"> {
  let summary = "Turns groups into kernels and calls, and chooses implementations";
  let description = [{
    Groups of equal text become one plan.kernel, @kernel_0, .. in the order of first use; each use is a plan.call; a group
    that is one reshape is a plan.view. The first row of Kernels.def that pays for a kernel - or, where a library is
    named, the library's first that matches - gives its implementation, tiles, workspace and steps. A call that makes a
    state's new value from its old one, element by element, overwrites it in place (`aliases`).

    Then the calls are ordered: one that overwrites a state comes after every reader of the old value and after its
    predicate. Where no order exists, or where a commit's value is not the result of a call that the commit's predicate
    may switch off, a copying kernel is added. Precondition: amp-fusion-verify. Refuses: a kernel that no row takes.
  }];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::plan::PlanDialect", "::amp::train::TrainDialect"];
  let options = [Option<"select", "select", "std::string", "\"auto\"",
                        "auto: the first row that pays; or the name of a library, which generated code completes">];
  let statistics = [Statistic<"kernels", "kernels", "kernels made">, Statistic<"calls", "calls", "calls of kernels">,
                    Statistic<"copies", "copies", "copying kernels added for commits">];
}

def SelectVerifyPass : Pass<"amp-select-verify", "::mlir::ModuleOp"> {
  let summary = "Checks what select promises";
  let description = [{
    Rules: a program holds reads, calls, views, commits and the return alone; each call's kernel exists and has its types;
    a commit's value is the result of a call, and with a predicate all results of that call are committed under it or
    unused; no op after a call that overwrites a state reads the state's old value.
  }];
}

#endif
