#ifndef AMP_SHAPE_PASSES
#define AMP_SHAPE_PASSES

include "mlir/Pass/PassBase.td"

def InferPass : Pass<"amp-shape-infer", "::mlir::ModuleOp"> {
  let summary = "Computes every shape and folds shape arithmetic";
  let description = [{
    Runs each op's shape rule to a fixed point, from the program's inputs. On the way, ops on constants of at most
    `max-fold-elements` elements become constants (a range of any length does), shape of a known shape too; flatten,
    squeeze, unsqueeze and dynamic_reshape become reshape once their result is known, dynamic_expand becomes expand,
    dynamic_slice slice, fill a splat, a gather of constant indices that count up or are all the same a slice; reshape,
    transpose, expand, slice, concat and cast that change nothing are removed, and so are reshapes before a reshape,
    transposes that a matmul can read through, conditions that change no other and pure ops that nobody reads. The
    program's type follows. Precondition: the form of import. Postcondition: what amp-shape-verify checks, if the inputs' shapes are
    known. Refuses shapes that contradict each other.
  }];
  let options = [Option<"maxFoldElements", "max-fold-elements", "int64_t", "4096",
                        "Largest constant that folding reads or makes">];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::train::TrainDialect"];
  let statistics = [Statistic<"foldedCount", "folded", "Ops that became constants">,
                    Statistic<"simplifiedCount", "simplified", "Ops that became simpler ones">];
}

def LimitIndicesPass : Pass<"amp-shape-limit-indices", "::mlir::ModuleOp"> {
  let summary = "Limits the inputs that hold indices";
  let description = [{
    An integer input that, through reshape, transpose, expand and casts between integers, is the index of a gather or
    gather_elements gets the length of the axis as its index limit, the least where there are several: the runtime
    refuses what lies outside. Precondition: static types. A program that has limits keeps them.
  }];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::train::TrainDialect"];
}

def OutlineConstantsPass : Pass<"amp-shape-outline-constants", "::mlir::ModuleOp"> {
  let summary = "Makes state of large constants";
  let description = [{
    A constant of more than `max-elements` elements that are not all the same becomes a state of role constant, named
    after its node, and a read; equal constants share one. Runs after folding and pattern recognition, which want to see
    values. Postcondition: every graph.constant is a splat or small.
  }];
  let options = [Option<"maxElements", "max-elements", "int64_t", "1", "Largest constant that stays">];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::train::TrainDialect"];
  let statistics = [Statistic<"outlinedCount", "outlined", "States made">];
}

def VerifyPass : Pass<"amp-shape-verify", "::mlir::ModuleOp"> {
  let summary = "Checks the contract of shape";
  let description = [{
    All types are static; no flatten, squeeze, unsqueeze, dynamic_reshape, dynamic_expand, dynamic_slice, shape, fill or
    range is left; the program's type is that of its block. An unknown length of an input is the user's error: it names
    the input, the symbol and the options that bind it. A shape that depends on computed values is named with the input
    that it depends on.
  }];
}

#endif
