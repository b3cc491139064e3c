// The memory stage: from calls on tensors to launches on buffers of two sections.
#ifndef AMP_COMPILER_MEMORY_PASSES_H
#define AMP_COMPILER_MEMORY_PASSES_H

#include "dialects/plan/Plan.h"
#include "dialects/train/Train.h"

#include "mlir/Pass/Pass.h"

namespace amp::compiler::memory {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/memory/Passes.h.inc"

} // namespace amp::compiler::memory

#endif
