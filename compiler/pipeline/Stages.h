// The passes of each stage, with the options that a compilation gives them.
#ifndef AMP_COMPILER_PIPELINE_STAGES_H
#define AMP_COMPILER_PIPELINE_STAGES_H

#include "compiler/pipeline/Options.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"

namespace amp::compiler {

struct Stage {
  llvm::StringRef name;
  void (*addPasses)(mlir::OpPassManager &passes, const CompileOptions &options);
};

/// From shape to memory, in THE order. Import comes before them, code generation and the package after.
llvm::ArrayRef<Stage> stages();

} // namespace amp::compiler

#endif
