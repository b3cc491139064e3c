// The steps of codegen after the kernels are emitted.
#ifndef AMP_COMPILER_CODEGEN_CPU_LOWER_H
#define AMP_COMPILER_CODEGEN_CPU_LOWER_H

#include "compiler/codegen/cpu/Target.h"

#include "llvm/IR/Module.h"

namespace amp::compiler {

/// From scf, arith, math and vector to the LLVM dialect.
llvm::LogicalResult lowerToLlvm(mlir::ModuleOp code, const CpuTarget &target);

/// From the LLVM dialect to LLVM IR, optimised for `machine`. Refuses code that calls what it does not define.
std::unique_ptr<llvm::Module> translate(mlir::ModuleOp code, llvm::LLVMContext &context, llvm::TargetMachine &machine,
                                        unsigned optLevel);

/// An object file of it.
llvm::LogicalResult emitObject(mlir::Location location, llvm::Module &code, llvm::TargetMachine &machine,
                               llvm::SmallVectorImpl<char> &object);

/// A shared object of an object file.
llvm::LogicalResult linkShared(mlir::Location location, llvm::ArrayRef<char> object,
                               llvm::SmallVectorImpl<char> &shared);

} // namespace amp::compiler

#endif
