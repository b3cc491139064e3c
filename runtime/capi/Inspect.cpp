// Functions amp_trainer_* of amp.h that look at a trainer or write a tensor of it.
#include "runtime/capi/Handles.h"

#include <limits>

using namespace amp::runtime;

namespace {

amp_tensor describeState(const StateView &state) {
  return capi::describe(state.name, state.type, state.shape, state.data, state.bytes);
}

Status checkBytes(const StateView &state, const void *buffer, uint64_t bytes) {
  if (buffer && bytes == state.bytes)
    return Status();
  return capi::argumentFailure("the buffer for " + quoted(state.name) + " has " + std::to_string(buffer ? bytes : 0) +
                               " bytes, wanted " + std::to_string(state.bytes));
}

} // namespace

extern "C" {

size_t amp_trainer_output_count(const amp_trainer *trainer) {
  return trainer ? trainer->outputs.size() : 0;
}

amp_status amp_trainer_output(const amp_trainer *trainer, size_t index, amp_tensor *output) {
  return capi::guarded([&]() -> Status {
    size_t count = amp_trainer_output_count(trainer);
    if (Status status = capi::checkIndex("amp_trainer_output", index, count, "the last evaluation left", "outputs");
        !status.isOk())
      return status;
    const OutputView &view = trainer->outputs[index];
    return capi::give(output, capi::describe(view.name, view.type, view.shape, view.data, view.bytes));
  });
}

float amp_trainer_learning_rate(const amp_trainer *trainer) {
  return trainer ? trainer->trainer->learningRate() : std::numeric_limits<float>::quiet_NaN();
}

float amp_trainer_loss_scale(const amp_trainer *trainer) {
  return trainer ? trainer->trainer->lossScale() : std::numeric_limits<float>::quiet_NaN();
}

int64_t amp_trainer_updates(const amp_trainer *trainer) {
  return trainer ? trainer->trainer->updates() : 0;
}

int64_t amp_trainer_attempts(const amp_trainer *trainer) {
  return trainer ? trainer->trainer->attempts() : 0;
}

size_t amp_trainer_parameter_count(const amp_trainer *trainer) {
  return trainer ? trainer->parameters.size() : 0;
}

amp_status amp_trainer_parameter(const amp_trainer *trainer, size_t index, amp_tensor *parameter) {
  return capi::guarded([&]() -> Status {
    size_t count = amp_trainer_parameter_count(trainer);
    if (Status status = capi::checkIndex("amp_trainer_parameter", index, count, "the trainer has", "parameters");
        !status.isOk())
      return status;
    return capi::give(parameter, describeState(*trainer->parameters[index]));
  });
}

size_t amp_trainer_statistic_count(const amp_trainer *trainer) {
  return trainer ? trainer->statistics.size() : 0;
}

amp_status amp_trainer_statistic(const amp_trainer *trainer, size_t index, amp_tensor *statistic) {
  return capi::guarded([&]() -> Status {
    size_t count = amp_trainer_statistic_count(trainer);
    if (Status status = capi::checkIndex("amp_trainer_statistic", index, count, "the trainer has", "statistics");
        !status.isOk())
      return status;
    return capi::give(statistic, describeState(*trainer->statistics[index]));
  });
}

amp_status amp_trainer_write_parameter(amp_trainer *trainer, const char *name, const void *data, uint64_t bytes) {
  return capi::guarded([&]() -> Status {
    if (!trainer || !name)
      return capi::argumentFailure("amp_trainer_write_parameter: trainer or name is null");
    const StateView *state = trainer->trainer->session().state(name);
    bool writable = state && (state->role == amp::format::Role::Parameter || state->role == amp::format::Role::Frozen ||
                              state->role == amp::format::Role::Statistic);
    if (!writable)
      return Status(StatusCode::NotFound, "there is no parameter or statistic " + quoted(name) + " in the package");
    if (Status status = checkBytes(*state, data, bytes); !status.isOk())
      return status;
    if (bytes != 0)
      std::memcpy(state->data, data, bytes);
    return trainer->trainer->session().derive();
  });
}

amp_status amp_trainer_read_gradient(const amp_trainer *trainer, const char *parameter, float *to, uint64_t bytes) {
  return capi::guarded([&]() -> Status {
    if (!trainer || !parameter)
      return capi::argumentFailure("amp_trainer_read_gradient: trainer or parameter is null");
    for (const StateView &state : trainer->trainer->session().states()) {
      if (state.role != amp::format::Role::Gradient || state.of != parameter)
        continue;
      if (Status status = checkBytes(state, to, bytes); !status.isOk())
        return status;
      trainer->trainer->unscaledGradient(state, to);
      return Status();
    }
    return Status(StatusCode::NotFound, "there is no gradient of " + quoted(parameter) + " in the package");
  });
}

amp_status amp_trainer_set_text(amp_trainer *trainer, const char *key, const char *text) {
  return capi::guarded([&]() -> Status {
    if (!trainer || !key || !text)
      return capi::argumentFailure("amp_trainer_set_text: trainer, key or text is null");
    trainer->texts[key] = text;
    return Status();
  });
}

const char *amp_trainer_text(const amp_trainer *trainer, const char *key) {
  if (!trainer || !key)
    return nullptr;
  for (const auto &entry : trainer->texts) // few; a lookup by std::string could throw
    if (entry.first == key)
      return entry.second.c_str();
  return nullptr;
}

amp_status amp_trainer_memory(const amp_trainer *trainer, amp_memory_report *report) {
  return capi::guarded([&]() -> Status {
    if (!trainer)
      return capi::argumentFailure("amp_trainer_memory: trainer is null");
    SessionMemory memory = trainer->trainer->session().memory();
    amp_memory_report all = {};
    all.state_bytes = memory.state;
    all.scratch_bytes = memory.scratch;
    all.workspace_bytes = memory.workspace;
    all.input_bytes = memory.inputs;
    all.peak_bytes = memory.state + memory.scratch + memory.workspace + memory.inputs;
    return capi::give(report, all);
  });
}
}
