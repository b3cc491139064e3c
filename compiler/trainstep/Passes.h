// The stage trainstep: from a model to the programs micro, finish, eval and derive over named state.
#ifndef AMP_COMPILER_TRAINSTEP_PASSES_H
#define AMP_COMPILER_TRAINSTEP_PASSES_H

#include "dialects/train/Train.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace amp::compiler::trainstep {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/trainstep/Passes.h.inc"

} // namespace amp::compiler::trainstep

#endif
