// C++17 over amp.h, header-only: values and exceptions in place of handles and statuses. Everything that amp.h says of
// ownership, threads and trust holds here. Plain calls throw amp::Error; each has a try... twin that returns a result.
#pragma once

#include "amp/amp.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace amp {

/// Of the library that the program runs with.
inline std::string version() {
  return amp_version();
}

/// A failure: what() is the text for the user, status() the kind.
class Error : public std::runtime_error {
public:
  Error(amp_status status, const std::string &text) : std::runtime_error(text), kind(status) {}
  amp_status status() const { return kind; }

private:
  amp_status kind;
};

/// A value, or the error that says why there is none.
template <typename T> class Outcome {
public:
  Outcome(T value) : held(std::move(value)) {}
  Outcome(Error error) : failure(std::move(error)) {}

  explicit operator bool() const { return held.has_value(); }
  const Error &error() const { return *failure; }
  /// The value; throws the error where there is none.
  T &value() & {
    if (!held)
      throw *failure;
    return *held;
  }
  T value() && {
    if (!held)
      throw *failure;
    return std::move(*held);
  }

private:
  std::optional<T> held;
  std::optional<Error> failure;
};

/// An Outcome of calls that give nothing back.
struct Done {};

namespace detail {

inline Error lastError(amp_status status) {
  return Error(status, amp_last_error());
}

inline Outcome<Done> outcome(amp_status status) {
  if (status != AMP_STATUS_OK)
    return lastError(status);
  return Done();
}

inline void check(amp_status status) {
  if (status != AMP_STATUS_OK)
    throw lastError(status);
}

template <typename T> T sized() {
  T value = {};
  value.size = sizeof(T);
  return value;
}

template <typename T> struct TypeOf;
template <> struct TypeOf<float> {
  static constexpr amp_type value = AMP_TYPE_FLOAT32;
};
template <> struct TypeOf<double> {
  static constexpr amp_type value = AMP_TYPE_FLOAT64;
};
template <> struct TypeOf<int64_t> {
  static constexpr amp_type value = AMP_TYPE_INT64;
};
template <> struct TypeOf<int32_t> {
  static constexpr amp_type value = AMP_TYPE_INT32;
};
template <> struct TypeOf<int8_t> {
  static constexpr amp_type value = AMP_TYPE_INT8;
};
template <> struct TypeOf<uint8_t> {
  static constexpr amp_type value = AMP_TYPE_UINT8;
};
template <> struct TypeOf<bool> {
  static constexpr amp_type value = AMP_TYPE_BOOL;
};

} // namespace detail

/// A tensor by reference, C order. Where the data live and how long: the function that gives it says so.
struct Tensor {
  std::string name;
  amp_type type = AMP_TYPE_FLOAT32;
  std::vector<uint64_t> shape;
  const void *data = nullptr;
  uint64_t bytes = 0;

  /// The elements, where T is the tensor's type, else null.
  template <typename T> const T *as() const {
    return type == detail::TypeOf<T>::value ? static_cast<const T *>(data) : nullptr;
  }
  uint64_t count() const {
    uint64_t product = 1;
    for (uint64_t dimension : shape)
      product *= dimension;
    return product;
  }

  static Tensor from(const amp_tensor &tensor) {
    Tensor made;
    made.name = tensor.name;
    made.type = tensor.type;
    made.shape.assign(tensor.shape, tensor.shape + tensor.rank);
    made.data = tensor.data;
    made.bytes = tensor.bytes;
    return made;
  }
};

namespace detail {

/// The tensors that a pair of C functions lists; `describe(index, &tensor)` gives a status.
template <typename Describe> Outcome<std::vector<Tensor>> list(size_t count, Describe describe) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < count; ++i) {
    auto tensor = sized<amp_tensor>();
    if (amp_status status = describe(i, &tensor); status != AMP_STATUS_OK)
      return lastError(status);
    tensors.push_back(Tensor::from(tensor));
  }
  return tensors;
}

} // namespace detail

/// A package, opened and checked; copies share it. Opening a package is trusting its code: hashes detect damage, not
/// malice.
class Program {
public:
  static Program open(const std::string &path) { return tryOpen(path).value(); }
  static Outcome<Program> tryOpen(const std::string &path) {
    amp_program *opened = nullptr;
    if (amp_status status = amp_program_open(path.c_str(), &opened); status != AMP_STATUS_OK)
      return detail::lastError(status);
    return Program(opened);
  }

