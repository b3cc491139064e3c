// The emulator: a fiber a CUDA thread, one block after the other, on one thread of the machine.
#ifndef AMP_TEST_CUDA_SIMT_MACHINE_H
#define AMP_TEST_CUDA_SIMT_MACHINE_H

#include "test/cuda/simt/Races.h"
#include "test/cuda/simt/Simt.h"

#include <random>
#include <string>
#include <vector>

namespace simt {

/// Which thread that can run runs next. Right kernels give the same bits in each.
enum class Order {
  Forward, ///< by number, each until it waits
  Reverse,
  Random, ///< another one each time
  Greedy  ///< one warp as far as it can, before another begins
};

struct Launch {
  unsigned blocks = 1, threads = 256;
  Order order = Order::Forward;
  std::vector<Region> memory; ///< what the kernel may touch, and where races are looked for
};

struct Report {
  std::string error;              ///< why the launch stopped: "deadlock in block 0: ..."; empty when it ended
  std::vector<std::string> races; ///< the first of them
  size_t raceCount = 0;

  bool isClean() const { return error.empty() && raceCount == 0; }
};

/// A kernel by its AMP_ENTRY.
using Entry = void (*)(void *const *arguments);

/// Runs a kernel. Not for use by several threads at once.
SIMT_EXPORT Report run(Entry entry, void *const *arguments, const Launch &launch);

/// An access of the thread that runs, if a kernel runs.
void watch(const void *address, size_t bytes, bool writes);

} // namespace simt

#endif
