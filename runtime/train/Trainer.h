// Training over a session: steps, skips, evaluation, checkpoints. The loss scale, the finite test and the optimizer are
// compiled into the package; the trainer writes the learning rate and the seed, and reads what happened.
#pragma once

#include "runtime/train/Checkpoint.h"

#include <limits>
#include <map>
#include <string>

namespace amp::runtime {

struct TrainerOptions {
  unsigned threads = 0; ///< 0: one a CPU; results are bitwise the same at any number
  int64_t seed = 0;     ///< of dropout and other random operators
};

/// What a step did. Values that the package does not compute are NaN.
struct StepResult {
  float loss = std::numeric_limits<float>::quiet_NaN();
  bool stepped = false;                                     ///< the weights were updated
  bool foundInf = false;                                    ///< a gradient or the loss was not finite
  float gradNorm = std::numeric_limits<float>::quiet_NaN(); ///< unscaled, before clipping
  float scale = 1;                                          ///< the loss scale that this step used
  float learningRate = 0;                                   ///< that this step used
};

struct EvaluationResult {
  float loss = std::numeric_limits<float>::quiet_NaN(); ///< NaN without labels
  std::vector<OutputView> outputs;                      ///< valid until the next call of the trainer
};

/// Not thread-safe: one call at a time.
class Trainer {
public:
  static Result<std::unique_ptr<Trainer>> create(std::shared_ptr<const PackageReader> package,
                                                 const TrainerOptions &options);

  /// micro and finish on one batch. A batch that is refused changes nothing. A step that is skipped returns a result
  /// with stepped = false; the 20th skip in a row, and with --nonfinite=stop the first, is an error of code NonFinite,
  /// and the weights are as they were.
  Result<StepResult> step(Span<const TensorView> batch);
  /// Runs "eval". Inputs called labels or labels.* may be missing: the loss is NaN then.
  Result<EvaluationResult> evaluate(Span<const TensorView> batch);

  /// Used from the next step on.
  Status setLearningRate(float rate);
  float learningRate() const { return rate; }
  /// The scale that the next step will use; 1 in a package without one.
  float lossScale() const;
  /// Steps that were taken, and steps that were tried.
  int64_t updates() const;
  int64_t attempts() const { return record.attempts; }
  int64_t seed() const { return record.seed; }
  /// The last step's, also when it ended in an error.
  const StepResult &lastResult() const { return last; }

  /// Multiplies the gradient of the last step by float(1 / scale) as finish does. `to` has gradient.bytes bytes.
  void unscaledGradient(const StateView &gradient, float *to) const;

  Status save(FileSystem &files, const std::string &directory, const std::map<std::string, std::string> &application);
  /// Gives back the application's texts. When it fails before any state was written, the trainer is as it was.
  Result<std::map<std::string, std::string>> load(FileSystem &files, const std::string &directory);

  Session &session() { return *running; }
  const Session &session() const { return *running; }

private:
  Trainer() = default;
  Status readResult();
  Status judge();
  std::string describeNonFinite() const;
  /// The `labels` inputs of eval that a batch leaves out, as zeros.
  Status completeLabels(std::vector<TensorView> &batch, bool &missing);

  std::unique_ptr<Session> running;
  CheckpointRecord record;
  StepResult last;
  float rate = 0;
  Memory zeroLabels;
};

} // namespace amp::runtime
