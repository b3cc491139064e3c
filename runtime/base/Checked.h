// Arithmetic on sizes that come from files: nothing here wraps, an overflow is an empty optional.
#pragma once

#include "runtime/base/Span.h"

#include <cstdint>
#include <optional>

namespace amp::runtime {

inline std::optional<uint64_t> checkedAdd(uint64_t a, uint64_t b) {
  uint64_t sum;
  if (__builtin_add_overflow(a, b, &sum))
    return std::nullopt;
  return sum;
}

inline std::optional<uint64_t> checkedMultiply(uint64_t a, uint64_t b) {
  uint64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    return std::nullopt;
  return product;
}

/// The next multiple of `alignment`, a power of two.
inline std::optional<uint64_t> checkedAlign(uint64_t value, uint64_t alignment) {
  std::optional<uint64_t> raised = checkedAdd(value, alignment - 1);
  if (!raised)
    return std::nullopt;
  return *raised & ~(alignment - 1);
}

/// Whether [offset, offset + length) lies in [0, size).
inline bool fitsInside(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

/// The number of elements of a shape; 1 for a scalar.
template <typename Dimensions> std::optional<uint64_t> elementCount(const Dimensions &shape) {
  uint64_t count = 1;
  for (auto dimension : shape)
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(dimension), &count))
      return std::nullopt;
  return count;
}

} // namespace amp::runtime
