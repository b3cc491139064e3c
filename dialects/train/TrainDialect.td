// The dialect and its enums, apart from Train.td so that their generation sees no other dialect's.
#ifndef AMP_TRAIN_DIALECT
#define AMP_TRAIN_DIALECT

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TrainDialect : Dialect {
  let name = "train";
  let cppNamespace = "::amp::train";
  let summary = "State, programs, and the ops of an update.";
  let description = [{
    State is module symbols; programs read it and commit to it, at most one commit a state a program. The update ops
    (finite test, unscale, optimizer, loss scale) compute in fp32 or fp64 whatever the precision of the model.
  }];
  let dependentDialects = ["::amp::graph::GraphDialect"];
  let useDefaultAttributePrinterParser = 1;
}

// The order and the spelling are those of runtime/format/Package.fbs, Role.
def StateRole : I32EnumAttr<"StateRole", "what a state is for", [
    I32EnumAttrCase<"Parameter", 0, "parameter">, I32EnumAttrCase<"Frozen", 1, "frozen">,
    I32EnumAttrCase<"Constant", 2, "constant">, I32EnumAttrCase<"Gradient", 3, "gradient">,
    I32EnumAttrCase<"Moment", 4, "moment">, I32EnumAttrCase<"Statistic", 5, "statistic">,
    I32EnumAttrCase<"Derived", 6, "derived">, I32EnumAttrCase<"LearningRate", 7, "learning_rate">,
    I32EnumAttrCase<"LossScale", 8, "loss_scale">, I32EnumAttrCase<"GrowthTracker", 9, "growth_tracker">,
    I32EnumAttrCase<"StepCount", 10, "step_count">, I32EnumAttrCase<"Power", 11, "power">,
    I32EnumAttrCase<"Seed", 12, "seed">, I32EnumAttrCase<"Loss", 13, "loss">,
    I32EnumAttrCase<"Pending", 14, "pending">]> {
  let cppNamespace = "::amp::train";
  let genSpecializedAttr = 0;
}
def StateRoleAttr : EnumAttr<TrainDialect, StateRole, "role">;

def ProgramKind : I32EnumAttr<"ProgramKind", "when the runtime runs a program", [
    I32EnumAttrCase<"Model", 0, "model">, I32EnumAttrCase<"Micro", 1, "micro">, I32EnumAttrCase<"Finish", 2, "finish">,
    I32EnumAttrCase<"Eval", 3, "eval">, I32EnumAttrCase<"Derive", 4, "derive">]> {
  let cppNamespace = "::amp::train";
  let genSpecializedAttr = 0;
}
def ProgramKindAttr : EnumAttr<TrainDialect, ProgramKind, "kind">;

#endif
