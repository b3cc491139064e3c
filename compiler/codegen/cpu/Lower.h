// The steps of codegen after the kernels are emitted.
#ifndef AMP_COMPILER_CODEGEN_CPU_LOWER_H
#define AMP_COMPILER_CODEGEN_CPU_LOWER_H

#include "compiler/codegen/cpu/Target.h"

#include "llvm/IR/Module.h"

#include <string>

namespace amp::compiler {

/// From scf, arith, math and vector to the LLVM dialect.
llvm::LogicalResult lowerToLlvm(mlir::ModuleOp code, const CpuTarget &target);

/// From the LLVM dialect to LLVM IR for `machine`.
std::unique_ptr<llvm::Module> translate(mlir::ModuleOp code, llvm::LLVMContext &context, llvm::TargetMachine &machine);

/// Optimises at a level of 0 (nothing) to 3. Safe on several threads, each with its own context and machine.
void optimise(llvm::Module &code, llvm::TargetMachine &machine, unsigned level);

/// An object file of it, or a text that says why there is none: code that calls what it does not define is refused.
/// Thread rule as optimise().
std::string emitObject(llvm::Module &code, llvm::TargetMachine &machine, llvm::SmallVectorImpl<char> &object);

/// A shared object of object files.
llvm::LogicalResult linkShared(mlir::Location location, llvm::ArrayRef<llvm::ArrayRef<char>> objects,
                               llvm::SmallVectorImpl<char> &shared);

} // namespace amp::compiler

#endif
