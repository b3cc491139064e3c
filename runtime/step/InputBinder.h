// Between a user's tensors and a program's inputs: checks names, types and shapes, converts integers, checks that
// indices lie in range. Nothing of a program has run when it refuses.
#pragma once

#include "runtime/step/Memory.h"
#include "runtime/step/Tensor.h"

#include <vector>

namespace amp::runtime {

class InputBinder {
public:
  explicit InputBinder(const format::Program &program);

  /// Every input of the program exactly once, and no other name. Allocates on first use only.
  Status bind(Span<const TensorView> tensors);
  /// Where the input's bytes lie, 64-byte aligned; valid after bind().
  const uint8_t *pointer(uint64_t input) const { return slots[input].data; }
  /// Bytes of the copies that were needed so far.
  uint64_t ownedBytes() const;

private:
  struct Slot {
    const format::Input *input;
    uint64_t count; ///< elements
    const uint8_t *data = nullptr;
    Memory owned;
  };
  Status bindSlot(Slot &slot, const TensorView &tensor);
  Status copyIntegers(Slot &slot, const TensorView &tensor);
  Status checkRange(const Slot &slot) const;

  std::vector<Slot> slots;
};

} // namespace amp::runtime
