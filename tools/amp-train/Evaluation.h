// Loss and accuracy of a package's program "eval" over a whole data set.
#pragma once

#include "runtime/data/Loader.h"
#include "runtime/train/Trainer.h"

#include <functional>

namespace amp::tools {

struct Evaluation {
  double loss = 0;      ///< mean over the label elements that count
  bool classes = false; ///< whether there is an accuracy
  double accuracy = 0;  ///< of the largest class score against the label
  uint64_t counted = 0; ///< label elements that counted
};

/// Gives the samples that evaluation leaves out, or fails where nothing is left to evaluate.
class Evaluator {
public:
  static runtime::Result<std::unique_ptr<Evaluator>> open(runtime::FileSystem &files, const std::string &spec,
                                                          const runtime::PackageReader &package);
  /// One pass. `cancelled` is asked after each batch; then the result covers what was seen.
  runtime::Result<Evaluation> run(runtime::Trainer &trainer, const std::function<bool()> &cancelled);
  uint64_t samples() const { return dataset->size(); }
  uint64_t droppedSamples() const { return loader->droppedSamples(); }

private:
  Evaluator() = default;
  void countHits(const data::LoadedBatch &batch, runtime::Span<const runtime::OutputView> outputs, uint64_t &hits,
                 uint64_t &counted, bool &classes) const;

  std::vector<data::InputSpec> inputs;
  std::string scored; ///< output that the loss reads, where the package names it
  std::unique_ptr<data::Dataset> dataset;
  std::unique_ptr<data::Loader> loader;
};

} // namespace amp::tools
