// What passes may ask of any op. A pass asks these, never for op names.
#ifndef AMP_GRAPH_INTERFACES
#define AMP_GRAPH_INTERFACES

include "mlir/IR/OpBase.td"

def ShapeOpInterface : OpInterface<"ShapeOpInterface"> {
  let cppNamespace = "::amp::graph";
  let description = [{
    The shape rule. Every graph op has one: import builds ops with it, the shape stage runs it to a fixed point, and
    each op's verifier compares its result types with it.
  }];
  let methods = [InterfaceMethod<[{
      Computes the result types from operand types, constant operands and attributes. Dimensions that are not known
      yet stay dynamic. Element types follow the op's rule. On a contradiction it emits an error on the op.
    }], "::llvm::LogicalResult", "inferResultTypes", (ins "::llvm::SmallVectorImpl<::mlir::Type> &":$types)>];
  let verify = "return ::amp::graph::verifyResultTypes($_op);";
}

def GradientOpInterface : OpInterface<"GradientOpInterface"> {
  let cppNamespace = "::amp::graph";
  let description = [{
    The gradient rule: builds graph ops, in fp32, that give the gradient of each wanted operand. An op without this
    interface is not differentiable, by definition.
  }];
  let methods = [InterfaceMethod<[{
      `resultGradients` has one value a result, null where the loss does not depend on it. For each operand i with
      wanted[i] the rule puts a value of the operand's type into operandGradients[i], or leaves it null where the
      gradient is zero by definition (integers, shapes).
    }], "::llvm::LogicalResult", "buildGradient",
    (ins "::mlir::OpBuilder &":$builder, "::llvm::ArrayRef<::mlir::Value>":$resultGradients,
         "const ::llvm::BitVector &":$wanted, "::llvm::SmallVectorImpl<::mlir::Value> &":$operandGradients)>];
}

def PrecisionOpInterface : OpInterface<"PrecisionOpInterface"> {
  let cppNamespace = "::amp::graph";
  let description = "The precision class that autocast colours with.";
  let methods = [
    InterfaceMethod<"Low, Fp32, Split, Follow, Promote or Never.", "::amp::graph::PrecisionClass", "getPrecisionClass">,
    InterfaceMethod<[{
      Whether autocast may give the operand another floating type. False for operands whose meaning is exact: indices,
      shapes, random keys, the loss seed.
    }], "bool", "mayCastOperand", (ins "unsigned":$operand), "", [{
      return ::mlir::isa<::mlir::FloatType>(::mlir::getElementTypeOrSelf($_op->getOperand(operand).getType()));
    }]>,
    InterfaceMethod<[{
      Whether the op computes in fp32 inside whatever it reads and writes, so that an operand may come in the low type
      without a cast before it and a result may leave in the low type.
    }], "bool", "computesWide", (ins), "", "return false;">,
  ];
}

def LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let cppNamespace = "::amp::graph";
  let description = "What the layout stage may ask and do. Types hold physical shapes: channels-last is NxHxWxC.";
  let methods = [
    InterfaceMethod<[{
      Prefers: wants channels-last (convolution). Accepts: runs in either layout once told (pooling, bias). Elementwise:
      follows its operands unchanged. Fixed: reads and writes the canonical layout.
    }], "::amp::graph::LayoutClass", "getLayoutClass">,
    InterfaceMethod<[{
      Operands that carry the image layout (not weights, biases, scalars).
    }], "bool", "isImageOperand", (ins "unsigned":$operand), "", [{
      auto type = ::mlir::dyn_cast<::mlir::RankedTensorType>($_op->getOperand(operand).getType());
      return type && type.getRank() == 4;
    }]>,
    InterfaceMethod<"Results that carry the image layout (not the gradient of a kernel).", "bool", "isImageResult",
      (ins "unsigned":$result), "", [{
      auto type = ::mlir::dyn_cast<::mlir::RankedTensorType>($_op->getResult(result).getType());
      return type && type.getRank() == 4;
    }]>,
    InterfaceMethod<[{
      Rewrites attributes (layout, axes) so that the op reads and writes channels-last. The pass replaces operands and
      result types.
    }], "void", "convertToChannelsLast", (ins), "", "return;">,
    InterfaceMethod<[{
      The op can read operand `operand` in channels-first while the rest is channels-last: it absorbs the transpose.
      Called with the op already channels-last. Returns false where it cannot; true after it has changed itself.
    }], "bool", "absorbOperandTranspose", (ins "unsigned":$operand), "", "return false;">,
    InterfaceMethod<"The same for the transpose of its single result.", "bool", "absorbResultTranspose", (ins), "",
      "return false;">,
  ];
}

