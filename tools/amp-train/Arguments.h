// The command line of amp-train.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace amp::tools {

struct Arguments {
  std::string package;
  std::string training;   // --data
  std::string validation; // empty: none
  uint64_t epochs = 0;    // 0: as many as `steps` take
  uint64_t steps = 0;
  std::optional<int64_t> seed; // unset: 0, or the checkpoint's
  unsigned threads = 0;
  bool shuffle = false;
  std::optional<float> learningRate; // unset: the package's
  std::string schedule = "constant"; // text of --lr-schedule
  std::string checkpoints;           // folder; empty: none are written
  uint64_t checkpointEvery = 0;      // steps; 0: at the end of each epoch
  uint64_t keep = 0;                 // 0: all
  bool resume = false;
  std::string log;
  bool json = false;
};

/// Fills `arguments`, or gives the exit code after help, version or a message on stderr.
std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments);

} // namespace amp::tools
