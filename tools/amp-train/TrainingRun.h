// A whole run of amp-train: opens everything, loops over steps and epochs, keeps checkpoints.
#pragma once

#include "tools/amp-train/Arguments.h"
#include "tools/amp-train/Checkpoints.h"
#include "tools/amp-train/Evaluation.h"
#include "tools/amp-train/Report.h"
#include "tools/amp-train/Schedule.h"

namespace amp::tools {

enum class RunEnd : uint8_t { Done, Interrupted };

class TrainingRun {
public:
  /// Opens package, data, checkpoints and log; nothing has been trained, and of the named outputs only the folder of
  /// the checkpoints and the log exist.
  static runtime::Result<std::unique_ptr<TrainingRun>> open(runtime::FileSystem &files, const Arguments &arguments);

  runtime::Result<RunEnd> run();

private:
  TrainingRun(runtime::FileSystem &files, const Arguments &arguments) : files(files), arguments(arguments) {}

  runtime::Status openPackage();
  runtime::Status openData();
  runtime::Status openCheckpoints();
  void startLoader();
  runtime::Status openRecords();
  runtime::Status restore(const CheckpointFolder::Resumed &resumed);
  runtime::Status runStep();
  runtime::Status finishEpoch();
  runtime::Status save();
  std::map<std::string, std::string> application() const;
  uint64_t epochIndex() const { return step == 0 ? 0 : (step - 1) / loader->batchesPerEpoch(); }
  bool atEpochEnd() const { return step % loader->batchesPerEpoch() == 0; }

  runtime::FileSystem &files;
  const Arguments &arguments;
  std::shared_ptr<const runtime::PackageReader> package;
  std::unique_ptr<runtime::Trainer> trainer;
  std::vector<data::InputSpec> inputs;
  std::unique_ptr<data::Dataset> dataset;
  std::unique_ptr<data::Loader> loader;
  std::unique_ptr<Evaluator> evaluator;
  std::optional<CheckpointFolder> checkpoints;
  std::optional<Schedule> schedule;
  std::unique_ptr<StepLog> log;
  std::optional<Report> report;

  uint64_t totalSteps = 0;
  uint64_t step = 0; // that were tried, in this run and those that it resumes
  uint64_t savedStep = 0;
  StepReport last; // not yet in the log: a validation may still belong to it
  // Of the epoch that is running; part of the checkpoint, so that a resumed epoch reports the same loss.
  double lossSum = 0;
  uint64_t lossSteps = 0;
  uint64_t skipped = 0;
  // Of the epoch and this process.
  double seconds = 0;
  uint64_t samples = 0;
};

} // namespace amp::tools
