// The command line of amp-compile.
#ifndef AMP_TOOLS_AMP_COMPILE_ARGUMENTS_H
#define AMP_TOOLS_AMP_COMPILE_ARGUMENTS_H

#include "compiler/pipeline/Options.h"

#include <optional>

namespace amp::tools {

struct Arguments {
  compiler::CompileOptions options;
  bool json = false;
};

/// Fills `arguments`, or gives the exit code: 0 after --help and --version, 1 after a message about what is wrong.
std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments);

} // namespace amp::tools

#endif
