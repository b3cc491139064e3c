// The command line of amp-inspect.
#pragma once

#include <optional>
#include <string>

namespace amp::tools {

struct Arguments {
  std::string package;
  bool plan = false;
  bool memory = false;
  bool kernels = false;
  bool precision = false;
  bool json = false;
};

/// Fills `arguments`, or gives the exit code after help, version or a message on stderr.
std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments);

} // namespace amp::tools
