// Fused groups: what one kernel computes.
#ifndef AMP_GRAPH_GROUP
#define AMP_GRAPH_GROUP
include "dialects/graph/Graph.td"
include "mlir/IR/RegionKindInterface.td"

def GroupOp : Op<GraphDialect, "group", [IsolatedFromAbove, SingleBlock, Pure]> {
  let summary = "Holds the ops that one kernel computes.";
  let description = [{
    Isolated from above: operands are the block's arguments, in order; `graph.yield` gives the results. At most one op of
    fusion class Root or Alone; the others are Elementwise or View. Names are in locations alone, so that equal groups
    are equal text and become one kernel.

    Constraints: (C1) block arguments have the operands' types; (C2) yielded values have the results' types;
    (C3) at most one Root or Alone op.
    Life: made by fusion, gone after select.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body";
  let hasVerifier = 1;
}

def YieldOp : Op<GraphDialect, "yield", [Pure, Terminator]> {
  let summary = "Ends a group or a kernel and gives its results.";
  let description = "Life: made by fusion, gone after select.";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}
#endif
