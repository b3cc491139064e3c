// The ops of an update: unscale, measure, optimizers, loss scale. Formulas are torch.optim's and torch.amp.GradScaler's.
#ifndef AMP_TRAIN_UPDATE
#define AMP_TRAIN_UPDATE
include "dialects/train/Train.td"

def UnscaleOp : Train_ElementwiseOp<"unscale", "operand == 0"> {
  let summary = "Divides a gradient by the loss scale.";
  let description = [{
    y = gradient * float(1 / double(scale)). Constraints: (C1) scale is a scalar f32; (C2) y has the gradient's type, f32.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$gradient, Graph_FloatTensor:$scale);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$gradient `,` $scale attr-dict `:` `(` type($gradient) `,` type($scale) `)` `->` type($y)";
}

def SumSquaresOp : Train_ComputeOp<"sum_squares", "Root"> {
  let summary = "Sums the squares of a gradient, in parts.";
  let description = [{
    parts[p] is the sum, in fp64 and in a fixed order, of the squares of the p-th run of elements: runs are ceil(elements / parts)
    long, the last ones may be shorter or empty. No sum
    of squares of f32 overflows in fp64, so a part is finite exactly when its elements are. Reads through a prologue.

    Constraints: (C1) the gradient is f32; (C2) parts is an f64 vector.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$gradient);
  let results = (outs Graph_FloatTensor:$parts);
  let assemblyFormat = "$gradient attr-dict `:` type($gradient) `->` type($parts)";
  let moreFacts = [{
    bool acceptsPrologue(unsigned operand) { return true; }
    /// The number of parts of a gradient of that many elements.
    static int64_t partsFor(int64_t elements);
  }];
}

def MeasureOp : Train_ComputeOp<"measure", "Alone"> {
  let summary = "Tells from sums of squares whether gradients are finite, and their norm.";
  let description = [{
    finite = 1 when every part is finite; norm = sqrt(sum of all parts), in the order of the operands, in fp64, rounded to
    f32.

    Constraints: (C1) parts are f64 vectors; (C2) finite is a scalar i1, norm a scalar f32.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Variadic<Graph_FloatTensor>:$parts);
  let results = (outs Graph_BoolTensor:$finite, Graph_FloatTensor:$norm);
  let assemblyFormat = "$parts attr-dict `:` `(` type($parts) `)` `->` `(` type($finite) `,` type($norm) `)`";
}

def SgdOp : Train_ElementwiseOp<"sgd", "operand < 2 || operand == 4"> {
  let summary = "Updates a parameter as torch.optim.SGD.";
  let description = [{
    g += weight_decay * p; with momentum: buffer = steps == 0 ? g : momentum * buffer + (1 - dampening) * g; then
    g = nesterov ? g + momentum * buffer : buffer; p -= lr * g. Without momentum there is no buffer.

    Constraints: (C1) parameter, gradient and buffer have one f32 shape; (C2) a buffer is there exactly with momentum;
    (C3) lr is a scalar f32, steps a scalar i64.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$parameter, Graph_FloatTensor:$gradient, Graph_FloatTensor:$lr,
                       Graph_IntegerTensor:$steps, Optional<Graph_FloatTensor>:$buffer,
                       F64Attr:$momentum, F64Attr:$dampening, F64Attr:$weight_decay, BoolAttr:$nesterov);
  let results = (outs Graph_FloatTensor:$new_parameter, Optional<Graph_FloatTensor>:$new_buffer);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def AdamOp : Train_ElementwiseOp<"adam", "operand < 4"> {
  let summary = "Updates a parameter as torch.optim.Adam or AdamW.";
  let description = [{
    decoupled (AdamW): p *= 1 - lr * weight_decay; else g += weight_decay * p.
    m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g * g;
    p -= lr / (1 - power1) * m / (sqrt(v) / sqrt(1 - power2) + eps), where power1 = beta1^t and power2 = beta2^t of this
    update, f64 scalars that are state of their own; the scalar factors are computed in fp64 and rounded once.

    Constraints: (C1) parameter, gradient, m and v have one f32 shape; (C2) lr is a scalar f32, the powers scalar f64.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$parameter, Graph_FloatTensor:$gradient, Graph_FloatTensor:$m, Graph_FloatTensor:$v,
                       Graph_FloatTensor:$lr, Graph_FloatTensor:$power1, Graph_FloatTensor:$power2,
                       F64Attr:$beta1, F64Attr:$beta2, F64Attr:$eps, F64Attr:$weight_decay, BoolAttr:$decoupled);
  let results = (outs Graph_FloatTensor:$new_parameter, Graph_FloatTensor:$new_m, Graph_FloatTensor:$new_v);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def UpdateScaleOp : Train_ElementwiseOp<"update_scale", "false"> {
  let summary = "Moves the loss scale as torch.amp.GradScaler, within bounds.";
  let description = [{
    If the loss is not finite the gradients tell nothing of the scale: both stay. Else if not finite: scale = max(scale *
    backoff, min), tracker = 0. Else tracker += 1; at `interval`: scale = min(scale * growth, max) if scale * growth is
    finite, tracker = 0.

    Constraints: (C1) scale and loss are scalar f32, tracker a scalar i32, finite a scalar i1.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$scale, Graph_IntegerTensor:$tracker, Graph_BoolTensor:$finite, Graph_FloatTensor:$loss,
                       F64Attr:$growth, F64Attr:$backoff, I64Attr:$interval, F64Attr:$min, F64Attr:$max);
  let results = (outs Graph_FloatTensor:$new_scale, Graph_IntegerTensor:$new_tracker);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
#endif
