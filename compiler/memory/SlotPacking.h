// Places buffers with known lives into one arena.
#ifndef AMP_COMPILER_MEMORY_SLOTPACKING_H
#define AMP_COMPILER_MEMORY_SLOTPACKING_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace amp::compiler::memory {

/// Alignment of every state and slot: a cache line, and the widest vector.
constexpr int64_t kAlignment = 64;

inline int64_t alignUp(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// A buffer that is written at step `begin` and last read at step `end`, both included.
struct Life {
  int64_t bytes = 0;
  int64_t begin = 0;
  int64_t end = 0;
  int64_t offset = -1; ///< the answer
};

/// Gives every life an offset, largest first, each at the lowest offset that no overlapping life occupies. Returns the
/// bytes of the arena. The answer depends on the order of equal sizes only through `lives`.
int64_t packSlots(llvm::MutableArrayRef<Life> lives);

} // namespace amp::compiler::memory

#endif
