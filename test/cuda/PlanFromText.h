// A plan of kernels given as text.
#ifndef AMP_TEST_CUDA_PLANFROMTEXT_H
#define AMP_TEST_CUDA_PLANFROMTEXT_H

#include "compiler/codegen/cuda/Codegen.h"
#include "dialects/plan/Plan.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace amp::test {

class PlanFromText {
public:
  /// `bodies` are what stands inside the braces of kernels k0, k1, ...; no result overwrites an input.
  explicit PlanFromText(const std::vector<std::string> &bodies);

  mlir::ModuleOp operator*() { return *module; }
  std::vector<plan::KernelOp> kernels();

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace amp::test

#endif
