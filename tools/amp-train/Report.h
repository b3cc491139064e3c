// What the user sees of a training run: a bar on a terminal and plain lines elsewhere (stderr), a line an epoch
// (stdout), a line of JSON a step (--log).
#pragma once

#include "runtime/base/FileSystem.h"
#include "runtime/train/Trainer.h"
#include "tools/amp-train/Evaluation.h"

#include <chrono>
#include <optional>

namespace amp::tools {

struct StepReport {
  uint64_t step = 0;  ///< from 1
  uint64_t epoch = 0; ///< from 1
  runtime::StepResult result;
  double seconds = 0; ///< with the wait for data
  std::optional<Evaluation> validation;
};

struct EpochReport {
  uint64_t epoch = 0;
  uint64_t step = 0;
  double loss = 0; ///< mean of the steps' finite losses
  uint64_t skipped = 0;
  double seconds = 0; ///< of the steps of this process
  uint64_t samples = 0;
  std::optional<Evaluation> validation;
};

/// One line of --log.
std::string logLine(const StepReport &step);

/// --log=FILE.jsonl. A resumed run keeps the lines up to its checkpoint and goes on behind them.
class StepLog {
public:
  static runtime::Result<std::unique_ptr<StepLog>> open(runtime::FileSystem &files, const std::string &path,
                                                        uint64_t keepSteps);
  runtime::Status write(const StepReport &step);

private:
  StepLog() = default;
  std::unique_ptr<runtime::WritableFile> file;
};

class Report {
public:
  Report(bool json, uint64_t totalSteps, uint64_t totalEpochs);
  void remark(const std::string &text);
  void step(const StepReport &step);
  void epoch(const EpochReport &epoch);

private:
  void clearBar();

  bool json;
  bool terminal;
  bool barShown = false;
  uint64_t totalSteps;
  uint64_t totalEpochs;
  std::chrono::steady_clock::time_point shown;
};

} // namespace amp::tools
