// amp-shape-outline-constants: code holds small constants; larger ones become state that no one writes.
#include "compiler/shape/Passes.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

namespace amp::compiler::shape {
#define GEN_PASS_DEF_OUTLINECONSTANTSPASS
#include "compiler/shape/Passes.h.inc"
} // namespace amp::compiler::shape

using namespace mlir;
using namespace amp;

namespace {

struct OutlineConstantsPass : compiler::shape::impl::OutlineConstantsPassBase<OutlineConstantsPass> {
  using OutlineConstantsPassBase::OutlineConstantsPassBase;
  void runOnOperation() override;

private:
  bool isLarge(graph::ConstantOp constant) const;
  train::StateOp stateOf(graph::ConstantOp constant, train::ProgramOp program);

  llvm::DenseMap<Attribute, train::StateOp> states; ///< one for equal values; looked up, never walked
};

/// "/Where_3/constant", or with a number where that is taken.
std::string freshName(ModuleOp module, Location location) {
  std::string base = compiler::shape::nameOf(location).str() + "/constant", name = base;
  for (int number = 2; SymbolTable::lookupSymbolIn(module, name); ++number)
    name = base + std::to_string(number);
  return name;
}

} // namespace

bool OutlineConstantsPass::isLarge(graph::ConstantOp constant) const {
  auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
  return value && !value.isSplat() && value.getNumElements() > maxElements;
}

train::StateOp OutlineConstantsPass::stateOf(graph::ConstantOp constant, train::ProgramOp program) {
  train::StateOp &state = states[constant.getValue()];
  if (state)
    return state;
  OpBuilder builder(program);
  const std::string name = freshName(getOperation(), constant.getLoc());
  state =
      train::StateOp::create(builder, constant.getLoc(), builder.getStringAttr(name), TypeAttr::get(constant.getType()),
                             train::StateRoleAttr::get(&getContext(), train::StateRole::Constant), FlatSymbolRefAttr(),
                             constant.getValue(), IntegerAttr());
  ++outlinedCount;
  return state;
}

void OutlineConstantsPass::runOnOperation() {
  states.clear();
  for (auto program : llvm::make_early_inc_range(getOperation().getOps<train::ProgramOp>()))
    for (auto constant : llvm::make_early_inc_range(program.getBody().front().getOps<graph::ConstantOp>())) {
      if (!isLarge(constant))
        continue;
      OpBuilder builder(constant);
      train::StateOp state = stateOf(constant, program);
      constant.replaceAllUsesWith(
          train::ReadOp::create(builder, constant.getLoc(), constant.getType(), state.getSymName()).getValue());
      constant.erase();
    }
}
