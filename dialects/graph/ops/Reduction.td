// Family Reduction: sums, means and the softmax pair.
#ifndef AMP_GRAPH_REDUCTION
#define AMP_GRAPH_REDUCTION
include "dialects/graph/Graph.td"

class Graph_ReduceOp<string mnemonic, string what, string formula>
    : Graph_Op<mnemonic, Facts<"Fp32", "", "Root">, [Differentiable]> {
  let summary = what;
  let description = formula # [{ Over `axes` (sorted, not negative); they stay as length 1 with keep_dims. Accumulates in fp32
    (fp64 for f64). Precision: FP32.

    Constraints: (C1) axes are sorted, unique and inside the rank; (C2) the result has the type of the shape rule; its
    element type is the operand's, or f32.
    Life: made by import or trainstep, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$axes, DefaultValuedAttr<BoolAttr, "false">:$keep_dims);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let moreFacts = [{
    bool computesWide() { return true; }
    void convertToChannelsLast();
    bool acceptsPrologue(unsigned operand) { return true; }
  }];
}
def ReduceSumOp : Graph_ReduceOp<"reduce_sum", "Sums over axes.", "y = sum x.">;
def ReduceMeanOp : Graph_ReduceOp<"reduce_mean", "Takes the mean over axes.", "y = mean x.">;

class Graph_SoftmaxOp<string mnemonic, string what, string formula, list<Trait> traits>
    : Graph_Op<mnemonic, Facts<"Fp32", "Fixed", "Root">, traits> {
  let moreFacts = [{
    bool computesWide() { return true; }
    bool acceptsPrologue(unsigned operand) { return true; }
  }];
  let summary = what;
  let description = formula # [{ Along `axis`. Precision: FP32; reads and writes any floating type. A prologue is computed
    for each pass over a row.

    Constraints: (C1) axis lies in [0, rank); (C2) all types agree.
    Life: made by import or trainstep, gone after select.
  }];
}
def SoftmaxOp : Graph_SoftmaxOp<"softmax", "Normalises exponentials.", "y = exp(x - max x) / sum exp(x - max x).", [Differentiable]> {
  let arguments = (ins Graph_FloatTensor:$x, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}
def SoftmaxGradOp : Graph_SoftmaxOp<"softmax_grad", "Gives the gradient of softmax.", "dx = y * (dy - sum(dy * y)); a y that is NaN, where a mask leaves a row nothing, counts as 0.", []> {
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$y, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $y attr-dict `:` type($dy) `,` type($y) `->` type($dx)";
}
def LogSoftmaxOp : Graph_SoftmaxOp<"log_softmax", "Takes the logarithm of softmax.", "y = x - max x - log(sum exp(x - max x)).", [Differentiable]> {
  let arguments = (ins Graph_FloatTensor:$x, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}
def LogSoftmaxGradOp : Graph_SoftmaxOp<"log_softmax_grad", "Gives the gradient of log_softmax.", "dx = dy - exp(y) * sum(dy).", []> {
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$y, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $y attr-dict `:` type($dy) `,` type($y) `->` type($dx)";
}
#endif
