// Family Movement: values change place, not value; and the constants and shape arithmetic that the shape stage folds.
#ifndef AMP_GRAPH_MOVEMENT
#define AMP_GRAPH_MOVEMENT
include "dialects/graph/Graph.td"

def ConstantOp : Graph_Op<"constant", Facts<"Never", "Fixed", "">, [ConstantLike, AllTypesMatch<["value", "y"]>, Emits]> {
  let summary = "Holds a constant tensor.";
  let description = [{
    Splats and small tensors only: weights are state, by reference. Precision: NEVER. A splat joins a fused group.

    Constraints: (C1) the result has the value's type.
    Life: made by import, the shape stage and trainstep, gone after select.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def ReshapeOp : Graph_Op<"reshape", Facts<"Follow", "Fixed", "View">, [Differentiable]> {
  let summary = "Changes the shape, not the order of elements.";
  let description = [{
    The target shape is the result type. Precision: FOLLOW.

    Constraints: (C1) the number of elements does not change; (C2) the element type does not change.
    Life: made by import, the shape stage and trainstep, gone after select (a view).
  }];
  let arguments = (ins Graph_Tensor:$x);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let hasFolder = 1;
}

def DynamicReshapeOp : Graph_Op<"dynamic_reshape", Facts<"Follow", "Fixed", "View">> {
  let summary = "Changes the shape to one that an operand gives.";
  let description = [{
    As ONNX Reshape: 0 copies the axis of x unless allow_zero, -1 takes what is left. Precision: FOLLOW.

    Constraints: (C1) shape has rank 1 and i64 elements.
    Life: made by import, gone after shape (becomes reshape).
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IntegerTensor:$shape, DefaultValuedAttr<BoolAttr, "false">:$allow_zero);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x `,` $shape attr-dict `:` `(` type($x) `,` type($shape) `)` `->` type($y)";
}

def FlattenOp : Graph_Op<"flatten", Facts<"Follow", "Fixed", "View">> {
  let summary = "Flattens to a matrix at an axis.";
  let description = [{
    y has shape [product of axes before `axis`, product of the others]. Precision: FOLLOW.

    Constraints: (C1) axis lies in [0, rank].
    Life: made by import, gone after shape (becomes reshape).
  }];
  let arguments = (ins Graph_Tensor:$x, I64Attr:$axis);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def UnsqueezeOp : Graph_Op<"unsqueeze", Facts<"Follow", "Fixed", "View">> {
  let summary = "Inserts axes of length 1.";
  let description = [{
    `axes` are positions in the result, sorted. Constraints: (C1) axes are sorted, unique and inside the result's rank.
    Life: made by import, gone after shape (becomes reshape).
  }];
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$axes);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def SqueezeOp : Graph_Op<"squeeze", Facts<"Follow", "Fixed", "View">> {
  let summary = "Removes axes of length 1.";
  let description = [{
    `axes` are sorted; empty means every axis of length 1. Constraints: (C1) axes are sorted, unique, inside the rank;
    (C2) each named axis has length 1.
    Life: made by import, gone after shape (becomes reshape).
  }];
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$axes);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def TransposeOp : Graph_Op<"transpose", Facts<"Follow", "Fixed", "View">, [Differentiable]> {
  let summary = "Permutes axes.";
  let description = [{
    y's axis i is x's axis permutation[i]. Precision: FOLLOW.

    Constraints: (C1) permutation is a permutation of the axes.
    Life: made by import, trainstep and layout, gone after select (a view).
  }];
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let hasFolder = 1;
}

def ExpandOp : Graph_Op<"expand", Facts<"Follow", "Fixed", "View">, [Differentiable]> {
  let summary = "Broadcasts to a shape.";
  let description = [{
    The target is the result type; numpy rules. Precision: FOLLOW.

    Constraints: (C1) x broadcasts to the result's shape; (C2) the element type does not change.
    Life: made by import and trainstep, gone after select (a view).
  }];
  let arguments = (ins Graph_Tensor:$x);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def ShapeOp : Graph_Op<"shape", Facts<"Never", "Fixed", "Alone">> {
  let summary = "Gives the shape as a tensor.";
  let description = [{
    Axes [start, end) of x's shape as i64. Constraints: (C1) 0 <= start <= end <= rank.
    Life: made by import, folded by shape.
  }];
  let arguments = (ins Graph_Tensor:$x, I64Attr:$start, I64Attr:$end);
  let results = (outs Graph_IntegerTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def ConcatOp : Graph_Op<"concat", Facts<"Promote", "Fixed", "Alone">> {
  let summary = "Joins tensors along an axis.";
  let description = [{
    Precision: PROMOTE. Here only for shape arithmetic: a concat that does not fold is refused by the shape stage.
    Constraints: (C1) axis lies in [0, rank); (C2) ranks, element types and the other axes agree.
    Life: made by import, folded by shape.
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$xs, I64Attr:$axis);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$xs attr-dict `:` `(` type($xs) `)` `->` type($y)";
}

def GatherOp : Graph_Op<"gather", Facts<"Follow", "Fixed", "Alone">> {
  let summary = "Takes slices by index.";
  let description = [{
    y = x taken along `axis` at `indices`; negative indices count from the end. Here only for shape arithmetic.
    Constraints: (C1) axis lies in [0, rank); (C2) constant indices lie in [-n, n).
    Life: made by import, folded by shape.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IntegerTensor:$indices, I64Attr:$axis);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x `,` $indices attr-dict `:` `(` type($x) `,` type($indices) `)` `->` type($y)";
}

def SliceOp : Graph_Op<"slice", Facts<"Follow", "Fixed", "Alone">> {
  let summary = "Takes a range along axes.";
  let description = [{
    For each axes[i]: elements starts[i], starts[i]+steps[i], .. before ends[i], with ONNX's clamping. Here only for
    shape arithmetic. Constraints: (C1) the four arrays have one length; (C2) axes lie in [0, rank); (C3) no step is 0.
    Life: made by import, folded by shape.
  }];
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$axes, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$ends, DenseI64ArrayAttr:$steps);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}
#endif
