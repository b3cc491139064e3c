// exp, log, tanh and erf as polynomials of vectors: kernels call no library.
#ifndef AMP_COMPILER_CODEGEN_CPU_MATHEXPANSION_H
#define AMP_COMPILER_CODEGEN_CPU_MATHEXPANSION_H

#include "compiler/codegen/cpu/Target.h"

#include "mlir/IR/PatternMatch.h"

namespace amp::compiler {

void populateMathExpansions(mlir::RewritePatternSet &patterns, const CpuTarget &target);

} // namespace amp::compiler

#endif
