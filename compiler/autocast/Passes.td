#ifndef AMP_AUTOCAST_PASSES
#define AMP_AUTOCAST_PASSES
include "mlir/Pass/PassBase.td"

def PrecisionOption : Option<"precision", "precision", "::amp::compiler::Precision", "::amp::compiler::Precision::Fp32",
    "the low type: fp32 (none), bf16 or fp16", [{::llvm::cl::values(
      clEnumValN(::amp::compiler::Precision::Fp32, "fp32", "everything in fp32"),
      clEnumValN(::amp::compiler::Precision::Bf16, "bf16", "matrix products and what follows them in bf16"),
      clEnumValN(::amp::compiler::Precision::Fp16, "fp16", "matrix products and what follows them in fp16"))}]>;

def AssignTypes : Pass<"amp-autocast-assign-types", "::mlir::ModuleOp"> {
  let summary = "Gives ops their element types and places the casts";
  let description = [{
    Colours the programs micro, eval and model by the precision classes of their ops, with micro's forward and backward
    in one graph; eval takes the colours of micro's ops of the same node. Ops of class Low read and write the low type;
    Fp32 stays, and so does what must follow it; Follow and Promote become low between low ops, and right after them.

    Precondition: programs are in fp32, all types static. Postcondition: casts are explicit, shared per value, and never
    follow each other. A parameter that is read in the low type has a derived copy, committed by every program that
    commits the parameter and by derive; a frozen weight's copy is committed by derive alone. A value that ends in a
    gradient state leaves its matmul or convolution in f32. Program inputs and outputs keep their types.
  }];
  let dependentDialects = ["::amp::graph::GraphDialect", "::amp::train::TrainDialect"];
  let options = [PrecisionOption,
    Option<"explain", "explain", "bool", "false", "remark on the type of every op and its reason">];
  let statistics = [Statistic<"casts", "casts", "casts inside micro, eval and model">,
    Statistic<"copies", "derived-copies", "low copies of weights">];
}

def AutocastVerify : Pass<"amp-autocast-verify", "::mlir::ModuleOp"> {
  let summary = "Checks what autocast promises";
  let description = [{
    Rules: no cast of a cast between floats; a value is cast to a type once; micro and eval cast no parameter; a gradient
    state's value comes from no cast; ops of class Low read the low type; ops of class Fp32 that do not compute wide
    read f32; every derived copy is committed by derive, and by each program that commits its master, under the same
    predicate.
  }];
  let options = [PrecisionOption];
}
#endif
