// Family Normalization: batch and layer normalisation. Statistics, scale and bias are always fp32.
#ifndef AMP_GRAPH_NORMALIZATION
#define AMP_GRAPH_NORMALIZATION
include "dialects/graph/Graph.td"

def BatchNormOp : Graph_Op<"batch_norm", Facts<"Split", "Fixed", "Alone">, [HasModes]> {
  let summary = "Normalises each channel, by the batch in training and by running statistics in evaluation.";
  let description = [{
    y = (x - mean) / sqrt(variance + eps) * scale + bias, channels on `axis`. The model's form: evaluation makes it
    normalize with the running statistics; training makes it batch_moments and normalize, and the next running
    statistics = momentum * running + (1 - momentum) * batch by update_statistics. The oracle evaluates: it reads the
    running statistics. Precision: SPLIT.

    Constraints: (C1) axis lies in [0, rank); (C2) scale, bias, mean and variance are f32 vectors of the channels;
    (C3) y has x's type; (C4) momentum lies in [0, 1], eps is not negative.
    Life: made by import, gone after trainstep.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale, Graph_FloatTensor:$bias,
                       Graph_FloatTensor:$running_mean, Graph_FloatTensor:$running_variance,
                       I64Attr:$axis, F64Attr:$eps, F64Attr:$momentum);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let moreFacts = [{
    bool mayCastOperand(unsigned operand) { return operand == 0; }
    bool isStatistic(unsigned operand) { return operand >= 3; }
  }];
}

// What the ops on images of this family have in common: channels on `axis`, operand 0 an image.
class Graph_ChannelOp<string mnemonic, string fusion, list<Trait> traits = []>
    : Graph_Op<mnemonic, Facts<"Split", "Accepts", fusion>, traits> {
  code channelFacts = [{
    bool computesWide() { return true; }
    void convertToChannelsLast();
  }];
}

def BatchMomentsOp : Graph_ChannelOp<"batch_moments", "Root", [Differentiable]> {
  let summary = "Takes mean and variance of each channel of a batch.";
  let description = [{
    Over all axes but `axis`: mean, variance = mean (x - mean)^2 (the population's) and deviation = 1 / sqrt(variance +
    eps), in fp32, in one pass over x: moments of short runs, each from its own mean, merged in a fixed order (Chan,
    Golub, LeVeque 1979), never E[x^2] - E[x]^2. Precision: SPLIT; reads any floating type.
    Gradient: none of its own; that of normalize with of_batch is total.

    Constraints: (C1) axis lies in [0, rank); (C2) the results are f32 vectors of the channels.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$x, I64Attr:$axis, F64Attr:$eps);
  let results = (outs Graph_FloatTensor:$mean, Graph_FloatTensor:$variance, Graph_FloatTensor:$deviation);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let moreFacts = channelFacts;
}

def NormalizeOp : Graph_ChannelOp<"normalize", "Elementwise", [Differentiable, Emits]> {
  let summary = "Normalises channels with given statistics.";
  let description = [{
    y = (x - mean) * (deviation * scale) + bias, channels on `axis`; deviation is 1 / sqrt(variance + eps). Computes in
    fp32. Precision: SPLIT: y follows x. With `of_batch` mean and deviation are batch_moments of x: the gradient of x then
    holds their part, and they have none of their own; without, they are constants to the gradient.

    Constraints: (C1) axis lies in [0, rank); (C2) the vectors are f32 and have the channels' length; (C3) y has x's type.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$mean, Graph_FloatTensor:$deviation,
                       Graph_FloatTensor:$scale, Graph_FloatTensor:$bias, I64Attr:$axis, BoolAttr:$of_batch);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let moreFacts = channelFacts # [{
    bool mayCastOperand(unsigned operand) { return operand == 0; }
    bool isImageOperand(unsigned operand) { return operand == 0 && getX().getType().getRank() == 4; }
    std::optional<int64_t> getVectorAxis(unsigned operand) { return operand == 0 ? std::optional<int64_t>() : int64_t(getAxis()); }
  }];
}

def NormalizeSumsOp : Graph_ChannelOp<"normalize_sums", "Root"> {
  let summary = "Gives the gradients of scale and bias of normalize.";
  let description = [{
    Over all axes but `axis`: dbias = sum dy, dscale = sum dy * (x - mean) * deviation, summed in fp32 in a fixed order, in
    one pass. Precision: SPLIT; reads any floating type, the results are f32.

    Constraints: (C1) dy and x have one shape and element type; (C2) vectors are f32 and have the channels' length.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$x, Graph_FloatTensor:$mean,
                       Graph_FloatTensor:$deviation, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$dscale, Graph_FloatTensor:$dbias);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let moreFacts = channelFacts # [{
    bool mayCastOperand(unsigned operand) { return operand < 2; }
    bool isImageOperand(unsigned operand) { return operand < 2 && getX().getType().getRank() == 4; }
    bool acceptsPrologue(unsigned operand) { return operand == 0; }
  }];
}

