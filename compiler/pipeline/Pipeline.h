// THE order of stages: from model.onnx to model.amp.
#ifndef AMP_COMPILER_PIPELINE_PIPELINE_H
#define AMP_COMPILER_PIPELINE_PIPELINE_H

#include "compiler/pipeline/Options.h"

#include <string>
#include <vector>

namespace amp::compiler {

/// What one stage did: its name, seconds, and figures to print in order.
struct StageSummary {
  std::string stage;
  double seconds = 0;
  std::vector<std::pair<std::string, int64_t>> figures;
};

struct CompileResult {
  /// 0 done, 1 the user can fix it, 2 our fault.
  int exitCode = 0;
  /// Complete sentences for stderr, one a problem.
  std::vector<std::string> errors;
  /// Remarks and warnings for stderr.
  std::vector<std::string> remarks;
  /// With `emit`: the IR.
  std::string text;
  std::vector<StageSummary> stages;
  double seconds = 0;
};

/// Compiles options.model to options.output, or to the text of the stage options.emit. On failure no output is left.
CompileResult compile(const CompileOptions &options);

/// The stages whose IR can be printed, in order: import, shape, ..., memory, llvm, cuda.
const std::vector<std::string> &emitStages();

} // namespace amp::compiler

#endif
