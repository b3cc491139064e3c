#include "tools/amp-train/Accuracy.h"

#include "runtime/base/Half.h"

#include <cstring>

namespace amp::tools {
namespace {

bool removesTo(runtime::Span<const uint64_t> output, size_t axis, const std::vector<uint64_t> &labels) {
  if (output.size() != labels.size() + 1)
    return false;
  for (size_t i = 0; i < labels.size(); ++i)
    if (output[i < axis ? i : i + 1] != labels[i])
      return false;
  return true;
}

int64_t labelAt(const data::InputSpec &spec, const std::vector<uint8_t> &labels, uint64_t at) {
  if (spec.type == runtime::ElementType::I64) {
    int64_t label;
    std::memcpy(&label, &labels[at * sizeof label], sizeof label);
    return label;
  }
  int32_t label;
  std::memcpy(&label, &labels[at * sizeof label], sizeof label);
  return label;
}

} // namespace

std::optional<ClassAxis> findClassAxis(runtime::Span<const uint64_t> output, const std::vector<uint64_t> &labels) {
  if (output.size() < 2)
    return std::nullopt;
  size_t axis = output.size() == 3 && removesTo(output, 2, labels) ? 2 : 1;
  if (!removesTo(output, axis, labels) || output[axis] == 0)
    return std::nullopt;
  ClassAxis found;
  for (size_t i = 0; i < output.size(); ++i)
    (i < axis ? found.outer : i == axis ? found.classes : found.inner) *= output[i];
  return found;
}

Hits countHits(const runtime::OutputView &scores, const ClassAxis &axis, const data::InputSpec &spec,
               const std::vector<uint8_t> &labels) {
  uint64_t count = axis.outer * axis.classes * axis.inner;
  std::vector<float> values(count);
  runtime::convertToFloat(scores.type, scores.data, count, values.data());
  Hits result;
  for (uint64_t outer = 0; outer < axis.outer; ++outer)
    for (uint64_t inner = 0; inner < axis.inner; ++inner) {
      int64_t label = labelAt(spec, labels, outer * axis.inner + inner);
      if (label == spec.ignoreIndex)
        continue;
      ++result.counted;
      const float *first = values.data() + outer * axis.classes * axis.inner + inner;
      uint64_t best = 0;
      for (uint64_t c = 1; c < axis.classes; ++c)
        if (first[c * axis.inner] > first[best * axis.inner])
          best = c;
      // Scores that are not numbers choose nothing.
      result.hits += first[best * axis.inner] == first[best * axis.inner] && int64_t(best) == label;
    }
  return result;
}

} // namespace amp::tools
