// Family Convolution: 2-D convolution and its two gradients. Weights keep the ONNX layout OxIxKHxKW in every layout of
// the images; packed copies are derived state.
#ifndef AMP_GRAPH_CONVOLUTION
#define AMP_GRAPH_CONVOLUTION
include "dialects/graph/Graph.td"

class Graph_ConvolutionOp<string mnemonic, list<Trait> traits = []> : Graph_Op<mnemonic, Facts<"Low", "Prefers", "Root">, traits> {
  dag geometryAttrs = (ins DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations, I64Attr:$groups,
      DefaultValuedAttr<ChannelLayoutAttr, "ChannelLayout::ChannelsFirst">:$layout);
}

def Conv2dOp : Graph_ConvolutionOp<"conv2d", [Differentiable]> {
  let summary = "Convolves images with a kernel.";
  let description = [{
    y[n,o,h,w] = sum_{i,a,b} x[n, i, h*sh + a*dh - top, w*sw + b*dw - left] * weight[o,i,a,b], zero outside.
    strides and dilations are (h, w), pads (top, left, bottom, right); `layout` is that of the images. The bias is a
    bias_add of its own. Accumulates in fp32. Precision: LOW. Layout: prefers channels-last.

    Constraints: (C1) x and weight have rank 4; (C2) input channels = groups * weight's; (C3) output channels divide
    into groups; (C4) strides, dilations and groups are positive, pads are not negative; (C5) the kernel fits into the
    padded image; (C6) operands have one element type; (C7) the result has the type of the shape rule, or f32.
    Life: made by import, gone after select.
  }];
  let arguments = !con((ins Graph_FloatTensor:$x, Graph_FloatTensor:$weight), geometryAttrs);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x `,` $weight attr-dict `:` `(` type($x) `,` type($weight) `)` `->` type($y)";
  let moreFacts = [{
    bool isImageOperand(unsigned operand) { return operand == 0; }
    void convertToChannelsLast();
  }];
}

def Conv2dInputGradOp : Graph_ConvolutionOp<"conv2d_input_grad"> {
  let summary = "Gives the gradient of a convolution's input.";
  let description = [{
    dx of conv2d from dy and weight; the result type names the input's shape. Precision: LOW.

    Constraints: (C1) dy has the shape that conv2d gives for dx's shape; (C2) operands have one element type.
    Life: made by trainstep, gone after select.
  }];
  let arguments = !con((ins Graph_FloatTensor:$dy, Graph_FloatTensor:$weight), geometryAttrs,
                       (ins DenseI64ArrayAttr:$input_shape));
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $weight attr-dict `:` `(` type($dy) `,` type($weight) `)` `->` type($dx)";
  let moreFacts = [{
    bool isImageOperand(unsigned operand) { return operand == 0; }
    void convertToChannelsLast();
  }];
}

def Conv2dWeightGradOp : Graph_ConvolutionOp<"conv2d_weight_grad"> {
  let summary = "Gives the gradient of a convolution's kernel.";
  let description = [{
    dweight of conv2d (OxIxKHxKW) from x and dy. Precision: LOW; the result leaves in fp32.

    Constraints: (C1) dy has the shape that conv2d gives; (C2) operands have one element type.
    Life: made by trainstep, gone after select.
  }];
  let arguments = !con((ins Graph_FloatTensor:$x, Graph_FloatTensor:$dy), geometryAttrs,
                       (ins DenseI64ArrayAttr:$weight_shape));
  let results = (outs Graph_FloatTensor:$dweight);
  let assemblyFormat = "$x `,` $dy attr-dict `:` `(` type($x) `,` type($dy) `)` `->` type($dweight)";
  let moreFacts = [{
    bool isImageOperand(unsigned operand) { return true; }
    bool isImageResult(unsigned result) { return false; }
    void convertToChannelsLast();
  }];
}
#endif
