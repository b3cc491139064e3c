// Counts for people: what each stage left in the IR.
#include "compiler/pipeline/Summary.h"

#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"
#include "dialects/train/Train.h"

using namespace mlir;
using namespace amp;

using Figures = std::vector<std::pair<std::string, int64_t>>;

/// Ops of the programs whose name is `name`; with an empty name, all ops of the graph dialect.
static int64_t countOps(ModuleOp module, StringRef name) {
  int64_t count = 0;
  for (auto program : module.getOps<train::ProgramOp>())
    program.walk([&](Operation *op) {
      bool graphOp = isa_and_nonnull<graph::GraphDialect>(op->getDialect());
      count += name.empty() ? graphOp : op->getName().getStringRef() == name;
    });
  return count;
}

static Figures countStates(ModuleOp module) {
  int64_t parameters = 0, elements = 0;
  for (auto state : module.getOps<train::StateOp>())
    if (state.getRole() == train::StateRole::Parameter) {
      ++parameters;
      elements += cast<RankedTensorType>(state.getType()).getNumElements();
    }
  return {{"parameters", parameters}, {"trained values", elements}, {"operators", countOps(module, "")}};
}

static Figures countBytes(ModuleOp module) {
  int64_t scratch = 0, states = 0, launches = 0;
  for (auto program : module.getOps<train::ProgramOp>()) {
    scratch = std::max<int64_t>(scratch, program.getScratchBytes().value_or(0));
    program.walk([&](plan::LaunchOp) { ++launches; });
  }
  for (auto state : module.getOps<train::StateOp>())
    states = std::max<int64_t>(states,
                               state.getOffset().value_or(0) + plan::byteSize(cast<RankedTensorType>(state.getType())));
  return {{"launches", launches}, {"bytes of state", states}, {"bytes of scratch", scratch}};
}

Figures amp::compiler::summarize(ModuleOp module, StringRef stage) {
  if (stage == "trainstep")
    return countStates(module);
  if (stage == "autocast")
    return {{"casts", countOps(module, graph::CastOp::getOperationName())}};
  if (stage == "layout")
    return {{"transposes", countOps(module, graph::TransposeOp::getOperationName())}};
  if (stage == "fusion")
    return {{"groups", countOps(module, graph::GroupOp::getOperationName())}};
  if (stage == "select")
    return {{"kernels", int64_t(llvm::range_size(module.getOps<plan::KernelOp>()))},
            {"calls", countOps(module, plan::CallOp::getOperationName())}};
  if (stage == "memory")
    return countBytes(module);
  return {{"operators", countOps(module, "")}};
}
