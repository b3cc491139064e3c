// What a kernel that calls oneDNN becomes when its weight comes packed.
#ifndef AMP_COMPILER_SELECT_ONEDNNPACKING_H
#define AMP_COMPILER_SELECT_ONEDNNPACKING_H

#include "dialects/plan/Plan.h"

#include <optional>

namespace amp::compiler {

/// A weight that the library packs for each tile, and could find packed.
struct WeightPacking {
  unsigned input = 0;        ///< of the kernel: the weight
  llvm::StringRef purpose;   ///< of the packed state: "packed_forward" or "packed_input_gradient"
  unsigned step = 0;         ///< the number of the kernel's library step
  plan::LibraryAttr call;    ///< that step with a packed weight
  int64_t workspace = 0;     ///< of the kernel with that step
  plan::LibraryAttr pack;    ///< the step that packs: argument 0 to argument 1
  bool widens = false;       ///< before it a prologue widens argument 0
  int64_t packWorkspace = 0; ///< of a kernel with that step
  int64_t packedBytes = 0;
};

/// None for a kernel without such a weight: of another library or operation, or where oneDNN takes weights as they lie.
std::optional<WeightPacking> oneDnnWeightPacking(plan::KernelOp kernel);

} // namespace amp::compiler

#endif
