// Large zero-filled memory of a session, from the system and back to it.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <memory>

namespace amp::runtime {

/// Zero-filled bytes at a page boundary.
class Memory {
public:
  /// `purpose` is for the message when the system has none left.
  static Result<Memory> allocate(uint64_t bytes, const char *purpose);
  Memory() = default;
  ~Memory();
  Memory(Memory &&other) noexcept;
  Memory &operator=(Memory &&other) noexcept;

  uint8_t *data() const { return start; }
  uint64_t size() const { return length; }

private:
  uint8_t *start = nullptr;
  uint64_t length = 0;
  uint64_t mapped = 0;
};

} // namespace amp::runtime
