#include "tools/amp-train/Evaluation.h"

#include "tools/amp-train/Accuracy.h"
#include "tools/amp-train/Inputs.h"

namespace amp::tools {

using runtime::Result;
using runtime::Status;
using runtime::StatusCode;

Result<std::unique_ptr<Evaluator>> Evaluator::open(runtime::FileSystem &files, const std::string &spec,
                                                   const runtime::PackageReader &package) {
  std::unique_ptr<Evaluator> evaluator(new Evaluator());
  Result<std::vector<data::InputSpec>> inputs = programInputs(package, "eval");
  if (!inputs.isOk())
    return inputs.status();
  evaluator->inputs = *inputs;
  Result<std::unique_ptr<data::Dataset>> dataset = data::openDataset(files, spec, data::Part::Validation, *inputs);
  if (!dataset.isOk())
    return dataset.status();
  evaluator->dataset = std::move(*dataset);
  data::LoaderOptions options;
  options.shortBatch = data::canPad(*inputs) ? data::ShortBatch::Pad : data::ShortBatch::Drop;
  evaluator->loader = std::make_unique<data::Loader>(*evaluator->dataset, *inputs, options);
  if (evaluator->loader->batchesPerEpoch() == 0)
    return Status(StatusCode::Argument,
                  "holds " + std::to_string(evaluator->dataset->size()) + " samples, fewer than a batch of " +
                      std::to_string((*inputs)[0].shape[0]) +
                      ", and this loss cannot leave out padding; compile with a smaller --batch",
                  spec);
  std::string loss(runtime::viewOf(package.metadata().loss()));
  constexpr std::string_view key = ",of="; // the canonical text ends with it
  if (size_t at = loss.find(key); at != std::string::npos)
    evaluator->scored = loss.substr(at + key.size());
  return evaluator;
}

void Evaluator::countHits(const data::LoadedBatch &batch, runtime::Span<const runtime::OutputView> outputs,
                          uint64_t &hits, uint64_t &counted, bool &classes) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].canMask())
      continue;
    for (const runtime::OutputView &output : outputs) {
      std::optional<ClassAxis> axis = findClassAxis(output.shape, inputs[i].shape);
      if (!axis || (!scored.empty() && output.name != scored))
        continue;
      Hits found = tools::countHits(output, *axis, inputs[i], batch.inputs[i]);
      hits += found.hits;
      counted += found.counted;
      classes = true;
      return;
    }
  }
}

Result<Evaluation> Evaluator::run(runtime::Trainer &trainer, const std::function<bool()> &cancelled) {
  Evaluation result;
  uint64_t hits = 0, scoredLabels = 0;
  double sum = 0;
  loader->start(0);
  while (!cancelled()) {
    Result<const data::LoadedBatch *> batch = loader->next();
    if (!batch.isOk())
      return batch.status();
    if (!*batch)
      break;
    Result<runtime::EvaluationResult> evaluated = trainer.evaluate(viewsOf(**batch, inputs));
    if (!evaluated.isOk())
      return evaluated.status();
    // A batch of nothing but ignored labels has no mean.
    if ((*batch)->weight > 0)
      sum += double(evaluated->loss) * double((*batch)->weight);
    result.counted += (*batch)->weight;
    countHits(**batch, evaluated->outputs, hits, scoredLabels, result.classes);
  }
  result.loss = result.counted ? sum / double(result.counted) : 0;
  result.classes = result.classes && scoredLabels > 0;
  result.accuracy = result.classes ? double(hits) / double(scoredLabels) : 0;
  return result;
}

} // namespace amp::tools
