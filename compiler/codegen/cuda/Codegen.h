// From the kernels of a plan to CUDA C++, and by NVRTC to code of GPUs. Nothing here needs a GPU, a driver or a header
// of CUDA: NVRTC is loaded when it is asked for.
#ifndef AMP_COMPILER_CODEGEN_CUDA_CODEGEN_H
#define AMP_COMPILER_CODEGEN_CUDA_CODEGEN_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <string>
#include <vector>

namespace amp::compiler {

/// Threads of every block: one size, so that a kernel's sums have one order on every GPU.
constexpr unsigned kCudaThreads = 256;

/// One kernel as text. Its arguments are those of the kernel ABI, one pointer each: inputs, then results.
struct CudaKernel {
  std::string name;                       ///< of the plan.kernel, and of the __global__ function
  std::string nodes;                      ///< of ONNX that it computes: "'relu', 'add'", or empty
  std::string text;                       ///< the function
  unsigned blocks = 1;                    ///< of kCudaThreads threads
  unsigned registers = 0, spillBytes = 0; ///< of a thread, once it is compiled
};

/// A kernel of the plan that has no CUDA code yet.
struct CudaRefusal {
  std::string name, nodes;
  std::string reason; ///< "graph.matmul has no CUDA code yet"
};

struct CudaCode {
  std::vector<CudaKernel> kernels; ///< in the order of the plan
  std::vector<CudaRefusal> refused;

  /// The source of some kernels: the prelude, then their functions.
  static std::string sourceOf(llvm::ArrayRef<CudaKernel> kernels);
  /// The whole source, with what has no code named at its head.
  std::string source() const;
};

/// Registers what emitCuda() builds rules with. Call it before the context is made.
void registerCudaCodegen(mlir::DialectRegistry &registry);

/// Writes every plan.kernel of `module` that CUDA code is known for; the text depends on the kernels alone.
CudaCode emitCuda(mlir::ModuleOp module);

/// Code for one architecture, of some of the kernels.
struct CudaImage {
  std::string arch;     ///< "sm_80", "sm_90a"
  std::string compiler; ///< "NVRTC 13.0"
  std::vector<CudaKernel> kernels;
  std::string cubin;
};

/// Why there is no NVRTC to compile with, for the user; empty where there is one. `library` as in compileCuda().
std::string checkNvrtc(const std::string &library);

/// The architectures that may be asked for, as users write them.
llvm::ArrayRef<llvm::StringRef> cudaArchitectures();

/// Compiles the kernels for each of `archs` with the NVRTC in the file `library`, or, where that is empty, with the one
/// that the loader finds. Equal kernels give equal bytes with one version of NVRTC. Gives a message for the user, empty
/// when all is well; the fault is amp's where `internal` is set.
std::string compileCuda(llvm::ArrayRef<CudaKernel> kernels, llvm::ArrayRef<std::string> archs,
                        const std::string &library, std::vector<CudaImage> &images, bool &internal);

} // namespace amp::compiler

#endif
