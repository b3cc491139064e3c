// Where the class scores of an output lie, and how often the largest one is the label.
#pragma once

#include "runtime/data/Dataset.h"
#include "runtime/step/Tensor.h"

#include <optional>

namespace amp::tools {

/// An output of shape [outer, classes, inner], the labels being [outer, inner].
struct ClassAxis {
  uint64_t outer = 1, classes = 1, inner = 1;
};

/// The class axis of an output for labels of this shape: axis 1, but the last of rank 3; nothing where neither fits.
std::optional<ClassAxis> findClassAxis(runtime::Span<const uint64_t> output, const std::vector<uint64_t> &labels);

struct Hits {
  uint64_t hits = 0;
  uint64_t counted = 0; ///< labels other than the ignore index
};

/// `labels` are those of `spec`, int64 or int32.
Hits countHits(const runtime::OutputView &scores, const ClassAxis &axis, const data::InputSpec &spec,
               const std::vector<uint8_t> &labels);

} // namespace amp::tools
