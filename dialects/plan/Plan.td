#ifndef AMP_PLAN
#define AMP_PLAN

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def PlanDialect : Dialect {
  let name = "plan";
  let cppNamespace = "::amp::plan";
  let summary = "Kernels, calls and buffers: the image of a package.";
  let description = [{
    select turns each group into a plan.kernel and a plan.call, still on tensors; memory turns calls into plan.launch on
    buffers. What is left is what runtime/format/Package.fbs holds.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

def Plan_Buffer : TypeDef<PlanDialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "Bytes at a fixed place of the state section, the scratch section or an input";
}

// One operand of a library step: kernel argument `index`, or `offset` bytes into the workspace; plus tile * tile_stride.
def Plan_Operand : AttrDef<PlanDialect, "Operand"> {
  let mnemonic = "operand";
  let parameters = (ins "bool":$workspace, "int64_t":$index, "int64_t":$offset, "int64_t":$tile_stride);
  let assemblyFormat = "`<` struct(params) `>`";
}

// A step that a generated function does: `part` numbers the functions of a kernel ("whole", "prologue", "epilogue").
def Plan_Generated : AttrDef<PlanDialect, "Generated"> {
  let mnemonic = "generated";
  let parameters = (ins StringRefParameter<"which part of the kernel">:$part);
  let assemblyFormat = "`<` $part `>`";
}

// A step that a library does; see LibraryCall in Package.fbs.
def Plan_Library : AttrDef<PlanDialect, "Library"> {
  let mnemonic = "library";
  let parameters = (ins StringRefParameter<"library">:$library, StringRefParameter<"operation">:$operation,
                        StringRefParameter<"implementation">:$implementation, StringRefParameter<"version">:$version,
                        ArrayRefParameter<"int64_t">:$numbers, ArrayRefParameter<"::mlir::Attribute">:$operands);
  // struct(params) prints arrays without brackets, and cannot read what follows the first of them.
  let assemblyFormat = [{
    `<` `library` `=` $library `,` `operation` `=` $operation `,` `implementation` `=` $implementation `,`
    `version` `=` $version `,` `numbers` `=` `[` $numbers `]` `,` `operands` `=` `[` $operands `]` `>`
  }];
}
#endif
