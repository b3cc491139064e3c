// The stage fusion: which ops one kernel computes.
#ifndef AMP_COMPILER_FUSION_PASSES_H
#define AMP_COMPILER_FUSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace amp::compiler {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/fusion/Passes.h.inc"

} // namespace amp::compiler

#endif
