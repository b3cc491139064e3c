// Dialects and passes of amp, in one place each, for amp-compile, amp-opt and tests.
#ifndef AMP_COMPILER_PIPELINE_REGISTRATION_H
#define AMP_COMPILER_PIPELINE_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace amp::compiler {

/// The dialects of amp, and those that CPU code generation builds kernels from.
void registerAmp(mlir::DialectRegistry &registry);

/// Every pass of every stage, by its argument.
void registerAmpPasses();

} // namespace amp::compiler

#endif
