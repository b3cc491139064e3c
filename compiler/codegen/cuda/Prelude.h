// The text that every CUDA source begins with.
#ifndef AMP_COMPILER_CODEGEN_CUDA_PRELUDE_H
#define AMP_COMPILER_CODEGEN_CUDA_PRELUDE_H

namespace amp::compiler {

/// Prelude.cuh.
extern const char *const cudaPrelude;

} // namespace amp::compiler

#endif
