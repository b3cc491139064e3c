// Family Loss: what training minimises. Always fp32.
#ifndef AMP_GRAPH_LOSS
#define AMP_GRAPH_LOSS
include "dialects/graph/Graph.td"

def CrossEntropyOp : Graph_Op<"cross_entropy", Facts<"Fp32", "Fixed", "Alone">, [Differentiable]> {
  let summary = "Takes the cross-entropy of logits and class indices.";
  let description = [{
    loss = sum_i -log softmax(logits_i)[labels_i] / count, over the samples i whose label is not ignore_index; count is
    their number with `mean`, 1 without. All ignored gives 0. Classes lie on `axis`. Reads any floating type, computes in
    fp32. Precision: FP32.

    Constraints: (C1) axis lies in [0, rank); (C2) labels are i64 and have the logits' shape without axis; (C3) the loss is
    a scalar f32.
    Life: made by import or trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$logits, Graph_IntegerTensor:$labels, I64Attr:$axis, I64Attr:$ignore_index,
                       DefaultValuedAttr<BoolAttr, "true">:$mean);
  let results = (outs Graph_FloatTensor:$loss);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` `(` type($logits) `,` type($labels) `)` `->` type($loss)";
  let moreFacts = [{
    bool mayCastOperand(unsigned operand) { return operand == 0; }
    bool computesWide() { return true; }
  }];
}

def CrossEntropyGradOp : Graph_Op<"cross_entropy_grad", Facts<"Fp32", "Fixed", "Alone">> {
  let summary = "Gives the gradient of cross_entropy.";
  let description = [{
    dlogits_i = dloss * (softmax(logits_i) - onehot(labels_i)) / count, 0 for ignored samples. Reads logits of any
    floating type; dloss (the seed, already scaled) is f32. Computes in fp32 and leaves in the logits' type.
    Precision: FP32.

    Constraints: as cross_entropy; (C4) dloss is a scalar f32.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$dloss, Graph_FloatTensor:$logits, Graph_IntegerTensor:$labels, I64Attr:$axis,
                       I64Attr:$ignore_index, DefaultValuedAttr<BoolAttr, "true">:$mean);
  let results = (outs Graph_FloatTensor:$dlogits);
  let assemblyFormat = "$dloss `,` $logits `,` $labels attr-dict `:` `(` type($dloss) `,` type($logits) `,` type($labels) `)` `->` type($dlogits)";
  let moreFacts = [{
    bool mayCastOperand(unsigned operand) { return operand == 1; }
    bool computesWide() { return true; }
  }];
}

def MseOp : Graph_Op<"mse", Facts<"Fp32", "Fixed", "Alone">, [Differentiable]> {
  let summary = "Takes the mean squared error.";
  let description = [{
    loss = mean (x - target)^2 (sum without `mean`). Precision: FP32.

    Constraints: (C1) x and target have one shape; (C2) the loss is a scalar f32.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$target, DefaultValuedAttr<BoolAttr, "true">:$mean);
  let results = (outs Graph_FloatTensor:$loss);
  let assemblyFormat = "$x `,` $target attr-dict `:` `(` type($x) `,` type($target) `)` `->` type($loss)";
}
#endif
