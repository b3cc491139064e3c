#ifndef AMP_COMPILER_MEMORY_PASSES
#define AMP_COMPILER_MEMORY_PASSES

include "mlir/Pass/PassBase.td"

def PlaceStatesPass : Pass<"amp-memory-place-states", "::mlir::ModuleOp"> {
  let summary = "Gives every state its offset in the state section";
  let description = [{
    States lie in the order of the module, each at a multiple of 64 bytes; the section is the same for every
    specialisation. Precondition: static types. Postcondition: every train.state has an offset.
  }];
  let dependentDialects = ["::amp::train::TrainDialect"];
}

def PlaceBuffersPass : Pass<"amp-memory-place-buffers", "::mlir::ModuleOp"> {
  let summary = "Turns calls on tensors into launches on buffers";
  let description = [{
    A result that is committed lies in its state; a result that overwrites an input (kernel attribute `aliases`) lies in the
    input's buffer; every other result gets a slot of the scratch section, from its call to its last use. Slots are
    placed largest first at the lowest offset that is free for their whole life. Precondition: amp-select-verify and
    offsets of states. Postcondition: programs hold launches on buffers only. A commit that would overwrite a state which a
    later call still reads is a broken contract of select.
  }];
  let dependentDialects = ["::amp::plan::PlanDialect", "::amp::train::TrainDialect"];
  let statistics = [Statistic<"slotCount", "slots", "Slots of the scratch section">,
                    Statistic<"scratchBytes", "scratch-bytes", "Largest scratch section of a program">];
}

def VerifyPass : Pass<"amp-memory-verify", "::mlir::ModuleOp"> {
  let summary = "Checks the contract of memory";
  let description = [{
    Every state has an offset and no two overlap; programs hold buffers, launches and a return of buffers; no launch
    writes a slot that still holds a value which a later launch reads.
  }];
}

#endif
