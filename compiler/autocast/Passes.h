// The stage autocast: element types and explicit casts.
#ifndef AMP_COMPILER_AUTOCAST_PASSES_H
#define AMP_COMPILER_AUTOCAST_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace amp::compiler {

/// The low type that a program trains in.
enum class Precision { Fp32, Bf16, Fp16 };

/// The element type of a precision: f32, bf16 or f16.
mlir::FloatType lowType(Precision precision, mlir::MLIRContext *context);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/autocast/Passes.h.inc"

} // namespace amp::compiler

#endif
