#ifndef AMP_TRAIN
#define AMP_TRAIN

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/graph/Graph.td"
include "dialects/train/TrainDialect.td"

def ExternalAttr : AttrDef<TrainDialect, "External"> {
  let mnemonic = "external";
  let summary = "Initial bytes that stay in a file: path, offset, length";
  let description = [{
    Little-endian elements of the state's type, `length` bytes at `offset` of the file `path` (as the importer opened it).
    The package stage reads them; nothing before does.
  }];
  let parameters = (ins StringRefParameter<"file">:$path, "int64_t":$offset, "int64_t":$length);
  let assemblyFormat = "`<` $path `,` $offset `,` $length `>`";
}

class Train_Op<string mnemonic, list<Trait> traits = []> : Op<TrainDialect, mnemonic, traits>;

// An update op computes like a graph op and may be fused, emitted and evaluated like one.
class Train_ComputeOp<string mnemonic, string fusion, list<Trait> traits = []> : Train_Op<mnemonic, !listconcat([Pure,
    PrecisionOpInterface, LayoutOpInterface, FusionOpInterface, DeclareOpInterfaceMethods<ReferenceOpInterface>], traits)> {
  code moreFacts = "";
  let extraClassDeclaration = Fact<"PrecisionClass", "Fp32">.method # Fact<"LayoutClass", "Fixed">.method
                              # Fact<"FusionClass", fusion>.method # moreFacts;
  let hasVerifier = 1;
}

// `castable` says which operands are tensors of the model's size, in C++ on `operand`; the others are exact scalars.
class Train_ElementwiseOp<string mnemonic, string castable> : Train_ComputeOp<mnemonic, "Elementwise", [Emits]> {
  let moreFacts = "bool mayCastOperand(unsigned operand) { return " # castable # "; }";
}

#endif
