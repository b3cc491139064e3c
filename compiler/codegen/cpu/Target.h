// What the code of kernels asks of the processor.
#ifndef AMP_COMPILER_CODEGEN_CPU_TARGET_H
#define AMP_COMPILER_CODEGEN_CPU_TARGET_H

#include "compiler/codegen/cpu/Codegen.h"

#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace amp::compiler {

struct CpuTarget {
  int64_t lanes = 4; ///< fp32 lanes of a register
  bool fma = false;  ///< has a fused multiply-add: without one, math.fma would be a call
  bool f16c = false; ///< converts fp16 itself: without it a conversion would be a call
};

/// The machine that `options` name, or null after an error at `location`.
std::unique_ptr<llvm::TargetMachine> createMachine(mlir::Location location, const CpuOptions &options);

CpuTarget describe(const llvm::TargetMachine &machine);

} // namespace amp::compiler

#endif
