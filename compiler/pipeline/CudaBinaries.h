// The images of GPUs that go into a package, and what is said of kernels that have none.
#ifndef AMP_COMPILER_PIPELINE_CUDABINARIES_H
#define AMP_COMPILER_PIPELINE_CUDABINARIES_H

#include "compiler/package/Package.h"
#include "compiler/pipeline/Options.h"

namespace amp::compiler {

struct CudaBinaries {
  std::vector<KernelBinary> binaries; ///< by architecture
  int64_t kernels = 0;                ///< that have CUDA code
  std::string remark;                 ///< names those that have none, in a package that has CPU code for them
  std::string error;                  ///< for the user
  int exitCode = 0;                   ///< with an error: 1 the user can change it, 2 our fault
};

/// Writes the kernels of a planned module in CUDA C++ and compiles them for the architectures of `options`.
CudaBinaries makeCudaBinaries(mlir::ModuleOp module, const CompileOptions &options);

} // namespace amp::compiler

#endif
