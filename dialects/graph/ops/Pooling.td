// Family Pooling: 2-D pooling. A pool reads one layout and writes the same or the other: it is where a layout can change
// at no cost.
#ifndef AMP_GRAPH_POOLING
#define AMP_GRAPH_POOLING
include "dialects/graph/Graph.td"

class Graph_PoolOp<string mnemonic, list<Trait> traits = []> : Graph_Op<mnemonic, Facts<"Follow", "Accepts", "Root">, traits> {
  dag windowAttrs = (ins DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations,
      DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
      DefaultValuedAttr<ChannelLayoutAttr, "ChannelLayout::ChannelsFirst">:$layout,
      DefaultValuedAttr<ChannelLayoutAttr, "ChannelLayout::ChannelsFirst">:$result_layout);
}

def MaxPool2dOp : Graph_PoolOp<"max_pool2d", [Differentiable]> {
  let summary = "Takes the maximum of each window.";
  let description = [{
    y[n,c,h,w] = max over the window, padding counts as -inf, NaN wins. With ceil_mode a window must start inside the
    input or its start padding. `layout` is x's, `result_layout` y's. Precision: FOLLOW. The gradient goes to the first
    maximum of a window in row-major order, as PyTorch's.

    Constraints: (C1) x has rank 4; (C2) kernel, strides, dilations are positive; (C3) pads are smaller than the
    kernel; (C4) the result has the type of the shape rule.
    Life: made by import, gone after select.
  }];
  let arguments = !con((ins Graph_FloatTensor:$x), windowAttrs);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let moreFacts = [{
    void convertToChannelsLast();
    bool absorbResultTranspose();
  }];
}

def MaxPool2dGradOp : Graph_PoolOp<"max_pool2d_grad"> {
  let summary = "Gives the gradient of max_pool2d.";
  let description = [{
    dx from dy and x. dy is in `result_layout`, x and dx in `layout`. Precision: FOLLOW; sums in fp32.

    Constraints: (C1) dy has the shape that max_pool2d gives for x; (C2) one element type.
    Life: made by trainstep, gone after select.
  }];
  let arguments = !con((ins Graph_FloatTensor:$dy, Graph_FloatTensor:$x), windowAttrs);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $x attr-dict `:` type($dy) `,` type($x) `->` type($dx)";
  let moreFacts = [{
    void convertToChannelsLast();
    bool absorbOperandTranspose(unsigned operand);
  }];
}

def AveragePool2dOp : Graph_PoolOp<"average_pool2d", [Differentiable]> {
  let summary = "Takes the mean of each window.";
  let description = [{
    Divides by the number of cells inside the input, or of the padded window with count_include_pad (cells beyond the
    end padding, which ceil_mode can touch, never count). `layout` is x's, `result_layout` y's. Precision: FOLLOW; sums
    in fp32.

    Constraints: as max_pool2d.
    Life: made by import, gone after select.
  }];
  let arguments = !con((ins Graph_FloatTensor:$x), windowAttrs, (ins DefaultValuedAttr<BoolAttr, "false">:$count_include_pad));
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let moreFacts = [{
    void convertToChannelsLast();
    bool absorbResultTranspose();
  }];
}

def AveragePool2dGradOp : Graph_PoolOp<"average_pool2d_grad"> {
  let summary = "Gives the gradient of average_pool2d.";
  let description = [{
    dx from dy. dy is in `result_layout`, dx in `layout`; input_shape is dx's physical shape. Precision: FOLLOW; sums in
    fp32.

    Constraints: (C1) dy has the shape that average_pool2d gives for input_shape.
    Life: made by trainstep, gone after select.
  }];
  let arguments = !con((ins Graph_FloatTensor:$dy), windowAttrs, (ins DefaultValuedAttr<BoolAttr, "false">:$count_include_pad,
                       DenseI64ArrayAttr:$input_shape));
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy attr-dict `:` type($dy) `->` type($dx)";
  let moreFacts = [{
    void convertToChannelsLast();
    bool absorbOperandTranspose(unsigned operand);
  }];
}
#endif
