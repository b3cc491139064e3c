// What amp-compile prints at the end.
#ifndef AMP_TOOLS_AMP_COMPILE_REPORT_H
#define AMP_TOOLS_AMP_COMPILE_REPORT_H

#include "compiler/pipeline/Pipeline.h"

namespace amp::tools {

/// Errors and remarks on stderr; the IR of --emit, or the summary (a line a stage, or one JSON object), on stdout.
void report(const compiler::CompileOptions &options, const compiler::CompileResult &result, bool json);

} // namespace amp::tools

#endif
