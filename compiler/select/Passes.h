// The stage select: kernels, their implementations, and the order of their calls.
#ifndef AMP_COMPILER_SELECT_PASSES_H
#define AMP_COMPILER_SELECT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace amp::compiler {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/select/Passes.h.inc"

} // namespace amp::compiler

#endif
