// Family Elementwise: element i of the result is a function of element i of the operands.
#ifndef AMP_GRAPH_ELEMENTWISE
#define AMP_GRAPH_ELEMENTWISE
include "dialects/graph/Graph.td"

class Graph_UnaryOp<string mnemonic, string what, string formula, string classes, string precision = "Follow">
    : Graph_Op<mnemonic, Facts<precision, "Elementwise", "Elementwise">, [Differentiable, Emits]> {
  let summary = what;
  let description = formula # " " # classes # [{

    Constraints: (C1) the result has the operand's shape and element type.
    Life: made by import or trainstep, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$x);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def ReluOp : Graph_UnaryOp<"relu", "Rectifies a tensor.", "y = max(x, 0); NaN stays NaN; the gradient at 0 is 0.", "Precision: FOLLOW.">;
def TanhOp : Graph_UnaryOp<"tanh", "Takes the hyperbolic tangent.", "y = tanh(x).", "Precision: FOLLOW; computes in fp32.">;
def SigmoidOp : Graph_UnaryOp<"sigmoid", "Takes the logistic function.", "y = 1 / (1 + exp(-x)).", "Precision: FOLLOW; computes in fp32.">;
def NegOp : Graph_UnaryOp<"neg", "Negates a tensor.", "y = -x.", "Precision: FOLLOW.">;
def ExpOp : Graph_UnaryOp<"exp", "Takes the exponential.", "y = exp(x).", "Precision: FP32.", "Fp32">;
def LogOp : Graph_UnaryOp<"log", "Takes the natural logarithm.", "y = log(x).", "Precision: FP32.", "Fp32">;
def ErfOp : Graph_UnaryOp<"erf", "Takes the error function.", "y = 2/sqrt(pi) * integral of exp(-t*t) from 0 to x.", "Precision: FOLLOW; computes in fp32.">;
def AbsOp : Graph_UnaryOp<"abs", "Takes the magnitude.", "y = |x|; the gradient at 0 is 0.", "Precision: FOLLOW.">;
def ReciprocalOp : Graph_UnaryOp<"reciprocal", "Takes the reciprocal.", "y = 1 / x.", "Precision: FP32.", "Fp32">;
def SqrtOp : Graph_UnaryOp<"sqrt", "Takes the square root.", "y = sqrt(x).", "Precision: FOLLOW; computes in fp32.">;

class Graph_BinaryOp<string mnemonic, string what, string formula, string precision = "Promote">
    : Graph_Op<mnemonic, Facts<precision, "", "Elementwise">, [Differentiable, Emits]> {
  let summary = what;
  let description = formula # " With numpy broadcasting. Precision: " # !toupper(precision) # [{. The gradient of a broadcast operand is summed over the broadcast axes.

    Constraints: (C1) operands have one element type; (C2) shapes broadcast; (C3) the result has the broadcast shape.
    Life: made by import or trainstep, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$lhs, Graph_Tensor:$rhs);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($y)";
}
def AddOp : Graph_BinaryOp<"add", "Adds two tensors.", "y = lhs + rhs.">;
def SubOp : Graph_BinaryOp<"sub", "Subtracts two tensors.", "y = lhs - rhs.">;
def MulOp : Graph_BinaryOp<"mul", "Multiplies two tensors.", "y = lhs * rhs.">;
def DivOp : Graph_BinaryOp<"div", "Divides two tensors.", "y = lhs / rhs; integers truncate towards zero.">;

def PowOp : Graph_BinaryOp<"pow", "Raises to a power.", "y = lhs ^ rhs.", "Fp32">;
def MinOp : Graph_BinaryOp<"min", "Takes the smaller of two.", "y = min(lhs, rhs); NaN wins; equal operands share the gradient.">;
def MaxOp : Graph_BinaryOp<"max", "Takes the larger of two.", "y = max(lhs, rhs); NaN wins; equal operands share the gradient.">;

class Graph_LogicalOp<string mnemonic, string what, string formula>
    : Graph_Op<mnemonic, Facts<"Never", "", "Elementwise">, [Emits]> {
  let summary = what;
  let description = formula # [{ With numpy broadcasting. Precision: NEVER.

    Constraints: (C1) operands are i1; (C2) shapes broadcast; (C3) the result is i1 of that shape.
    Life: made by import, gone after select.
  }];
  let arguments = (ins Graph_BoolTensor:$lhs, Graph_BoolTensor:$rhs);
  let results = (outs Graph_BoolTensor:$y);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($y)";
}
def LogicalAndOp : Graph_LogicalOp<"logical_and", "Tells where both hold.", "y = lhs and rhs.">;
def LogicalOrOp : Graph_LogicalOp<"logical_or", "Tells where one holds.", "y = lhs or rhs.">;

class Graph_PredicateOp<string mnemonic, string what, string formula, Type operand>
    : Graph_Op<mnemonic, Facts<"Never", "Elementwise", "Elementwise">, [Emits]> {
  let summary = what;
  let description = formula # [{ Precision: NEVER.

    Constraints: (C1) the result is i1 of the operand's shape.
    Life: made by import, gone after select.
  }];
  let arguments = (ins operand:$x);
  let results = (outs Graph_BoolTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}
def IsNanOp : Graph_PredicateOp<"is_nan", "Tells what is not a number.", "y = x != x.", Graph_FloatTensor>;
def LogicalNotOp : Graph_PredicateOp<"logical_not", "Negates a condition.", "y = not x.", Graph_BoolTensor>;

