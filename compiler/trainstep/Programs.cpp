// How the passes of this stage find programs and states.
#include "compiler/trainstep/Programs.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace amp;
using train::ProgramKind;
using train::ProgramOp;
using train::StateOp;
using train::StateRole;

namespace amp::compiler::trainstep {

ProgramOp findProgram(ModuleOp module, ProgramKind kind) {
  for (auto program : module.getOps<ProgramOp>())
    if (program.getKind() == kind)
      return program;
  return nullptr;
}

ProgramOp requireProgram(ModuleOp module, ProgramKind kind, StringRef pass) {
  ProgramOp program = findProgram(module, kind);
  if (!program)
    module.emitError() << "holds no program of kind " << train::stringifyProgramKind(kind) << "; run " << pass
                       << " first";
  return program;
}

SmallVector<StateOp> statesOf(ModuleOp module, StateRole role) {
  SmallVector<StateOp> states;
  for (auto state : module.getOps<StateOp>())
    if (state.getRole() == role)
      states.push_back(state);
  return states;
}

StateOp findState(ModuleOp module, StateRole role) {
  SmallVector<StateOp> states = statesOf(module, role);
  return states.empty() ? StateOp() : states.front();
}

StateOp requireState(ModuleOp module, StateRole role) {
  StateOp state = findState(module, role);
  if (!state)
    module.emitError() << "holds no state of role " << train::stringifyStateRole(role)
                       << "; run amp-trainstep-declare-states first";
  return state;
}

bool isWellKnown(StateRole role) {
  switch (role) {
  case StateRole::LearningRate:
  case StateRole::LossScale:
  case StateRole::GrowthTracker:
  case StateRole::StepCount:
  case StateRole::Seed:
  case StateRole::Loss:
    return true;
  default:
    return false;
  }
}

std::string freeSymbol(ModuleOp module, StringRef wanted) {
  std::string name = wanted.str();
  for (int number = 1; module.lookupSymbol(name); ++number)
    name = (wanted + "_" + Twine(number)).str();
  return name;
}

StateOp declareState(ModuleOp module, const Twine &name, RankedTensorType type, StateRole role, StateOp of,
                     Attribute initial) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Location loc = module.getLoc();
  for (auto state : module.getOps<StateOp>())
    builder.setInsertionPointAfter(state);
  FlatSymbolRefAttr master;
  if (of) {
    master = FlatSymbolRefAttr::get(of.getSymNameAttr());
    loc = of.getLoc();
  }
  return StateOp::create(builder, loc, freeSymbol(module, name.str()), type, role, master, initial, IntegerAttr());
}

Value readState(OpBuilder &builder, StateOp state) {
  auto name = NameLoc::get(state.getSymNameAttr());
  return train::ReadOp::create(builder, name, state.getType(), state.getSymName());
}

SmallVector<graph::ModeOpInterface> opsWithModes(ProgramOp program) {
  return llvm::to_vector(program.getBody().front().getOps<graph::ModeOpInterface>());
}

void eraseUnused(ProgramOp program) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(program.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

} // namespace amp::compiler::trainstep
