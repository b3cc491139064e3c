// The rows of the catalogue that this room defines itself: generated code.
#include "compiler/select/Catalogue.h"

#ifdef AMP_WITH_ONEDNN
#include "compiler/select/OneDnnRows.h"
#endif
#include "compiler/tiling/Tiling.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

// Generated code computes whatever a group may hold; codegen refuses what it cannot, by op.
bool matches_generatedWhole(plan::KernelOp) {
  return true;
}
bool pays_generatedWhole(plan::KernelOp) {
  return true;
}

void plan_generatedWhole(plan::KernelOp kernel) {
  Tiling tiling = tileKernel(kernel.getBody().front());
  kernel.setImplementation("generated");
  kernel.setTiles(tiling.tiles);
  kernel.setWorkspace(tiling.workspace);
  Builder builder(kernel.getContext());
  kernel.setStepsAttr(builder.getArrayAttr({plan::GeneratedAttr::get(kernel.getContext(), "whole")}));
}

const KernelRow rows[] = {
#define AMP_KERNEL_ROW(library, name) {#library, #name, matches_##name, pays_##name, plan_##name},
#include "compiler/select/Kernels.def"
#undef AMP_KERNEL_ROW
};

} // namespace

ArrayRef<KernelRow> amp::compiler::kernelRows() {
  return rows;
}

const KernelRow *amp::compiler::chooseRow(plan::KernelOp kernel, StringRef select) {
  for (const KernelRow &row : rows)
    if (select == "auto" ? row.pays(kernel) : select == row.library && row.matches(kernel))
      return &row;
  for (const KernelRow &row : rows)
    if (row.library == "generated" && row.matches(kernel))
      return &row;
  return nullptr;
}