def GeluOp : Graph_Op<"gelu", Facts<"Follow", "Elementwise", "Elementwise">, [Differentiable, Emits]> {
  let summary = "Applies the Gaussian error linear unit.";
  let description = [{
    y = x * 0.5 * (1 + erf(x / sqrt(2))); with `approximate` y = 0.5 * x * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3))).
    Precision: FOLLOW; computes in fp32.

    Constraints: (C1) the result has the operand's type.
    Life: made by import, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$x, DefaultValuedAttr<BoolAttr, "false">:$approximate);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def GeluGradOp : Graph_Op<"gelu_grad", Facts<"Follow", "Elementwise", "Elementwise">, [Emits]> {
  let summary = "Gives the gradient of gelu from its operand.";
  let description = [{
    dx = dy * d gelu(x) / dx. Precision: FOLLOW; computes in fp32.

    Constraints: (C1) dy, x and dx have one shape and element type.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$x, DefaultValuedAttr<BoolAttr, "false">:$approximate);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $x attr-dict `:` type($dy) `,` type($x) `->` type($dx)";
}

// Gradients of activations, from the saved result: one op each, so that what is saved is visible.
class Graph_ActivationGradOp<string mnemonic, string formula>
    : Graph_Op<mnemonic, Facts<"Follow", "Elementwise", "Elementwise">, [Emits]> {
  let summary = "Gives the gradient of an activation from its result.";
  let description = formula # [{ Precision: FOLLOW; computes in fp32.

    Constraints: (C1) dy, y and dx have one shape and element type.
    Life: made by trainstep, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$dy, Graph_FloatTensor:$y);
  let results = (outs Graph_FloatTensor:$dx);
  let assemblyFormat = "$dy `,` $y attr-dict `:` type($dy) `,` type($y) `->` type($dx)";
}
def ReluGradOp : Graph_ActivationGradOp<"relu_grad", "dx = y > 0 ? dy : 0.">;
def TanhGradOp : Graph_ActivationGradOp<"tanh_grad", "dx = dy * (1 - y*y).">;
def SigmoidGradOp : Graph_ActivationGradOp<"sigmoid_grad", "dx = dy * y * (1 - y).">;

def BiasAddOp : Graph_Op<"bias_add", Facts<"Follow", "Accepts", "Elementwise">, [Differentiable, Emits]> {
  let summary = "Adds a vector along one axis.";
  let description = [{
    y[.., c, ..] = x[.., c, ..] + bias[c], c on `axis`. Precision: FOLLOW x; the bias is read in any floating type.
    The one form of a bias, whatever the layout: channels-last moves `axis`.

    Constraints: (C1) bias has rank 1 and the length of x along axis; (C2) axis lies in [0, rank); (C3) y has x's type.
    Life: made by import, gone after select.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$bias, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$y);
  let assemblyFormat = "$x `,` $bias attr-dict `:` `(` type($x) `,` type($bias) `)` `->` type($y)";
  let moreFacts = [{
    bool mayCastOperand(unsigned operand) { return operand == 0; }
    bool isImageOperand(unsigned operand);
    void convertToChannelsLast();
    std::optional<int64_t> getVectorAxis(unsigned operand);
  }];
}

def CastOp : Graph_Op<"cast", Facts<"Never", "Elementwise", "Elementwise">, [Differentiable, Emits]> {
  let summary = "Converts the element type.";
  let description = [{
    Float to a narrower float rounds to nearest even, NaN stays NaN, subnormals are kept. Float to integer truncates
    towards zero. To bool: x != 0. Precision: NEVER (it is what autocast places).

    Constraints: (C1) the shape does not change.
    Life: made by import, trainstep and autocast, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$x);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let hasFolder = 1;
}

def CompareOp : Graph_Op<"compare", Facts<"Promote", "", "Elementwise">, [Emits]> {
  let summary = "Compares two tensors.";
  let description = [{
    y = lhs <kind> rhs, ordered, with numpy broadcasting. Precision: NEVER for the result, PROMOTE for operands.

    Constraints: (C1) operands have one element type; (C2) shapes broadcast; (C3) the result is i1 of that shape.
    Life: made by import or trainstep, gone after select.
  }];
  let arguments = (ins Graph_Tensor:$lhs, Graph_Tensor:$rhs, CompareKindAttr:$kind);
  let results = (outs Graph_BoolTensor:$y);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($y)";
}

def SelectOp : Graph_Op<"select", Facts<"Promote", "", "Elementwise">, [Differentiable, Emits]> {
  let summary = "Chooses between two tensors.";
  let description = [{
    y = condition ? lhs : rhs, with numpy broadcasting. Precision: PROMOTE (operands 1 and 2). The branch that is not
    taken gets gradient 0, whatever its value.

    Constraints: (C1) lhs and rhs have one element type; (C2) shapes broadcast; (C3) the result has the broadcast shape.
    Life: made by import or trainstep, gone after select.
  }];
  let arguments = (ins Graph_BoolTensor:$condition, Graph_Tensor:$lhs, Graph_Tensor:$rhs);
  let results = (outs Graph_Tensor:$y);
  let assemblyFormat = "$condition `,` $lhs `,` $rhs attr-dict `:` `(` type($condition) `,` type($lhs) `,` type($rhs) `)` `->` type($y)";
}
#endif
