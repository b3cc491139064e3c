#include "compiler/pipeline/CudaBinaries.h"

#include "compiler/codegen/cuda/Codegen.h"

using namespace amp::compiler;

/// One line a kernel without code: "kernel_1: graph.matmul has no CUDA code yet (node '/fc1/Gemm')".
static std::string listOf(const std::vector<CudaRefusal> &refused) {
  std::string list;
  for (const CudaRefusal &kernel : refused)
    list += "\n  " + kernel.name + ": " + kernel.reason + (kernel.nodes.empty() ? "" : " (node " + kernel.nodes + ")");
  return list;
}

static KernelBinary binaryOf(CudaImage &image) {
  KernelBinary binary;
  binary.target = "cuda";
  binary.arch = image.arch;
  binary.compiler = image.compiler;
  binary.code = std::move(image.cubin);
  for (const CudaKernel &kernel : image.kernels)
    binary.kernels.push_back({kernel.name, kernel.blocks, kCudaThreads, kernel.registers, kernel.spillBytes});
  return binary;
}

CudaBinaries amp::compiler::makeCudaBinaries(mlir::ModuleOp module, const CompileOptions &options) {
  CudaBinaries made;
  CudaCode code = emitCuda(module);
  made.kernels = int64_t(code.kernels.size());
  if (!code.refused.empty()) {
    std::string counts = std::to_string(code.refused.size()) + " of " +
                         std::to_string(code.refused.size() + code.kernels.size()) + " kernels have no CUDA code yet";
    if (!options.hasTarget("cpu")) {
      made.exitCode = 1;
      made.error = counts + "; compile with --target=cpu --target=cuda for a package that trains on a CPU" +
                   listOf(code.refused);
      return made;
    }
    made.remark = counts + " and run on a CPU only:" + listOf(code.refused);
  }
  std::vector<std::string> archs = options.cudaArchs;
  if (archs.empty())
    for (llvm::StringRef arch : cudaArchitectures())
      archs.push_back(arch.str());
  std::vector<CudaImage> images;
  bool internal = false;
  if (!code.kernels.empty())
    made.error = compileCuda(code.kernels, archs, options.nvrtc, images, internal);
  made.exitCode = made.error.empty() ? 0 : internal ? 2 : 1;
  for (CudaImage &image : images)
    made.binaries.push_back(binaryOf(image));
  return made;
}
