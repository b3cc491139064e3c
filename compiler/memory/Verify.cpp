// amp-memory-verify: the exit contract of the memory stage, checked from its result alone.
#include "compiler/memory/Passes.h"
#include "compiler/memory/SlotPacking.h"

namespace amp::compiler::memory {
#define GEN_PASS_DEF_VERIFYPASS
#include "compiler/memory/Passes.h.inc"
} // namespace amp::compiler::memory

using namespace mlir;
using namespace amp;

namespace {

LogicalResult verifyStates(ModuleOp module) {
  int64_t end = 0;
  for (auto state : module.getOps<train::StateOp>()) {
    if (!state.getOffset())
      return state.emitError("state has no offset; amp-memory-place-states should have given it one");
    int64_t offset = *state.getOffset();
    if (offset % compiler::memory::kAlignment || offset < end)
      return state.emitError() << "state lies at " << offset << ", wants a multiple of 64 from " << end << " on";
    end = offset + plan::byteSize(cast<RankedTensorType>(state.getType()));
  }
  return success();
}

/// Which launch wrote each byte range of the scratch section, and what each slot value expects to find.
LogicalResult verifyLaunches(train::ProgramOp program) {
  struct Written {
    int64_t begin, end;
    Value slot;
  };
  SmallVector<Written> written;
  auto range = [](Value buffer) -> std::pair<int64_t, int64_t> {
    auto slot = buffer.getDefiningOp<plan::SlotOp>();
    return {int64_t(slot.getOffset()), int64_t(slot.getOffset() + slot.getBytes())};
  };
  auto holds = [&](Value buffer) { return llvm::any_of(written, [&](const Written &w) { return w.slot == buffer; }); };
  auto write = [&](Value buffer) {
    auto [begin, end] = range(buffer);
    llvm::erase_if(written, [&, begin = begin, end = end](const Written &w) { return w.begin < end && begin < w.end; });
    written.push_back({begin, end, buffer});
  };
  auto module = program->getParentOfType<ModuleOp>();
  for (auto launch : program.getBody().getOps<plan::LaunchOp>()) {
    auto kernel = module.lookupSymbol<plan::KernelOp>(launch.getKernel());
    if (!kernel)
      return launch.emitError() << "runs the kernel @" << launch.getKernel() << ", which does not exist";
    unsigned inputs = kernel.getBody().getNumArguments();
    unsigned outputs = kernel.getAliases().size();
    if (launch.getArguments().size() != inputs + outputs)
      return launch.emitError() << "gives " << launch.getArguments().size() << " buffers to @" << launch.getKernel()
                                << ", wants " << inputs << " inputs and " << outputs << " results";
    for (Value input : launch.getArguments().take_front(inputs))
      if (input.getDefiningOp<plan::SlotOp>() && !holds(input))
        return launch.emitError() << "reads a slot whose value another launch has overwritten";
    for (Value output : launch.getArguments().drop_front(inputs))
      if (output.getDefiningOp<plan::SlotOp>())
        write(output);
  }
  for (Value output : program.getReturn().getValues())
    if (output.getDefiningOp<plan::SlotOp>() && !holds(output))
      return program.emitError("an output is overwritten before the end of the program");
  return success();
}

struct VerifyPass : amp::compiler::memory::impl::VerifyPassBase<VerifyPass> {
  void runOnOperation() override {
    if (failed(verifyStates(getOperation())))
      return signalPassFailure();
    for (auto program : getOperation().getOps<train::ProgramOp>()) {
      for (Operation &op : program.getBody().front())
        if (!isa<plan::ArgumentOp, plan::StateSlotOp, plan::SlotOp, plan::LaunchOp, train::ReturnOp>(op)) {
          op.emitError() << "is left in program '" << program.getSymName()
                         << "'; amp-memory-place-buffers should have removed it";
          return signalPassFailure();
        }
      if (failed(verifyLaunches(program)))
        return signalPassFailure();
    }
  }
};
} // namespace
