#include "tools/amp-run/Run.h"

#include "tools/amp-run/Batches.h"
#include "tools/amp-run/Results.h"

#include <chrono>

namespace amp::tools {
namespace {

using runtime::Result;
using runtime::Status;
using runtime::StatusCode;

class Runner {
public:
  Runner(runtime::Trainer &trainer, std::vector<Batch> batches, const Arguments &arguments)
      : trainer(trainer), batches(std::move(batches)), arguments(arguments) {}

  Status runSteps();
  Status benchmark();

private:
  Status runOne(uint64_t number, bool print);
  Status runStep(uint64_t number, runtime::Span<const runtime::TensorView> batch, bool print);
  Status runEvaluation(uint64_t number, runtime::Span<const runtime::TensorView> batch, bool print);
  void stop() { seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }

  runtime::Trainer &trainer;
  std::vector<Batch> batches;
  const Arguments &arguments;
  std::chrono::steady_clock::time_point begin;
  double seconds = 0; // of the last step
};

Status Runner::runOne(uint64_t number, bool print) {
  runtime::Span<const runtime::TensorView> batch;
  if (!batches.empty())
    batch = batches[(number - 1) % batches.size()].views();
  begin = std::chrono::steady_clock::now();
  return arguments.evaluate ? runEvaluation(number, batch, print) : runStep(number, batch, print);
}

Status Runner::runStep(uint64_t number, runtime::Span<const runtime::TensorView> batch, bool print) {
  Result<runtime::StepResult> step = trainer.step(batch);
  stop();
  // The step that ends the training is reported too.
  bool counted = step.isOk() || step.status().code() == StatusCode::NonFinite;
  if (print && counted)
    printStep(number, trainer.lastResult(), seconds, arguments.json);
  return step.isOk() ? Status() : step.status();
}

Status Runner::runEvaluation(uint64_t number, runtime::Span<const runtime::TensorView> batch, bool print) {
  Result<runtime::EvaluationResult> evaluation = trainer.evaluate(batch);
  stop();
  if (!evaluation.isOk())
    return evaluation.status();
  if (print)
    printEvaluation(number, evaluation->loss, seconds, arguments.json);
  return Status();
}

Status Runner::runSteps() {
  uint64_t steps = arguments.steps.value_or(batches.empty() ? 1 : batches.size());
  for (uint64_t number = 1; number <= steps; ++number)
    if (Status status = runOne(number, true); !status.isOk())
      return status;
  if (steps == 0)
    return saveResults(trainer, {}, arguments);
  return saveResults(trainer, trainer.session().outputs(arguments.evaluate ? "eval" : "micro"), arguments);
}

Status Runner::benchmark() {
  constexpr uint64_t warmUp = 3;
  std::vector<double> times;
  for (uint64_t number = 1; number <= warmUp + arguments.benchmark; ++number) {
    if (Status status = runOne(number, false); !status.isOk())
      return status;
    if (number > warmUp)
      times.push_back(seconds);
  }
  runtime::SessionMemory memory = trainer.session().memory();
  printBenchmark(std::move(times), memory.state + memory.scratch + memory.workspace + memory.inputs, arguments.json);
  return saveResults(trainer, trainer.session().outputs(arguments.evaluate ? "eval" : "micro"), arguments);
}

} // namespace

Status run(const Arguments &arguments) {
  runtime::FileSystem &files = runtime::posixFileSystem();
  Result<runtime::PackageReader> reader = runtime::PackageReader::open(files, arguments.package);
  if (!reader.isOk())
    return reader.status();
  auto package = std::make_shared<const runtime::PackageReader>(std::move(*reader));
  const format::Program *program = package->program(arguments.evaluate ? "eval" : "micro");
  if (!program && arguments.listInputs)
    program = package->program("eval");
  if (!program)
    return Status(StatusCode::NotFound,
                  arguments.evaluate ? "the package holds no evaluation program; recompile the model"
                                     : "the package holds no training program; use --mode=eval, or recompile the "
                                       "model with --mode=train",
                  arguments.package);
  if (arguments.listInputs) {
    printInputs(*program);
    return Status();
  }
  std::vector<Batch> batches;
  for (const std::string &path : arguments.inputs) {
    Result<Batch> batch = Batch::open(files, path, *program);
    if (!batch.isOk())
      return batch.status();
    batches.push_back(std::move(*batch));
  }
  Result<std::unique_ptr<runtime::Trainer>> trainer =
      runtime::Trainer::create(package, {arguments.threads, arguments.seed});
  if (!trainer.isOk())
    return trainer.status();
  if (!arguments.load.empty())
    if (Result<std::map<std::string, std::string>> loaded = (*trainer)->load(files, arguments.load); !loaded.isOk())
      return loaded.status();
  Runner runner(**trainer, std::move(batches), arguments);
  return arguments.benchmark ? runner.benchmark() : runner.runSteps();
}

} // namespace amp::tools
