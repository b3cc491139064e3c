// The step before a library's: what its call reads as f32 in the workspace is widened there, tile by tile.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "compiler/tiling/Staging.h"
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// What the library step computes.
Operation *libraryRoot(Block &body) {
  for (Operation &op : body) {
    auto fusion = dyn_cast<graph::FusionOpInterface>(op);
    if (isa<plan::PackOp>(op) || (fusion && fusion.getFusionClass() == graph::FusionClass::Root))
      return &op;
  }
  return nullptr;
}

void emitStaging(KernelEmitter &k, const StagedOperand &staged, Memory from, int64_t offset) {
  Memory to = k.scratch(offset, k.f32());
  Value start = k.mul(k.tile, staged.tileStride);
  k.loop(k.constant(0), k.constant(staged.rows), 1, [&](Value row) {
    Value source = k.add(start, k.mul(row, staged.rowStride)), target = k.mul(row, staged.columns);
    k.vectors(staged.columns, k.target.lanes, [&](Value column, int64_t lanes) {
      k.store(to, k.add(target, column), k.load(from, k.add(source, column), lanes));
    });
  });
}

} // namespace

LogicalResult amp::compiler::emitPrologue(KernelEmitter &k, plan::KernelOp kernel) {
  Operation *root = libraryRoot(kernel.getBody().front());
  auto step = llvm::find_if(kernel.getSteps(), llvm::IsaPred<plan::LibraryAttr>);
  if (!root || step == kernel.getSteps().end())
    return kernel.emitOpError("has a prologue, but no library step or nothing that one computes; please report this");
  ArrayRef<Attribute> operands = cast<plan::LibraryAttr>(*step).getOperands();
  for (unsigned number = 0; number < root->getNumOperands() && number < operands.size(); ++number) {
    auto operand = cast<plan::OperandAttr>(operands[number]);
    if (!operand.getWorkspace())
      continue;
    StagedOperand staged = stagedOperand(root, number, int64_t(kernel.getTiles()));
    if (!staged.input)
      return kernel.emitOpError() << "stages operand " << number << " of " << root->getName()
                                  << ", which is no input of the kernel; please report this";
    emitStaging(k, staged, k.argument(staged.input), operand.getOffset());
  }
  return success();
}