  /// What a batch needs in a phase, labels included; the data are null.
  std::vector<Tensor> inputs(amp_phase phase = AMP_PHASE_TRAIN) const { return tryInputs(phase).value(); }
  Outcome<std::vector<Tensor>> tryInputs(amp_phase phase = AMP_PHASE_TRAIN) const {
    return detail::list(amp_program_input_count(handle.get(), phase), [&](size_t index, amp_tensor *input) {
      return amp_program_input(handle.get(), phase, index, input);
    });
  }
  /// What an evaluation gives, "loss" included; the data are null.
  std::vector<Tensor> outputs() const { return tryOutputs().value(); }
  Outcome<std::vector<Tensor>> tryOutputs() const {
    return detail::list(amp_program_output_count(handle.get()), [&](size_t index, amp_tensor *output) {
      return amp_program_output(handle.get(), index, output);
    });
  }
  /// Texts live as long as a copy of the program.
  amp_program_info info() const { return tryInfo().value(); }
  Outcome<amp_program_info> tryInfo() const {
    auto info = detail::sized<amp_program_info>();
    if (amp_status status = amp_program_describe(handle.get(), &info); status != AMP_STATUS_OK)
      return detail::lastError(status);
    return info;
  }
  const amp_program *get() const { return handle.get(); }

private:
  explicit Program(amp_program *opened) : handle(opened, amp_program_close) {}
  std::shared_ptr<amp_program> handle;
};

/// Named tensors for a step, borrowed until the step returns.
class Batch {
public:
  Batch() : handle(nullptr, amp_batch_destroy) {
    amp_batch *made = nullptr;
    detail::check(amp_batch_create(&made));
    handle.reset(made);
  }

  /// Adds a tensor, or replaces the one of that name. `data` holds product(shape) elements in C order.
  template <typename T> void set(const std::string &name, const T *data, std::initializer_list<uint64_t> shape) {
    set(name, detail::TypeOf<T>::value, data, std::vector<uint64_t>(shape));
  }
  template <typename T> void set(const std::string &name, const T *data, const std::vector<uint64_t> &shape) {
    set(name, detail::TypeOf<T>::value, data, shape);
  }
  void set(const std::string &name, amp_type type, const void *data, const std::vector<uint64_t> &shape) {
    trySet(name, type, data, shape).value();
  }
  template <typename T>
  Outcome<Done> trySet(const std::string &name, const T *data, const std::vector<uint64_t> &shape) {
    return trySet(name, detail::TypeOf<T>::value, data, shape);
  }
  Outcome<Done> trySet(const std::string &name, amp_type type, const void *data, const std::vector<uint64_t> &shape) {
    return detail::outcome(amp_batch_set(handle.get(), name.c_str(), type, shape.data(), shape.size(), data));
  }
  void clear() { amp_batch_clear(handle.get()); }
  const amp_batch *get() const { return handle.get(); }

private:
  std::unique_ptr<amp_batch, void (*)(amp_batch *)> handle;
};

struct TrainerOptions {
  std::string device = "auto"; ///< "auto" or "cpu"
  unsigned threads = 0;        ///< 0: one a CPU; results are bitwise the same at any number
  int64_t seed = 0;            ///< of dropout and other random operators
};

struct StepResult {
  float loss = 0;         ///< unscaled
  bool stepped = false;   ///< the weights were updated
  bool foundInf = false;  ///< a gradient or the loss was not finite
  float gradNorm = 0;     ///< unscaled, before clipping
  float scale = 1;        ///< loss scale that this step used
  float learningRate = 0; ///< that this step used
};

struct Evaluation {
  float loss = 0;              ///< NaN without labels
  std::vector<Tensor> outputs; ///< the model's and "loss"; data valid until the trainer's next call
};

struct MemoryReport {
  uint64_t stateBytes = 0;
  uint64_t scratchBytes = 0;
  uint64_t workspaceBytes = 0;
  uint64_t inputBytes = 0;
  uint64_t peakBytes = 0;
};

/// The state of one training, and its threads. One call at a time.
class Trainer {
public:
  explicit Trainer(const Program &program, const TrainerOptions &options = {})
      : Trainer(tryCreate(program, options).value()) {}
  static Outcome<Trainer> tryCreate(const Program &program, const TrainerOptions &options = {}) {
    amp_trainer_options wanted;
    amp_trainer_options_init(&wanted);
    wanted.device = options.device.c_str();
    wanted.threads = options.threads;
    wanted.seed = options.seed;
    amp_trainer *made = nullptr;
    if (amp_status status = amp_trainer_create(program.get(), &wanted, &made); status != AMP_STATUS_OK)
      return detail::lastError(status);
    return Trainer(made);
  }

  /// One step. A skipped one is a result with stepped = false; the error AMP_STATUS_NONFINITE ends a training.
  StepResult step(const Batch &batch) { return tryStep(batch).value(); }
  Outcome<StepResult> tryStep(const Batch &batch) {
    auto result = detail::sized<amp_step_result>();
    if (amp_status status = amp_trainer_step(handle.get(), batch.get(), &result); status != AMP_STATUS_OK)
      return detail::lastError(status);
    StepResult step;
    step.loss = result.loss;
    step.stepped = result.stepped != 0;
    step.foundInf = result.found_inf != 0;
    step.gradNorm = result.grad_norm;
    step.scale = result.scale;
    step.learningRate = result.learning_rate;
    return step;
  }

