// Functions amp_trainer_* of amp.h that run something.
#include "runtime/capi/Handles.h"

using namespace amp::runtime;

namespace {

Status checkDevice(const char *device) {
  std::string_view name = device ? device : "auto";
  if (name == "auto" || name == "cpu")
    return Status();
  return Status(StatusCode::Unsupported,
                "device " + quoted(name) + " is none of this runtime's; choose \"auto\" or \"cpu\"");
}

amp_step_result resultOf(const StepResult &step) {
  amp_step_result result = {};
  result.loss = step.loss;
  result.grad_norm = step.gradNorm;
  result.scale = step.scale;
  result.learning_rate = step.learningRate;
  result.stepped = step.stepped;
  result.found_inf = step.foundInf;
  return result;
}

} // namespace

extern "C" {

void amp_trainer_options_init(amp_trainer_options *options) {
  if (options)
    *options = {sizeof *options, "auto", 0, 0};
}

amp_status amp_trainer_create(const amp_program *program, const amp_trainer_options *options, amp_trainer **trainer) {
  return capi::guarded([&]() -> Status {
    if (!program || !trainer)
      return capi::argumentFailure("amp_trainer_create: program or trainer is null");
    amp_trainer_options wanted;
    amp_trainer_options_init(&wanted);
    if (options && options->size < sizeof options->size)
      return capi::argumentFailure("the trainer options have size " + std::to_string(options->size) +
                                   "; fill them with amp_trainer_options_init first");
    if (options)
      std::memcpy(&wanted, options, std::min(options->size, sizeof wanted));
    if (Status status = checkDevice(wanted.device); !status.isOk())
      return status;
    Result<std::unique_ptr<Trainer>> made = Trainer::create(program->reader, {wanted.threads, wanted.seed});
    if (!made.isOk())
      return made.status();
    auto handle = std::make_unique<amp_trainer>();
    handle->trainer = std::move(*made);
    for (const StateView &state : handle->trainer->session().states()) {
      if (state.role == amp::format::Role::Parameter)
        handle->parameters.push_back(&state);
      if (state.role == amp::format::Role::Statistic)
        handle->statistics.push_back(&state);
    }
    *trainer = handle.release();
    return Status();
  });
}

void amp_trainer_destroy(amp_trainer *trainer) {
  delete trainer;
}

amp_status amp_trainer_step(amp_trainer *trainer, const amp_batch *batch, amp_step_result *result) {
  return capi::guarded([&]() -> Status {
    if (!trainer || !batch)
      return capi::argumentFailure("amp_trainer_step: trainer or batch is null");
    trainer->outputs.clear();
    std::vector<TensorView> views = batch->views();
    Result<StepResult> step = trainer->trainer->step(Span<const TensorView>(views));
    if (!step.isOk() && step.status().code() != StatusCode::NonFinite)
      return step.status();
    if (result)
      if (Status status = capi::give(result, resultOf(trainer->trainer->lastResult())); !status.isOk())
        return status;
    return step.isOk() ? Status() : step.status();
  });
}

amp_status amp_trainer_evaluate(amp_trainer *trainer, const amp_batch *batch, float *loss) {
  return capi::guarded([&]() -> Status {
    if (!trainer || !batch)
      return capi::argumentFailure("amp_trainer_evaluate: trainer or batch is null");
    trainer->outputs.clear();
    std::vector<TensorView> views = batch->views();
    Result<EvaluationResult> evaluation = trainer->trainer->evaluate(Span<const TensorView>(views));
    if (!evaluation.isOk())
      return evaluation.status();
    trainer->outputs = std::move(evaluation->outputs);
    if (loss)
      *loss = evaluation->loss;
    return Status();
  });
}

amp_status amp_trainer_set_learning_rate(amp_trainer *trainer, float rate) {
  return capi::guarded([&]() -> Status {
    if (!trainer)
      return capi::argumentFailure("amp_trainer_set_learning_rate: trainer is null");
    return trainer->trainer->setLearningRate(rate);
  });
}

amp_status amp_trainer_save(amp_trainer *trainer, const char *directory) {
  return capi::guarded([&]() -> Status {
    if (!trainer || !directory)
      return capi::argumentFailure("amp_trainer_save: trainer or directory is null");
    return trainer->trainer->save(posixFileSystem(), directory, trainer->texts);
  });
}

amp_status amp_trainer_load(amp_trainer *trainer, const char *directory) {
  return capi::guarded([&]() -> Status {
    if (!trainer || !directory)
      return capi::argumentFailure("amp_trainer_load: trainer or directory is null");
    trainer->outputs.clear();
    Result<std::map<std::string, std::string>> texts = trainer->trainer->load(posixFileSystem(), directory);
    if (!texts.isOk())
      return texts.status();
    trainer->texts = std::move(*texts);
    return Status();
  });
}
}
