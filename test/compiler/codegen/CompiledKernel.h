// Compiles one plan.kernel given as text, runs it and its reference on the same numbers.
#ifndef AMP_TEST_COMPILER_CODEGEN_COMPILEDKERNEL_H
#define AMP_TEST_COMPILER_CODEGEN_COMPILEDKERNEL_H

#include "compiler/codegen/cpu/Codegen.h"
#include "runtime/device/cpu/CpuBinary.h"
#include "test/compiler/codegen/KernelReference.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>
#include <vector>

namespace amp::test {

class CompiledKernel {
public:
  /// `body` is what stands inside the kernel's braces. `aliases` has one entry a result; empty means none.
  explicit CompiledKernel(const std::string &body, std::vector<int64_t> aliases = {},
                          const compiler::CpuOptions &options = hostOptions());

  /// Options for this machine.
  static compiler::CpuOptions hostOptions();

  bool compiled() const { return binary != nullptr; }
  int64_t tiles() const { return tileCount; }
  const std::vector<char> &bytes() const { return sharedObject; }

  /// Inputs of the kernel's types with numbers of [-1, 1], integers of [0, integerLimit).
  std::vector<Tensor> inputs(unsigned seed, int64_t integerLimit = 3) const;
  /// The results of the code; its tiles run in the order that `permutation` mixes.
  std::vector<Tensor> run(const std::vector<Tensor> &inputs, unsigned permutation = 0) const;
  std::vector<Tensor> reference(const std::vector<Tensor> &inputs) const;

  /// Runs both on `inputs`, with the tiles in three orders, and fails where they differ by more than `tolerance` of the
  /// greatest magnitude of a result, plus one rounding of its type.
  void check(const std::vector<Tensor> &inputs, double tolerance = 1e-6) const;
  void check(double tolerance = 1e-6) const { check(inputs(1), tolerance); }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  plan::KernelOp kernel;
  std::vector<char> sharedObject;
  std::unique_ptr<runtime::CpuBinary> binary;
  int64_t tileCount = 0;
};

} // namespace amp::test

#endif
