// State, programs, reads and commits.
#ifndef AMP_TRAIN_STATE
#define AMP_TRAIN_STATE
include "dialects/train/Train.td"

def StateOp : Train_Op<"state", [Symbol]> {
  let summary = "Declares a tensor that outlives a step.";
  let description = [{
    The symbol is the ONNX initializer's name, or its master's name + "/" + purpose: "fc1.weight/gradient". Initial
    contents: an elements attribute, #train.external, or none (zero-filled).

    Constraints: (C1) gradient, moment, derived and pending name their master in `of`; (C2) an elements value has the state's type;
    (C3) an external value has the byte size of the type.
    Life: made by import, trainstep, autocast and select; laid out by memory; written by package.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<AnyRankedTensor>:$type, StateRoleAttr:$role,
                       OptionalAttr<FlatSymbolRefAttr>:$of, OptionalAttr<AnyAttr>:$initial, OptionalAttr<I64Attr>:$offset);
  let assemblyFormat = "$sym_name `:` $type $role (`of` $of^)? (`=` $initial^)? (`at` $offset^)? attr-dict";
  let hasVerifier = 1;
}

def ProgramOp : Train_Op<"program", [FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope]> {
  let summary = "Holds one thing that the runtime runs.";
  let description = [{
    model: what import makes. micro: forward, loss and backward of a micro-batch. finish: unscale, finite test, update.
    eval: forward and loss. derive: remakes derived state. Input and output names are the user's.

    `index_limits` and `ignore_indices`, one entry an input: an input with limit n > 0 holds indices in [0, n) or its
    ignore index; the runtime checks them before anything runs.

    Syntax:
      train.program @micro micro inputs ["x", "labels"] outputs ["loss"]
          index_limits [0, 10] ignore_indices [0, -100] (%x: tensor<8x4xf32>, %labels: tensor<8xi64>) -> tensor<f32> {
        ...
        train.return %loss : tensor<f32>
      }
    (`index_limits`, `ignore_indices` and `scratch` N are optional; several results are parenthesised.)

    Constraints: (C1) one input name an argument, one output name a result; (C2) index_limits and ignore_indices have one
    entry an argument.
    Life: made by import (model) and trainstep (the others); written by package.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, ProgramKindAttr:$kind,
                       StrArrayAttr:$input_names, StrArrayAttr:$output_names,
                       OptionalAttr<DenseI64ArrayAttr>:$index_limits, OptionalAttr<DenseI64ArrayAttr>:$ignore_indices,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<I64Attr>:$scratch_bytes);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// The terminator of the single block.
    ReturnOp getReturn();
  }];
}

def ReturnOp : Train_Op<"return", [Pure, Terminator, ParentOneOf<["ProgramOp"]>]> {
  let summary = "Gives a program's outputs.";
  let description = "Constraints: (C1) the operands have the program's result types, or are buffers after memory.";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def ReadOp : Train_Op<"read", [DeclareOpInterfaceMethods<SymbolUserOpInterface>, MemoryEffects<[MemRead]>]> {
  let summary = "Reads a state as it was before the program ran.";
  let description = [{
    Whatever the program commits, a read gives the old value: the program's commits take effect at its end.

    Constraints: (C1) the state exists and has the result's type.
  }];
  let arguments = (ins FlatSymbolRefAttr:$state);
  let results = (outs AnyRankedTensor:$value);
  let assemblyFormat = "$state attr-dict `:` type($value)";
}

def CommitOp : Train_Op<"commit", [DeclareOpInterfaceMethods<SymbolUserOpInterface>, MemoryEffects<[MemWrite]>]> {
  let summary = "Gives a state its new value.";
  let description = [{
    With `if` the commit happens when the predicate is 1; when it is 0 the state keeps every bit.

    Constraints: (C1) the state exists and has the value's type; (C2) a program commits a state once; (C3) the predicate is a
    scalar i1.
  }];
  let arguments = (ins AnyRankedTensor:$value, FlatSymbolRefAttr:$state, Optional<Graph_BoolTensor>:$predicate);
  let assemblyFormat = "$value `to` $state (`if` $predicate^ `:` type($predicate))? attr-dict `:` type($value)";
}
#endif