def FusionOpInterface : OpInterface<"FusionOpInterface"> {
  let cppNamespace = "::amp::graph";
  let description = [{
    How the op may join a fused group.
    Elementwise: element i of each result depends on element i (numpy broadcasting) of the operands.
    View: only an index map (reshape, transpose, expand).
    Root: heavy; one a group; elementwise ops and views may follow it as an epilogue.
    Alone: stays its own group.
  }];
  let methods = [
    InterfaceMethod<"Elementwise, View, Root or Alone.", "::amp::graph::FusionClass", "getFusionClass">,
    InterfaceMethod<[{
      Whether an elementwise producer of this operand may be computed inside the op (a prologue).
    }], "bool", "acceptsPrologue", (ins "unsigned":$operand), "", "return false;">,
  ];
}

def ReferenceOpInterface : OpInterface<"ReferenceOpInterface"> {
  let cppNamespace = "::amp::graph";
  let description = "The oracle: a plain evaluation in double precision. Results of 16-bit types are rounded to them.";
  let methods = [InterfaceMethod<"Evaluates the op; one tensor an operand in, one a result out.",
    "::llvm::LogicalResult", "evaluate",
    (ins "::llvm::ArrayRef<::amp::graph::ReferenceTensor>":$operands,
         "::llvm::SmallVectorImpl<::amp::graph::ReferenceTensor> &":$results)>];
}

def EmitOpInterface : OpInterface<"EmitOpInterface"> {
  let cppNamespace = "::amp::graph";
  let description = [{
    Code of an elementwise op, for every target that generates through MLIR: given one scalar or vector a operand
    (the compute type: f32 for f16, bf16 and f32; f64; integers as they are; i1), emits arith and math ops that give
    one value a result. Never a call into a library.
  }];
  let methods = [InterfaceMethod<"Emits the computation of one element, or of a vector of elements.",
    "::llvm::SmallVector<::mlir::Value>", "emit",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands)>,
    InterfaceMethod<[{
      The axis of the result along which a vector operand lies (a bias, the statistics of channels); none for an operand
      that numpy broadcasting reads.
    }], "std::optional<int64_t>", "getVectorAxis", (ins "unsigned":$operand), "", "return std::nullopt;">];
}

def ModeOpInterface : OpInterface<"ModeOpInterface"> {
  let cppNamespace = "::amp::graph";
  let description = [{
    An op of the model that does one thing in training and another in evaluation: dropout, batch normalisation. Import
    makes it without a mode; trainstep makes each program's form of it. What replaces it are graph ops again.
  }];
  let methods = [
    InterfaceMethod<[{
      Gives the op its form in training, or replaces it by that form and erases it. A value of `mode` that the op does
      not need is not asked for, so that a program reads no state in vain.
    }], "::llvm::LogicalResult", "enterTraining", (ins "::mlir::OpBuilder &":$builder,
        "const ::amp::graph::TrainingMode &":$mode)>,
    InterfaceMethod<"Replaces the op by its form in evaluation; the op is erased.", "::llvm::LogicalResult",
      "enterEvaluation", (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<"Whether the op has its form in training.", "bool", "isTraining", (ins), "", "return false;">,
    InterfaceMethod<[{
      Whether the operand is a running statistic: state that training moves, but not along a gradient.
    }], "bool", "isStatistic", (ins "unsigned":$operand), "", "return false;">,
  ];
}

#endif
