#include "runtime/train/Trainer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace amp::runtime {
namespace {

constexpr int64_t mostSkipsInARow = 20;

template <typename T> T loadValue(const uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T> T stateOr(const Session &session, format::Role role, T otherwise) {
  const StateView *state = session.state(role);
  return state ? loadValue<T>(state->data) : otherwise;
}

template <typename T> void store(const Session &session, format::Role role, T value) {
  if (const StateView *state = session.state(role))
    std::memcpy(state->data, &value, sizeof value);
}

/// An output that must be one value of a type where it is there.
template <typename T>
Status readScalar(const Session &session, std::string_view program, std::string_view name, ElementType type, T &to) {
  Result<OutputView> output = session.output(program, name);
  if (!output.isOk())
    return Status();
  if (output->type != type || output->bytes != sizeof(T))
    return Status(StatusCode::Damaged, "output " + quoted(name) + " of program " + quoted(program) + " is " +
                                           std::string(elementName(output->type)) + " " + shapeText(output->shape) +
                                           ", wanted one " + std::string(elementName(type)) + "; recompile the model");
  to = loadValue<T>(output->data);
  return Status();
}

bool isLabels(std::string_view name) {
  return name == "labels" || name.substr(0, 7) == "labels.";
}

} // namespace

Result<std::unique_ptr<Trainer>> Trainer::create(std::shared_ptr<const PackageReader> package,
                                                 const TrainerOptions &options) {
  float rate = package->metadata().learning_rate();
  Result<std::unique_ptr<Session>> session = Session::create(std::move(package), SessionOptions{options.threads});
  if (!session.isOk())
    return session.status();
  std::unique_ptr<Trainer> trainer(new Trainer);
  trainer->running = std::move(*session);
  trainer->rate = rate;
  trainer->record.seed = options.seed;
  store(*trainer->running, format::Role::LearningRate, rate);
  store(*trainer->running, format::Role::Seed, options.seed);
  return trainer;
}

Result<StepResult> Trainer::step(Span<const TensorView> batch) {
  if (!running->has("finish"))
    return Status(StatusCode::NotFound, "the package holds no training program; recompile the model with --mode=train");
  StepResult result;
  result.scale = lossScale();
  result.learningRate = rate;
  store(*running, format::Role::LearningRate, rate);
  if (Status status = running->run("micro", batch); !status.isOk())
    return status;
  if (Status status = running->run("finish", {}); !status.isOk())
    return status;
  last = result;
  ++record.attempts;
  if (Status status = readResult(); !status.isOk())
    return status;
  if (Status status = judge(); !status.isOk())
    return status;
  return last;
}

Status Trainer::readResult() {
  uint8_t finite = 1;
  if (Status status = readScalar(*running, "micro", "loss", ElementType::F32, last.loss); !status.isOk())
    return status;
  if (Status status = readScalar(*running, "finish", "gradient_norm", ElementType::F32, last.gradNorm); !status.isOk())
    return status;
  if (Status status = readScalar(*running, "finish", "finite", ElementType::I1, finite); !status.isOk())
    return status;
  last.foundInf = finite == 0;
  last.stepped = !last.foundInf || running->package().metadata().nonfinite() == format::NonFinite::Ignore;
  return Status();
}

Status Trainer::judge() {
  if (last.stepped) {
    record.skipsInARow = 0;
    return Status();
  }
  ++record.skipsInARow;
  bool stops = running->package().metadata().nonfinite() == format::NonFinite::Stop;
  if (!stops && record.skipsInARow % mostSkipsInARow != 0)
    return Status();
  std::string what = stops ? "step " + std::to_string(record.attempts) + " went non-finite"
                           : std::to_string(record.skipsInARow) + " steps in a row went non-finite and were skipped";
  return Status(StatusCode::NonFinite, what + ": " + describeNonFinite() +
                                           "; the weights are as before; lower the learning rate, or look for what "
                                           "is not finite in the data");
}

std::string Trainer::describeNonFinite() const {
  std::string text = "loss " + std::to_string(last.loss) + ", loss scale " + std::to_string(last.scale);
  for (const StateView &state : running->states()) {
    if (state.role != format::Role::Gradient)
      continue;
    for (uint64_t at = 0; at < state.bytes; at += sizeof(float))
      if (!std::isfinite(loadValue<float>(state.data + at)))
        return text + ", first in the gradient of " + quoted(state.of);
  }
  return text;
}

Result<EvaluationResult> Trainer::evaluate(Span<const TensorView> batch) {
  std::vector<TensorView> complete(batch.begin(), batch.end());
  bool missing = false;
  if (Status status = completeLabels(complete, missing); !status.isOk())
    return status;
  if (Status status = running->run("eval", Span<const TensorView>(complete)); !status.isOk())
    return status;
  EvaluationResult result;
  result.outputs = running->outputs("eval");
  if (!missing)
    if (Status status = readScalar(*running, "eval", "loss", ElementType::F32, result.loss); !status.isOk())
      return status;
  return result;
}

Status Trainer::completeLabels(std::vector<TensorView> &batch, bool &missing) {
  const format::Program *program = running->package().program("eval");
  if (!program)
    return Status();
  std::vector<TensorView> added;
  uint64_t most = 0;
  for (const format::Input *input : *program->inputs()) {
    std::string_view name = viewOf(input->name());
    bool given = std::any_of(batch.begin(), batch.end(), [&](const TensorView &one) { return one.name == name; });
    if (given || !isLabels(name))
      continue;
    TensorView zeros;
    zeros.name = name;
    zeros.type = elementTypeOf(input->type());
    zeros.shape = spanOf(input->shape());
    zeros.bytes = elementBytes(zeros.type);
    for (uint64_t dimension : zeros.shape) // proven by checkPackage not to wrap
      zeros.bytes *= dimension;
    most = std::max(most, zeros.bytes);
    added.push_back(zeros);
  }
  missing = !added.empty();
  if (most > zeroLabels.size()) {
    Result<Memory> memory = Memory::allocate(most, "labels that were not given");
    if (!memory.isOk())
      return memory.status();
    zeroLabels = std::move(*memory);
  }
  for (TensorView &zeros : added) {
    zeros.data = zeroLabels.data();
    batch.push_back(zeros);
  }
  return Status();
}

Status Trainer::setLearningRate(float wanted) {
  if (!std::isfinite(wanted) || wanted < 0)
    return Status(StatusCode::Argument,
                  "learning rate " + std::to_string(wanted) + " is out of range, wanted 0 or more");
  rate = wanted;
  return Status();
}

float Trainer::lossScale() const {
  return stateOr<float>(*running, format::Role::LossScale, 1);
}

int64_t Trainer::updates() const {
  return stateOr<int64_t>(*running, format::Role::StepCount, 0);
}

void Trainer::unscaledGradient(const StateView &gradient, float *to) const {
  auto inverse = static_cast<float>(1.0 / static_cast<double>(last.scale));
  for (uint64_t i = 0; i < gradient.bytes / sizeof(float); ++i)
    to[i] = loadValue<float>(gradient.data + i * sizeof(float)) * inverse;
}

Status Trainer::save(FileSystem &files, const std::string &directory,
                     const std::map<std::string, std::string> &application) {
  store(*running, format::Role::LearningRate, rate);
  record.application = application;
  record.updates = updates();
  return saveCheckpoint(files, directory, *running, record);
}

Result<std::map<std::string, std::string>> Trainer::load(FileSystem &files, const std::string &directory) {
  Result<CheckpointRecord> loaded = loadCheckpoint(files, directory, *running);
  if (!loaded.isOk())
    return loaded.status();
  record = std::move(*loaded);
  rate = stateOr<float>(*running, format::Role::LearningRate, rate);
  return record.application;
}

} // namespace amp::runtime
