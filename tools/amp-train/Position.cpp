// Where a run stands, in and out of its checkpoints: with the trainer's states this is all that a resumed run needs to
// be bitwise the uninterrupted one.
#include "tools/amp-train/TrainingRun.h"

#include <cstdio>
#include <cstdlib>

namespace amp::tools {

using runtime::Result;
using runtime::Status;
using runtime::StatusCode;

namespace {

using Texts = std::map<std::string, std::string>;

Result<uint64_t> numberIn(const Texts &texts, const std::string &key, const std::string &place) {
  auto found = texts.find(key);
  std::string text = found == texts.end() ? "" : found->second;
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 18)
    return Status(StatusCode::Argument,
                  "has " + runtime::quoted(text) + " as " + key +
                      " of its run, wanted a number; it was not written by amp-train",
                  place);
  return uint64_t(std::strtoull(text.c_str(), nullptr, 10));
}

// What must be as it was for the order of the data to be the same.
Status mustEqual(uint64_t was, uint64_t is, const std::string &what, const std::string &place) {
  if (was == is)
    return Status();
  return Status(StatusCode::Argument,
                "was written with " + what + " " + std::to_string(was) + ", now it is " + std::to_string(is) +
                    "; resume with the same data and options, or leave "
                    "out --resume and name another folder",
                place);
}

std::string exactText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

} // namespace

Texts TrainingRun::application() const {
  Texts texts;
  texts["amp-train.step"] = std::to_string(step);
  texts["amp-train.epoch"] = std::to_string(step / loader->batchesPerEpoch());
  texts["amp-train.batch"] = std::to_string(step % loader->batchesPerEpoch());
  texts["amp-train.samples"] = std::to_string(dataset->size());
  texts["amp-train.batch_samples"] = std::to_string(inputs[0].shape[0]);
  texts["amp-train.shuffle"] = arguments.shuffle ? "1" : "0";
  texts["amp-train.loss_sum"] = exactText(lossSum);
  texts["amp-train.loss_steps"] = std::to_string(lossSteps);
  texts["amp-train.skipped"] = std::to_string(skipped);
  return texts;
}

Status TrainingRun::restore(const CheckpointFolder::Resumed &resumed) {
  struct Number {
    const char *key;
    uint64_t value;
  };
  Number numbers[] = {{"amp-train.step", 0},    {"amp-train.samples", 0},    {"amp-train.batch_samples", 0},
                      {"amp-train.shuffle", 0}, {"amp-train.loss_steps", 0}, {"amp-train.skipped", 0}};
  for (Number &number : numbers) {
    Result<uint64_t> value = numberIn(resumed.application, number.key, resumed.name);
    if (!value.isOk())
      return value.status();
    number.value = *value;
  }
  Status same = mustEqual(numbers[1].value, dataset->size(), "a number of training samples of", resumed.name);
  if (same.isOk())
    same = mustEqual(numbers[2].value, inputs[0].shape[0], "a batch of", resumed.name);
  if (same.isOk())
    same = mustEqual(numbers[3].value, arguments.shuffle ? 1 : 0, "--shuffle =", resumed.name);
  if (!same.isOk())
    return same;
  if (arguments.seed && *arguments.seed != trainer->seed())
    return Status(StatusCode::Argument,
                  "was written with --seed=" + std::to_string(trainer->seed()) + ", not " +
                      std::to_string(*arguments.seed) + "; leave --seed out to go on",
                  resumed.name);
  step = savedStep = numbers[0].value;
  lossSteps = numbers[4].value;
  skipped = numbers[5].value;
  auto sum = resumed.application.find("amp-train.loss_sum");
  lossSum = sum == resumed.application.end() ? 0 : std::strtod(sum->second.c_str(), nullptr);
  return Status();
}

Status TrainingRun::save() {
  if (!checkpoints || step == savedStep)
    return Status();
  Result<std::string> saved = checkpoints->save(*trainer, step, application());
  if (!saved.isOk())
    return saved.status();
  savedStep = step;
  return Status();
}

} // namespace amp::tools
