// Kernels and their calls.
#ifndef AMP_PLAN_KERNEL
#define AMP_PLAN_KERNEL
include "dialects/plan/Plan.td"

def KernelOp : Op<PlanDialect, "kernel", [Symbol, IsolatedFromAbove, SingleBlock]> {
  let summary = "Defines a kernel: a group with an implementation.";
  let description = [{
    The body is the group: block arguments are the inputs, graph.yield the results. The ABI's arguments are the inputs,
    then the results. `aliases` has one entry a result: the input whose buffer it overwrites (in place), or -1.
    `steps` run in order for each of `tiles` independent tiles, with `workspace` bytes of scratch each.

    Constraints: (C1) one alias entry a result, each -1 or an input with the result's type; (C2) steps are #plan.generated or
    #plan.library; (C3) tiles is positive.
    Life: made by select, compiled by codegen, written by package.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$implementation, I64Attr:$tiles, I64Attr:$workspace,
                       DenseI64ArrayAttr:$aliases, ArrayAttr:$steps);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def CallOp : Op<PlanDialect, "call", [MemoryEffects<[]>]> {
  let summary = "Calls a kernel on tensors.";
  let description = [{
    Constraints: (C1) the kernel exists and its argument and result types are the call's.
    Life: made by select, gone after memory.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = "$kernel `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}

def ViewOp : Op<PlanDialect, "view", [Pure]> {
  let summary = "Gives a tensor another shape without moving a byte.";
  let description = "Constraints: (C1) element count and type agree. Life: made by select, gone after memory.";
  let arguments = (ins AnyRankedTensor:$x);
  let results = (outs AnyRankedTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def PackOp : Op<PlanDialect, "pack", [Pure]> {
  let summary = "Stands for the bytes of a weight as a library wants them.";
  let description = [{
    What the bytes mean, the library of the kernel's step alone knows. No code is generated for it.

    Constraints: (C1) the result has rank 1.
    Life: made by select in kernels' bodies.
  }];
  let arguments = (ins AnyRankedTensor:$weight);
  let results = (outs 1DTensorOf<[I8]>:$packed);
  let assemblyFormat = "$weight attr-dict `:` type($weight) `->` type($packed)";
}

def UnpackOp : Op<PlanDialect, "unpack", [Pure]> {
  let summary = "Stands for the weight that plan.pack took, in a kernel that reads its bytes.";
  let description = [{
    It keeps a body's meaning where the input is packed: only a library step, which takes the bytes as they are, reads it.

    Constraints: (C1) the operand has rank 1.
    Life: made by select in kernels' bodies.
  }];
  let arguments = (ins 1DTensorOf<[I8]>:$packed);
  let results = (outs AnyRankedTensor:$weight);
  let assemblyFormat = "$packed attr-dict `:` type($packed) `->` type($weight)";
}

def ArgumentOp : Op<PlanDialect, "argument", [Pure]> {
  let summary = "Names the bytes of a program input.";
  let description = "Life: made by memory, written by package.";
  let arguments = (ins I64Attr:$index, I64Attr:$bytes);
  let results = (outs Plan_Buffer:$buffer);
  let assemblyFormat = "$index `bytes` $bytes attr-dict";
}

def StateSlotOp : Op<PlanDialect, "state_slot", [Pure]> {
  let summary = "Names the bytes of a state.";
  let description = "Life: made by memory, written by package.";
  let arguments = (ins FlatSymbolRefAttr:$state, I64Attr:$offset, I64Attr:$bytes);
  let results = (outs Plan_Buffer:$buffer);
  let assemblyFormat = "$state `at` $offset `bytes` $bytes attr-dict";
}

def SlotOp : Op<PlanDialect, "slot", [Pure]> {
  let summary = "Names a range of the scratch section.";
  let description = "`offset` is a multiple of 64. Life: made by memory, written by package.";
  let arguments = (ins I64Attr:$offset, I64Attr:$bytes);
  let results = (outs Plan_Buffer:$buffer);
  let assemblyFormat = "$offset `bytes` $bytes attr-dict";
}

def LaunchOp : Op<PlanDialect, "launch", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Runs a kernel on buffers.";
  let description = [{
    Arguments are the kernel's inputs, then its results; an aliased result is the same buffer as its input. With a predicate
    it runs only when that byte is 1.

    Constraints: (C1) the kernel exists and takes as many arguments.
    Life: made by memory, written by package.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Plan_Buffer>:$arguments, Optional<Plan_Buffer>:$predicate);
  let assemblyFormat = "$kernel `(` $arguments `)` (`if` $predicate^)? attr-dict";
}

#endif
