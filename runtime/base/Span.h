// A borrowed run of values: what readers of files and checkers of packages take instead of pointer and length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace amp::runtime {

template <typename T> class Span {
public:
  constexpr Span() = default;
  constexpr Span(T *first, size_t count) : first(first), count(count) {}
  template <typename U> Span(const std::vector<U> &values) : first(values.data()), count(values.size()) {}
  template <typename U> Span(std::vector<U> &values) : first(values.data()), count(values.size()) {}

  constexpr T *data() const { return first; }
  constexpr size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr T *begin() const { return first; }
  constexpr T *end() const { return first + count; }
  constexpr T &operator[](size_t at) const { return first[at]; }
  /// Callers prove `offset + length <= size()` first.
  constexpr Span slice(size_t offset, size_t length) const { return Span(first + offset, length); }

private:
  T *first = nullptr;
  size_t count = 0;
};

using ByteSpan = Span<const uint8_t>;

inline ByteSpan bytesOf(std::string_view text) {
  return ByteSpan(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

} // namespace amp::runtime