def NormalizeGradOp : Graph_ChannelOp<"normalize_grad", "Elementwise", [Emits]> {
  let summary = "Gives the gradient of normalize's input where the statistics are the batch's.";
  let description = [{
    dx = deviation * scale * (dy - (dbias + (x - mean) * deviation * dscale) / count), `count` elements a channel.
    Computes in fp32. Precision: SPLIT: dx follows dy and x.

    Constraints: (C1) dy, x and dx have one type; (C2) the vectors are f32 and have the channels' length.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$x, Graph_FloatTensor:$mean, Graph_FloatTensor:$deviation,
                       Graph_FloatTensor:$scale, Graph_FloatTensor:$dscale, Graph_FloatTensor:$dbias, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let moreFacts = channelFacts # [{
    bool mayCastOperand(unsigned operand) { return operand < 2; }
    bool isImageOperand(unsigned operand) { return operand < 2 && getX().getType().getRank() == 4; }
    std::optional<int64_t> getVectorAxis(unsigned operand) { return operand < 2 ? std::optional<int64_t>() : int64_t(getAxis()); }
    /// Elements of a channel.
    int64_t getCount();
  }];
}

def UpdateStatisticsOp : Graph_Op<"update_statistics", Facts<"Never", "Fixed", "Elementwise">, [Emits]> {
  let summary = "Moves running statistics towards a batch's.";
  let description = [{
    next_mean = momentum * running_mean + (1 - momentum) * mean; next_variance the same with variance * correction, which
    is n / (n - 1) for the sample variance and 1 for the population's. Precision: NEVER (f32).

    Constraints: (C1) all operands and results have one f32 type.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$mean, Graph_FloatTensor:$variance, Graph_FloatTensor:$running_mean,
                       Graph_FloatTensor:$running_variance, F64Attr:$momentum, F64Attr:$correction);
  let results = (outs Graph_FloatTensor:$next_mean, Graph_FloatTensor:$next_variance);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def LayerNormOp : Graph_Op<"layer_norm", Facts<"Fp32", "Fixed", "Root">, [Differentiable]> {
  let summary = "Normalises the trailing axes of each row.";
  let description = [{
    Over the axes [axis, rank): y = (x - mean) / sqrt(variance + eps) * scale + bias; two passes over a row. Computes in
    fp32; reads and writes any floating type. Precision: FP32. Mean and deviation are not saved: the gradient takes them
    again from a row that it reads anyway.

    Constraints: (C1) axis lies in [0, rank); (C2) scale and bias are f32 and have the trailing shape of x; (C3) y has
    x's type.
    Life: made by import, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale, Optional<Graph_FloatTensor>:$bias, I64Attr:$axis,
                       F64Attr:$eps);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let moreFacts = [{
    bool mayCastOperand(unsigned operand) { return operand == 0; }
    bool computesWide() { return true; }
    bool acceptsPrologue(unsigned operand) { return operand == 0; }
  }];
}

def LayerNormGradOp : Graph_Op<"layer_norm_grad", Facts<"Fp32", "Fixed", "Alone">> {
  let summary = "Gives the gradients of layer_norm in one pass over the rows.";
  let description = [{
    With xhat = (x - mean) / sqrt(variance + eps) and g = dy * scale: dx = (g - mean(g) - xhat * mean(g * xhat)) /
    sqrt(variance + eps). dscale_parts and dbias_parts, [parts, trailing shape of x], are sums of dy * xhat and of dy over
    the rows of each part: part p holds rows [p * n, (p + 1) * n) with n = ceil(rows / parts); the gradient rule adds
    the parts. Computes in fp32; the parts are f32. Precision: FP32.

    Constraints: (C1) dy, x and dx have one shape and element type; (C2) scale as layer_norm's; (C3) parts is positive.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$x, Graph_FloatTensor:$scale, I64Attr:$axis, F64Attr:$eps,
                       I64Attr:$parts);
  let results = (outs Graph_FloatTensor:$dx, Graph_FloatTensor:$dscale_parts, Graph_FloatTensor:$dbias_parts);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let moreFacts = [{
    bool mayCastOperand(unsigned operand) { return operand < 2; }
    bool computesWide() { return true; }
  }];
}
#endif
