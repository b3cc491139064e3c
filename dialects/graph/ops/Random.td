// Family Random: counter-based random numbers.
#ifndef AMP_GRAPH_RANDOM
#define AMP_GRAPH_RANDOM
include "dialects/graph/Graph.td"

def DropoutOp : Graph_Op<"dropout", Facts<"Follow", "", "Root">, [Differentiable, AttrSizedOperandSegments, HasModes]> {
  let summary = "Drops elements at random and scales the rest.";
  let description = [{
    y[i] = keep(i) ? x[i] / (1 - ratio) : 0. keep(i) is a function of (seed, update, number, leaf, i) alone: element i is kept
    when the Philox 4x32-10 output of counter (i / 4, number, update, leaf), key = seed, word i % 4, its upper 24 bits as
    a number in [0, 1), is at least ratio. `update` holds the update in its low 32 bits and the leaf in its high ones;
    the key's words are seed's low and high 32 bits. i counts in row-major order. Without seed (before trainstep, in eval) it is the identity. The gradient is the same op
    on dy: the mask is made again, not stored. Precision: FOLLOW.

    Constraints: (C1) ratio lies in [0, 1]; (C2) y has x's type; (C3) seed and update are i64 scalars, both or none.
    Life: made by import, keyed by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Optional<Graph_IntegerTensor>:$seed, Optional<Graph_IntegerTensor>:$update,
                       F64Attr:$ratio, I64Attr:$number);
  let results = (outs Graph_FloatTensor:$y);
  let moreFacts = [{
    bool acceptsPrologue(unsigned operand) { return operand == 0; }
    bool isTraining() { return bool(getSeed()); }
  }];
  let assemblyFormat = "$x (`keyed` `(` $seed^ `,` $update `:` type($seed) `,` type($update) `)`)? attr-dict `:` type($x) `->` type($y)";
}
#endif
