// From the kernels of a plan to one shared object for a CPU.
#ifndef AMP_COMPILER_CODEGEN_CPU_CODEGEN_H
#define AMP_COMPILER_CODEGEN_CPU_CODEGEN_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace amp::compiler {

struct CpuOptions {
  std::string cpu = "x86-64-v3"; ///< as LLVM names it
  std::string features;          ///< "+avx2,-fma", added to what the CPU has
  unsigned optLevel = 2;         ///< 0 to 3
};

/// Registers what emitKernels() builds and translates. Call it before the context is made.
void registerCpuCodegen(mlir::DialectRegistry &registry);

/// Compiles every plan.kernel of `module` that has a #plan.generated step, "whole" or "epilogue", into a function of
/// the kernel ABI named by plan::generatedSymbol, and links them into a shared object without undefined symbols. The
/// bytes depend on the kernels and the options alone. Errors are reported on the kernels. A plan without such kernels
/// gives no bytes.
llvm::LogicalResult emitKernels(mlir::ModuleOp module, const CpuOptions &options,
                                llvm::SmallVectorImpl<char> &sharedObject);

/// The processor features that code for `options` may use and the runtime asks for before it runs it, as LLVM spells
/// them, in alphabetical order; empty for a CPU that LLVM does not know.
std::vector<std::string> requiredFeatures(const CpuOptions &options);

/// This machine's CPU, with every feature that it has or lacks spelled out: a virtual machine may mask some.
CpuOptions hostCpu();

/// The same kernels as LLVM IR text, before (optLevel 0) or after optimisation.
llvm::LogicalResult emitLlvm(mlir::ModuleOp module, const CpuOptions &options, std::string &text);

} // namespace amp::compiler

#endif
