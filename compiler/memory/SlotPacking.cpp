// Greedy placement by size: within a few percent of the lower bound on training steps, and simple enough to trust.
#include "compiler/memory/SlotPacking.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace amp::compiler::memory;

static bool liveTogether(const Life &a, const Life &b) {
  return a.begin <= b.end && b.begin <= a.end;
}

int64_t amp::compiler::memory::packSlots(llvm::MutableArrayRef<Life> lives) {
  llvm::SmallVector<Life *> bySize;
  for (Life &life : lives)
    bySize.push_back(&life);
  // Equal sizes keep the order of `lives`: pointers into one array compare by position.
  llvm::sort(bySize, [](Life *a, Life *b) { return a->bytes != b->bytes ? a->bytes > b->bytes : a < b; });

  int64_t arena = 0;
  llvm::SmallVector<Life *> placed;
  for (Life *life : bySize) {
    // Neighbours in order of offset: the first gap that is wide enough wins.
    llvm::SmallVector<Life *> neighbours;
    llvm::copy_if(placed, std::back_inserter(neighbours), [&](Life *other) { return liveTogether(*life, *other); });
    llvm::sort(neighbours, [](Life *a, Life *b) { return a->offset < b->offset; });
    int64_t need = std::max<int64_t>(kAlignment, alignUp(life->bytes));
    int64_t offset = 0;
    for (Life *other : neighbours) {
      if (offset + need <= other->offset)
        break;
      offset = std::max(offset, other->offset + std::max<int64_t>(kAlignment, alignUp(other->bytes)));
    }
    life->offset = offset;
    arena = std::max(arena, offset + need);
    placed.push_back(life);
  }
  return arena;
}
