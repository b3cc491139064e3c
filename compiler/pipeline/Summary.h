// The figures of a stage's summary line, counted from its result.
#ifndef AMP_COMPILER_PIPELINE_SUMMARY_H
#define AMP_COMPILER_PIPELINE_SUMMARY_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace amp::compiler {

/// Operators after import and shape; parameters after trainstep; casts, transposes, groups, kernels, bytes after
/// theirs.
std::vector<std::pair<std::string, int64_t>> summarize(mlir::ModuleOp module, llvm::StringRef stage);

} // namespace amp::compiler

#endif
