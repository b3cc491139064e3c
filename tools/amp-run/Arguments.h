// The command line of amp-run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace amp::tools {

struct Arguments {
  std::string package;
  std::vector<std::string> inputs;
  std::optional<uint64_t> steps; // unset: one a file
  bool evaluate = false;
  int64_t seed = 0;
  unsigned threads = 0;
  std::string load;
  std::string save;
  std::string outputs;    // --save-outputs
  std::string gradients;  // --save-gradients
  std::string parameters; // --save-parameters
  std::string state;      // --save-state
  bool listInputs = false;
  uint64_t benchmark = 0; // measured steps
  bool json = false;
};

/// Fills `arguments`, or gives the exit code after help, version or a message on stderr.
std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments);

} // namespace amp::tools
