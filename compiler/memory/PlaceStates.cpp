// amp-memory-place-states: the state section.
#include "compiler/memory/Passes.h"
#include "compiler/memory/SlotPacking.h"

namespace amp::compiler::memory {
#define GEN_PASS_DEF_PLACESTATESPASS
#include "compiler/memory/Passes.h.inc"
} // namespace amp::compiler::memory

using namespace mlir;

namespace {
struct PlaceStatesPass : amp::compiler::memory::impl::PlaceStatesPassBase<PlaceStatesPass> {
  void runOnOperation() override {
    int64_t offset = 0;
    for (auto state : getOperation().getOps<amp::train::StateOp>()) {
      auto type = cast<RankedTensorType>(state.getType());
      if (!type.hasStaticShape()) {
        state.emitError() << "state has the dynamic type " << type << "; amp-shape-infer should have made it static";
        return signalPassFailure();
      }
      state.setOffset(offset);
      offset += std::max<int64_t>(amp::compiler::memory::kAlignment,
                                  amp::compiler::memory::alignUp(amp::plan::byteSize(type)));
    }
  }
};
} // namespace
