// The package stage: a planned module and its object code become model.amp.
#ifndef AMP_COMPILER_PACKAGE_PACKAGE_H
#define AMP_COMPILER_PACKAGE_PACKAGE_H

#include "runtime/base/FileSystem.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace amp::compiler {

/// What the runtime is told beside the plan: texts for people, and the constants that were compiled in.
struct PackageDescription {
  std::string producer;  ///< "amp 0.1.0"
  std::string model;     ///< file name of the ONNX model, without its folder
  std::string precision; ///< fp32, bf16, fp16
  std::string optimizer; ///< canonical text of --optimizer
  std::string loss;      ///< canonical text of --loss
  std::string nonfinite; ///< skip, stop, ignore
  double learningRate = 0;
  struct {
    bool dynamic = false;
    double init = 1, growth = 2, backoff = 0.5, min = 1, max = 3.4028234663852886e38;
    int interval = 2000;
  } lossScaling;
};

/// A kernel of a GPU's image, and how it is launched.
struct ImageKernel {
  std::string name; ///< of the plan.kernel, and its symbol
  unsigned blocks = 1, threads = 1;
  unsigned registers = 0, spillBytes = 0; ///< of a thread
};

/// A shared object of all generated kernels and the CPU that it needs, or an image of some kernels for a GPU.
struct KernelBinary {
  std::string target = "cpu";
  std::string arch;                  ///< as LLVM spells the CPU; sm_80, sm_90a
  std::vector<std::string> features; ///< features beyond the baseline: "avx2"
  std::string code;                  ///< the bytes of the shared object, or of the image
  std::string compiler;              ///< of an image: "NVRTC 13.0"
  std::vector<ImageKernel> kernels;  ///< of an image
};

/// Writes the package beside `path` and renames it there; initial weights are read from the files that
/// #train.external names. Precondition: amp-memory-verify. The same module, description and binaries give the same
/// bytes.
runtime::Status writePackage(mlir::ModuleOp module, const PackageDescription &description,
                             llvm::ArrayRef<KernelBinary> binaries, runtime::FileSystem &files,
                             const std::string &path);

} // namespace amp::compiler

#endif
