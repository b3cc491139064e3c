// Family Contraction: sums of products.
#ifndef AMP_GRAPH_CONTRACTION
#define AMP_GRAPH_CONTRACTION
include "dialects/graph/Graph.td"

def MatMulOp : Graph_Op<"matmul", Facts<"Low", "Fixed", "Root">, [Differentiable]> {
  let summary = "Multiplies matrices.";
  let description = [{
    y[.., m, n] = sum_k lhs[.., m, k] * rhs[.., k, n], with the last two axes of an operand swapped first where its
    transpose attribute is set. Leading axes broadcast as in numpy. Both operands have rank 2 or more: import reshapes
    vectors. Accumulates in fp32 (fp64 for f64). Precision: LOW; the result of a weight gradient leaves in fp32, so a
    result of f32 with operands of 16 bits is legal.
    Gradient: dlhs = dy * rhs^T, drhs = lhs^T * dy, summed over broadcast axes.

    Constraints: (C1) ranks are at least 2; (C2) the contracted lengths agree; (C3) leading axes broadcast;
    (C4) the operands have one element type; (C5) the result's type is the operands' or f32.
    Life: made by import or trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$lhs, Graph_FloatTensor:$rhs,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_lhs, DefaultValuedAttr<BoolAttr, "false">:$transpose_rhs);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($y)";
}
#endif
