#ifndef AMP_SHAPE_PASSES
#define AMP_SHAPE_PASSES

include "mlir/Pass/PassBase.td"

def InferPass : Pass<"amp-shape-infer", "::mlir::ModuleOp"> {
  let summary = "Computes every shape and folds shape arithmetic";
  let description = [{
    Runs each op's shape rule to a fixed point, from the program's inputs. On the way, ops on constants of at most
    `max-fold-elements` elements become constants, shape of a known shape too; flatten, squeeze, unsqueeze and
    dynamic_reshape become reshape once their result is known; reshape, transpose, expand and cast that change nothing
    are removed, and so are pure ops that nobody reads. The program's type follows. Precondition: the form of import. Postcondition:
    what amp-shape-verify checks, if the inputs' shapes are known. Refuses shapes that contradict each other.
  }];
  let options = [Option<"maxFoldElements", "max-fold-elements", "int64_t", "4096",
                        "Largest constant that folding reads or makes">];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::train::TrainDialect"];
  let statistics = [Statistic<"foldedCount", "folded", "Ops that became constants">,
                    Statistic<"reshapeCount", "reshapes", "Ops that became a reshape">];
}

def VerifyPass : Pass<"amp-shape-verify", "::mlir::ModuleOp"> {
  let summary = "Checks the contract of shape";
  let description = [{
    All types are static; no flatten, squeeze, unsqueeze, dynamic_reshape, shape, concat, gather or slice is left; the
    program's type is that of its block. An unknown length of an input is the user's error: it names the input, the
    symbol and the options that bind it. A concat, gather or slice of computed values is not supported, and named.
  }];
}

#endif
