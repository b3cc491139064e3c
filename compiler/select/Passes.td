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

def PackWeightsPass : Pass<"amp-select-pack-weights", "::mlir::ModuleOp"> {
  let summary = "Makes convolution weights that a library packs derived state";
  let description = [{
    Where each call of a kernel reads a parameter or frozen state as the weight that its library step would pack for every
    tile, the calls read the packed weight instead: a derived state of bytes, `<w>/packed_forward` or
    `<w>/packed_input_gradient`, one a format. A packing kernel remakes it in derive and, under the same predicate, at the
    end of each program that commits the master. The kernel's body reads it through plan.unpack. Other kernels stay as
    they are, and so does a module without program derive. Precondition: amp-select-make-kernels.
  }];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::plan::PlanDialect", "::amp::train::TrainDialect"];
  let statistics = [Statistic<"packed", "packed", "packed weights made">];
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
