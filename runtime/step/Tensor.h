// Tensors as the runtime hands them around: borrowed bytes with a name, a type and a shape.
#pragma once

#include "runtime/base/ElementType.h"
#include "runtime/base/Span.h"
#include "runtime/format/PackageReader.h"

#include <string_view>

namespace amp::runtime {

/// A tensor that the caller owns, C order, at any alignment; borrowed until the call returns.
struct TensorView {
  std::string_view name;
  ElementType type = ElementType::F32;
  Span<const uint64_t> shape;
  const void *data = nullptr;
  uint64_t bytes = 0; ///< how many `data` has; checked against type and shape
};

/// A result of a program: valid until the session's next run.
struct OutputView {
  std::string_view name;
  ElementType type = ElementType::F32;
  Span<const uint64_t> shape;
  const uint8_t *data = nullptr;
  uint64_t bytes = 0;
};

/// A state of a session: `data` may be read and written between runs, and lives as long as the session.
struct StateView {
  std::string_view name;
  std::string_view of; ///< master's name of a gradient, a moment, a derived copy
  format::Role role = format::Role::Constant;
  ElementType type = ElementType::F32;
  Span<const uint64_t> shape;
  uint8_t *data = nullptr;
  uint64_t bytes = 0;
};

} // namespace amp::runtime
