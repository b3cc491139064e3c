// The kernels of a plan as one CUDA source.
#include "compiler/codegen/cuda/Codegen.h"
#include "compiler/codegen/cuda/KernelWriter.h"
#include "compiler/codegen/cuda/Prelude.h"

#include "compiler/support/Remarks.h"
#include "dialects/train/Train.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

void amp::compiler::registerCudaCodegen(DialectRegistry &registry) {
  registry
      .insert<graph::GraphDialect, train::TrainDialect, plan::PlanDialect, arith::ArithDialect, math::MathDialect>();
}

/// The ONNX nodes of each kernel, from its calls or launches: "'relu', 'add'".
static llvm::StringMap<std::string> nodesOfKernels(ModuleOp module) {
  llvm::StringMap<llvm::SetVector<StringRef>> names;
  module.walk([&](Operation *op) {
    StringRef kernel;
    if (auto call = dyn_cast<plan::CallOp>(op))
      kernel = call.getKernel();
    else if (auto launch = dyn_cast<plan::LaunchOp>(op))
      kernel = launch.getKernel();
    else
      return;
    forEachNodeName(op->getLoc(), [&](StringAttr name) { names[kernel].insert(name); });
  });
  llvm::StringMap<std::string> texts;
  for (const auto &entry : names) {
    std::string &text = texts[entry.getKey()];
    for (StringRef name : entry.getValue())
      text += (text.empty() ? "'" : ", '") + name.str() + "'";
  }
  return texts;
}

CudaCode amp::compiler::emitCuda(ModuleOp module) {
  module.getContext()->loadDialect<arith::ArithDialect, math::MathDialect>();
  llvm::StringMap<std::string> nodes = nodesOfKernels(module);
  CudaCode code;
  for (auto kernel : module.getOps<plan::KernelOp>()) {
    KernelWriter writer(kernel);
    CudaKernel written;
    std::string from = nodes.lookup(kernel.getSymName());
    if (writer.write(written)) {
      written.nodes = from;
      code.kernels.push_back(std::move(written));
    } else {
      code.refused.push_back({kernel.getSymName().str(), from, writer.refusal()});
    }
  }
  return code;
}

/// A text of a file, fit for a comment.
static std::string comment(const std::string &text) {
  std::string line = "// ";
  for (char letter : text)
    line += letter >= ' ' && letter != '\\' ? letter : '?';
  return line + "\n";
}

std::string CudaCode::sourceOf(ArrayRef<CudaKernel> kernels) {
  std::string source = cudaPrelude;
  for (const CudaKernel &kernel : kernels) {
    source += "\n";
    if (!kernel.nodes.empty())
      source += comment(kernel.nodes);
    source += comment("blocks: " + std::to_string(kernel.blocks) + ", threads: " + std::to_string(kCudaThreads));
    source += kernel.text;
  }
  return source;
}

std::string CudaCode::source() const {
  std::string head;
  for (const CudaRefusal &kernel : refused)
    head += comment(kernel.name + " is not here: " + kernel.reason +
                    (kernel.nodes.empty() ? "" : " (node " + kernel.nodes + ")"));
  return head + sourceOf(kernels);
}
