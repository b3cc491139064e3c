#include "tools/amp-train/TrainingRun.h"

#include "tools/amp-train/Inputs.h"
#include "tools/amp-train/Interrupt.h"

#include <cmath>

namespace amp::tools {

using runtime::Result;
using runtime::Status;
using runtime::StatusCode;

using Clock = std::chrono::steady_clock;

Result<std::unique_ptr<TrainingRun>> TrainingRun::open(runtime::FileSystem &files, const Arguments &arguments) {
  std::unique_ptr<TrainingRun> run(new TrainingRun(files, arguments));
  for (auto phase :
       {&TrainingRun::openPackage, &TrainingRun::openData, &TrainingRun::openCheckpoints, &TrainingRun::openRecords})
    if (Status status = (run.get()->*phase)(); !status.isOk())
      return status;
  return run;
}

Status TrainingRun::openPackage() {
  Result<runtime::PackageReader> reader = runtime::PackageReader::open(files, arguments.package);
  if (!reader.isOk())
    return reader.status();
  package = std::make_shared<const runtime::PackageReader>(std::move(*reader));
  Result<std::vector<data::InputSpec>> specs = programInputs(*package, "micro");
  if (!specs.isOk())
    return specs.status();
  inputs = std::move(*specs);
  runtime::TrainerOptions options;
  options.threads = arguments.threads;
  options.seed = arguments.seed.value_or(0);
  Result<std::unique_ptr<runtime::Trainer>> created = runtime::Trainer::create(package, options);
  if (!created.isOk())
    return created.status();
  trainer = std::move(*created);
  return Status();
}

Status TrainingRun::openData() {
  Result<std::unique_ptr<data::Dataset>> opened =
      data::openDataset(files, arguments.training, data::Part::Training, inputs);
  if (!opened.isOk())
    return opened.status();
  dataset = std::move(*opened);
  uint64_t batches = dataset->size() / inputs[0].shape[0];
  if (batches == 0)
    return Status(StatusCode::Argument,
                  "holds " + std::to_string(dataset->size()) + " samples, fewer than a batch of " +
                      std::to_string(inputs[0].shape[0]) + "; compile with a smaller --batch",
                  arguments.training);
  totalSteps = arguments.steps;
  if (totalSteps == 0 && __builtin_mul_overflow(arguments.epochs, batches, &totalSteps))
    return Status(StatusCode::Argument, "--epochs=" + std::to_string(arguments.epochs) + " leaves 64 bits of steps");
  if (arguments.validation.empty())
    return Status();
  Result<std::unique_ptr<Evaluator>> validation = Evaluator::open(files, arguments.validation, *package);
  if (!validation.isOk())
    return validation.status();
  evaluator = std::move(*validation);
  return Status();
}

Status TrainingRun::openCheckpoints() {
  uint64_t batches = dataset->size() / inputs[0].shape[0];
  report.emplace(arguments.json, totalSteps, (totalSteps - 1) / batches + 1);
  if (arguments.checkpoints.empty())
    return Status();
  checkpoints.emplace(files, arguments.checkpoints, arguments.keep);
  Status status = checkpoints->prepare(arguments.resume);
  if (!status.isOk() || !arguments.resume)
    return status;
  Result<std::optional<CheckpointFolder::Resumed>> resumed = checkpoints->load(*trainer);
  if (!resumed.isOk())
    return resumed.status();
  report->remark(*resumed ? "resumed from " + (*resumed)->name
                          : "no checkpoint in " + arguments.checkpoints + " yet; starting");
  return *resumed ? restore(**resumed) : Status();
}

void TrainingRun::startLoader() {
  data::LoaderOptions options;
  options.shuffle = arguments.shuffle;
  options.seed = uint64_t(trainer->seed());
  loader = std::make_unique<data::Loader>(*dataset, inputs, options);
  if (uint64_t dropped = loader->droppedSamples())
    report->remark("each epoch drops " + std::to_string(dropped) + " of " + std::to_string(dataset->size()) +
                   " samples, which do not fill a batch of " + std::to_string(inputs[0].shape[0]));
  if (uint64_t dropped = evaluator ? evaluator->droppedSamples() : 0)
    report->remark("validation drops " + std::to_string(dropped) + " of " + std::to_string(evaluator->samples()) +
                   " samples, which do not fill a batch; only cross-entropy can leave out padding");
}

Status TrainingRun::openRecords() {
  startLoader();
  float base = arguments.learningRate.value_or(package->metadata().learning_rate());
  Result<Schedule> parsed = Schedule::parse(arguments.schedule, base, totalSteps);
  if (!parsed.isOk())
    return parsed.status();
  schedule = *parsed;
  if (arguments.log.empty())
    return Status();
  Result<std::unique_ptr<StepLog>> opened = StepLog::open(files, arguments.log, step);
  if (!opened.isOk())
    return opened.status();
  log = std::move(*opened);
  return Status();
}

Result<RunEnd> TrainingRun::run() {
  bool starting = true;
  while (step < totalSteps && !interrupted()) {
    if (starting || atEpochEnd())
      loader->start(step / loader->batchesPerEpoch(), step % loader->batchesPerEpoch());
    starting = false;
    if (Status status = runStep(); !status.isOk())
      return status;
    bool due = atEpochEnd() || step == totalSteps;
    if (due)
      if (Status status = finishEpoch(); !status.isOk())
        return status;
    if (log)
      if (Status status = log->write(last); !status.isOk())
        return status;
    uint64_t every = arguments.checkpointEvery;
    if (every ? step % every == 0 : due)
      if (Status status = save(); !status.isOk())
        return status;
  }
  bool early = step < totalSteps;
  if (Status status = save(); !status.isOk())
    return status;
  if (early)
    report->remark("interrupted after step " + std::to_string(step) +
                   (checkpoints ? "; --resume goes on from there" : "; without --checkpoint nothing was kept"));
  return early ? RunEnd::Interrupted : RunEnd::Done;
}

Status TrainingRun::runStep() {
  Clock::time_point begin = Clock::now();
  Result<const data::LoadedBatch *> batch = loader->next();
  if (!batch.isOk())
    return batch.status();
  if (!*batch)
    return Status(StatusCode::Internal, "the loader ended before its epoch");
  if (Status status = trainer->setLearningRate(schedule->rate(uint64_t(trainer->updates()))); !status.isOk())
    return status;
  Result<runtime::StepResult> result = trainer->step(viewsOf(**batch, inputs));
  if (!result.isOk())
    return result.status();
  ++step;
  last = StepReport();
  last.step = step;
  last.epoch = epochIndex() + 1;
  last.result = *result;
  last.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  seconds += last.seconds;
  samples += (*batch)->samples;
  skipped += result->stepped ? 0 : 1;
  if (std::isfinite(result->loss)) {
    lossSum += double(result->loss);
    ++lossSteps;
  }
  report->step(last);
  return Status();
}

Status TrainingRun::finishEpoch() {
  if (evaluator) {
    Result<Evaluation> evaluation = evaluator->run(*trainer, interrupted);
    if (!evaluation.isOk())
      return evaluation.status();
    if (!interrupted())
      last.validation = *evaluation;
  }
  EpochReport epoch;
  epoch.epoch = epochIndex() + 1;
  epoch.step = step;
  epoch.loss = lossSteps ? lossSum / double(lossSteps) : NAN;
  epoch.skipped = skipped;
  epoch.seconds = seconds;
  epoch.samples = samples;
  epoch.validation = last.validation;
  report->epoch(epoch);
  // A run of --steps that ends inside an epoch may be resumed with more: its sums go on.
  if (!atEpochEnd())
    return Status();
  lossSum = seconds = 0;
  lossSteps = skipped = samples = 0;
  return Status();
}

} // namespace amp::tools
