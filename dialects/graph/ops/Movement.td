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

def ExpandOp : Graph_Op<"expand", Facts<"Follow", "", "View">, [Differentiable]> {
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

def DynamicExpandOp : Graph_Op<"dynamic_expand", Facts<"Follow", "Fixed", "View">> {
  let summary = "Broadcasts to a shape that an operand gives.";
  let description = [{
    As ONNX Expand: the result's shape is the numpy broadcast of x's and `shape`. Precision: FOLLOW.

    Constraints: (C1) shape has rank 1 and i64 elements.
    Life: made by import, gone after shape (becomes expand).
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IntegerTensor:$shape);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x `,` $shape attr-dict `:` `(` type($x) `,` type($shape) `)` `->` type($y)";
}

def FillOp : Graph_Op<"fill", Facts<"Never", "Fixed", "Alone">> {
  let summary = "Makes a tensor of one value with a shape that an operand gives.";
  let description = [{
    ONNX ConstantOfShape: `value` holds one element. Constraints: (C1) shape has rank 1 and i64 elements; (C2) value has
    one element.
    Life: made by import, folded by shape to a splat constant.
  }];
  let arguments = (ins Graph_IntegerTensor:$shape, ElementsAttr:$value);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$shape attr-dict `:` type($shape) `->` type($y)";
}

def RangeOp : Graph_Op<"range", Facts<"Never", "Fixed", "Alone">> {
  let summary = "Counts.";
  let description = [{
    start, start + delta, .. before limit. Constraints: (C1) the operands are scalars of one type; (C2) delta is not 0.
    Life: made by import, folded by shape.
  }];
  let arguments = (ins Graph_Tensor:$start, Graph_Tensor:$limit, Graph_Tensor:$delta);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def TriluOp : Graph_Op<"trilu", Facts<"Follow", "Fixed", "View">, [Differentiable]> {
  let summary = "Keeps a triangle of each matrix.";
  let description = [{
    Of the last two axes, element (i, j) is kept where j - i >= k with `upper`, where j - i <= k without; 0 elsewhere.
    Precision: FOLLOW.

    Constraints: (C1) x has rank 2 or more; (C2) y has x's type.
    Life: made by import, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$x, BoolAttr:$upper, I64Attr:$k);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def ConcatOp : Graph_Op<"concat", Facts<"Promote", "", "Alone">, [Differentiable]> {
  let summary = "Joins tensors along an axis.";
  let description = [{
    Precision: PROMOTE. The gradient is a slice of dy for each operand.
    Constraints: (C1) axis lies in [0, rank); (C2) ranks, element types and the other axes agree.
    Life: made by import, gone after select.
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$xs, I64Attr:$axis);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$xs attr-dict `:` `(` type($xs) `)` `->` type($y)";
  let moreFacts = "void convertToChannelsLast();";
}

def GatherOp : Graph_Op<"gather", Facts<"Follow", "Fixed", "Root">, [Differentiable]> {
  let summary = "Takes slices by index.";
  let description = [{
    y = x taken along `axis` at `indices`; negative indices count from the end. Code clamps what lies outside [-n, n):
    no index reads foreign memory. Precision: FOLLOW.
    Constraints: (C1) axis lies in [0, rank); (C2) constant indices lie in [-n, n).
    Life: made by import, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IntegerTensor:$indices, I64Attr:$axis);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x `,` $indices attr-dict `:` `(` type($x) `,` type($indices) `)` `->` type($y)";
  let moreFacts = "bool mayCastOperand(unsigned operand) { return operand == 0; }";
}

def GatherGradOp : Graph_Op<"gather_grad", Facts<"Fp32", "Fixed", "Alone">> {
  let summary = "Gives the gradient of gather: adds slices by index.";
  let description = [{
    dx, of `length` on `axis`, holds at each index the sum of the slices of dy that were taken there, added in fp32 in
    row-major order of the indices; 0 where none was. Reads any floating type; dx leaves in fp32. Precision: FP32.
    Constraints: (C1) axis lies in [0, rank of dx); (C2) dy has the shape that gather gives.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$dy, Graph_IntegerTensor:$indices, I64Attr:$axis, I64Attr:$length);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $indices attr-dict `:` `(` type($dy) `,` type($indices) `)` `->` type($dx)";
  let moreFacts = [{
    bool mayCastOperand(unsigned operand) { return operand == 0; }
    bool computesWide() { return true; }
  }];
}

def GatherElementsOp : Graph_Op<"gather_elements", Facts<"Follow", "Fixed", "Root">> {
  let summary = "Takes elements by index along an axis.";
  let description = [{
    y[i][j][k] = x[indices[i][j][k]][j][k] for axis 0, and so on; negative indices count from the end, code clamps as
    gather's. Precision: FOLLOW.
    Constraints: (C1) axis lies in [0, rank); (C2) ranks agree, and indices are no longer than x on the other axes.
    Life: made by import, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IntegerTensor:$indices, I64Attr:$axis);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x `,` $indices attr-dict `:` `(` type($x) `,` type($indices) `)` `->` type($y)";
  let moreFacts = "bool mayCastOperand(unsigned operand) { return operand == 0; }";
}

def GatherNdOp : Graph_Op<"gather_nd", Facts<"Follow", "Fixed", "Root">> {
  let summary = "Takes slices by tuples of indices.";
  let description = [{
    ONNX GatherND: the last axis of indices holds a tuple that indexes the axes of x behind the first `batch_dims`; code
    clamps as gather's. Precision: FOLLOW.
    Constraints: (C1) the tuple is not longer than the rest of x's axes; (C2) the first batch_dims axes agree.
    Life: made by import, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IntegerTensor:$indices, I64Attr:$batch_dims);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x `,` $indices attr-dict `:` `(` type($x) `,` type($indices) `)` `->` type($y)";
  let moreFacts = "bool mayCastOperand(unsigned operand) { return operand == 0; }";
}

def SliceOp : Graph_Op<"slice", Facts<"Follow", "", "View">, [Differentiable]> {
  let summary = "Takes a range along axes.";
  let description = [{
    For each axes[i]: elements starts[i], starts[i]+steps[i], .. before ends[i], with ONNX's clamping. Precision: FOLLOW.
    Constraints: (C1) the four arrays have one length; (C2) axes lie in [0, rank), each
    once; (C3) no step is 0.
    Life: made by import, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$axes, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$ends, DenseI64ArrayAttr:$steps);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let moreFacts = "void convertToChannelsLast();";
}

def DynamicSliceOp : Graph_Op<"dynamic_slice", Facts<"Follow", "Fixed", "View">> {
  let summary = "Takes a range that operands give.";
  let description = [{
    slice with starts, ends and (default 1) steps as operands; `axes` lists the axes. Constraints: (C1) the lists have rank 1
    and the length of axes.
    Life: made by import, gone after shape (becomes slice).
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IntegerTensor:$starts, Graph_IntegerTensor:$ends,
                       Optional<Graph_IntegerTensor>:$steps, DenseI64ArrayAttr:$axes);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def SliceGradOp : Graph_Op<"slice_grad", Facts<"Follow", "", "View">> {
  let summary = "Gives the gradient of slice: dy in its place, 0 elsewhere.";
  let description = [{
    dx has input_shape; element starts[i] + j * steps[i] on axes[i] is dy's j. A view with zeros around it. Precision:
    FOLLOW.
    Constraints: as slice's; (C4) dy has the shape that slice gives.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$dy, DenseI64ArrayAttr:$axes, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$ends,
                       DenseI64ArrayAttr:$steps, DenseI64ArrayAttr:$input_shape);
  let results = (outs Graph_Tensor:$dx);
  let assemblyFormat = "$dy attr-dict `:` type($dy) `->` type($dx)";
  let moreFacts = "void convertToChannelsLast();";
}
#endif