  /// Forward and loss with the current weights; labels may be left out.
  Evaluation evaluate(const Batch &batch) { return tryEvaluate(batch).value(); }
  Outcome<Evaluation> tryEvaluate(const Batch &batch) {
    Evaluation evaluation;
    if (amp_status status = amp_trainer_evaluate(handle.get(), batch.get(), &evaluation.loss); status != AMP_STATUS_OK)
      return detail::lastError(status);
    Outcome<std::vector<Tensor>> outputs =
        detail::list(amp_trainer_output_count(handle.get()),
                     [&](size_t index, amp_tensor *output) { return amp_trainer_output(handle.get(), index, output); });
    if (!outputs)
      return outputs.error();
    evaluation.outputs = std::move(outputs).value();
    return evaluation;
  }

  void setLearningRate(float rate) { trySetLearningRate(rate).value(); }
  Outcome<Done> trySetLearningRate(float rate) {
    return detail::outcome(amp_trainer_set_learning_rate(handle.get(), rate));
  }
  float learningRate() const { return amp_trainer_learning_rate(handle.get()); }
  float lossScale() const { return amp_trainer_loss_scale(handle.get()); }
  /// Updates that were taken, and steps that were tried.
  int64_t updates() const { return amp_trainer_updates(handle.get()); }
  int64_t attempts() const { return amp_trainer_attempts(handle.get()); }

  /// fp32 masters in the ONNX layout. The data change with every step and live as long as the trainer.
  std::vector<Tensor> parameters() const { return tryParameters().value(); }
  Outcome<std::vector<Tensor>> tryParameters() const {
    return detail::list(amp_trainer_parameter_count(handle.get()), [&](size_t index, amp_tensor *parameter) {
      return amp_trainer_parameter(handle.get(), index, parameter);
    });
  }
  /// Running means and variances, borrowed like parameters.
  std::vector<Tensor> statistics() const { return tryStatistics().value(); }
  Outcome<std::vector<Tensor>> tryStatistics() const {
    return detail::list(amp_trainer_statistic_count(handle.get()), [&](size_t index, amp_tensor *statistic) {
      return amp_trainer_statistic(handle.get(), index, statistic);
    });
  }
  /// Gradients of the last step by parameter name: fp32, unscaled, before clipping; copies.
  std::map<std::string, std::vector<float>> gradients() const { return tryGradients().value(); }
  Outcome<std::map<std::string, std::vector<float>>> tryGradients() const {
    std::map<std::string, std::vector<float>> gradients;
    Outcome<std::vector<Tensor>> trained = tryParameters();
    if (!trained)
      return trained.error();
    for (const Tensor &parameter : trained.value()) {
      std::vector<float> values(parameter.count());
      uint64_t bytes = values.size() * sizeof(float);
      if (amp_status status = amp_trainer_read_gradient(handle.get(), parameter.name.c_str(), values.data(), bytes);
          status != AMP_STATUS_OK)
        return detail::lastError(status);
      gradients.emplace(parameter.name, std::move(values));
    }
    return gradients;
  }
  /// Writes a parameter or running statistic; `bytes` are the tensor's.
  void write(const std::string &name, const void *data, uint64_t bytes) { tryWrite(name, data, bytes).value(); }
  Outcome<Done> tryWrite(const std::string &name, const void *data, uint64_t bytes) {
    return detail::outcome(amp_trainer_write_parameter(handle.get(), name.c_str(), data, bytes));
  }

  /// A text of the application that travels with checkpoints.
  void setText(const std::string &key, const std::string &text) { trySetText(key, text).value(); }
  Outcome<Done> trySetText(const std::string &key, const std::string &text) {
    return detail::outcome(amp_trainer_set_text(handle.get(), key.c_str(), text.c_str()));
  }
  std::optional<std::string> text(const std::string &key) const {
    const char *found = amp_trainer_text(handle.get(), key.c_str());
    return found ? std::optional<std::string>(found) : std::nullopt;
  }

  void save(const std::string &directory) { trySave(directory).value(); }
  Outcome<Done> trySave(const std::string &directory) {
    return detail::outcome(amp_trainer_save(handle.get(), directory.c_str()));
  }
  void load(const std::string &directory) { tryLoad(directory).value(); }
  Outcome<Done> tryLoad(const std::string &directory) {
    return detail::outcome(amp_trainer_load(handle.get(), directory.c_str()));
  }

  MemoryReport memoryReport() const { return tryMemoryReport().value(); }
  Outcome<MemoryReport> tryMemoryReport() const {
    auto report = detail::sized<amp_memory_report>();
    if (amp_status status = amp_trainer_memory(handle.get(), &report); status != AMP_STATUS_OK)
      return detail::lastError(status);
    return MemoryReport{report.state_bytes, report.scratch_bytes, report.workspace_bytes, report.input_bytes,
                        report.peak_bytes};
  }

private:
  explicit Trainer(amp_trainer *made) : handle(made, amp_trainer_destroy) {}
  std::unique_ptr<amp_trainer, void (*)(amp_trainer *)> handle;
};

} // namespace amp
