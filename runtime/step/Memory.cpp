#include "runtime/step/Memory.h"

#include "runtime/base/Checked.h"

#include <utility>

#include <sys/mman.h>

namespace amp::runtime {

Result<Memory> Memory::allocate(uint64_t bytes, const char *purpose) {
  constexpr uint64_t page = 4096;
  constexpr uint64_t hugePage = uint64_t(2) << 20;
  std::optional<uint64_t> rounded = checkedAlign(bytes == 0 ? 1 : bytes, page);
  void *start =
      rounded ? ::mmap(nullptr, *rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
  if (start == MAP_FAILED)
    return Status(StatusCode::Memory, "the system has no " + std::to_string(bytes) + " bytes of memory for " + purpose +
                                          "; compile the model with a smaller batch");
  if (*rounded >= hugePage)
    ::madvise(start, *rounded, MADV_HUGEPAGE); // a hint: fewer page-table walks in large sections
  Memory memory;
  memory.start = static_cast<uint8_t *>(start);
  memory.length = bytes;
  memory.mapped = *rounded;
  return memory;
}

Memory::~Memory() {
  if (start)
    ::munmap(start, mapped);
}

Memory::Memory(Memory &&other) noexcept {
  *this = std::move(other);
}

Memory &Memory::operator=(Memory &&other) noexcept {
  std::swap(start, other.start);
  std::swap(length, other.length);
  std::swap(mapped, other.mapped);
  return *this;
}

} // namespace amp::runtime
