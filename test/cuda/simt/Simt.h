// What generated kernels see of the emulator: the words of CUDA that their prelude is written with. It is included in
// their source in place of CUDA's own words, which stays as it is.
#ifndef AMP_TEST_CUDA_SIMT_SIMT_H
#define AMP_TEST_CUDA_SIMT_SIMT_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include <utility>

#define SIMT_EXPORT __attribute__((visibility("default")))

namespace simt {

struct Place {
  unsigned x, y, z;
};

// Of the thread that runs.
SIMT_EXPORT Place threadPlace();
SIMT_EXPORT Place blockPlace();
/// Returns when every thread of the block that lives has come here.
SIMT_EXPORT void barrier();
/// Gives the value of the lane `distance` away (by exclusive or), when all lanes of `mask` have come here.
SIMT_EXPORT unsigned long long exchange(unsigned mask, unsigned long long bits, int distance);
/// Shared memory of the block, the same for one `key`; it holds NaN before it is written.
SIMT_EXPORT void *shared(const void *key, size_t bytes);
SIMT_EXPORT float widenF16(unsigned short bits);
SIMT_EXPORT unsigned short narrowF16(float value);

template <class To, class From> To bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits of another width");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class... Pointers, size_t... Number>
void call(void (*kernel)(Pointers...), void *const *arguments, std::index_sequence<Number...>) {
  kernel(static_cast<Pointers>(arguments[Number])...);
}
template <class... Pointers> void call(void (*kernel)(Pointers...), void *const *arguments) {
  call(kernel, arguments, std::index_sequence_for<Pointers...>());
}

} // namespace simt

template <class T> T __shfl_xor_sync(unsigned mask, T value, int distance) {
  unsigned long long word = 0;
  memcpy(&word, &value, sizeof value);
  word = simt::exchange(mask, word, distance);
  memcpy(&value, &word, sizeof value);
  return value;
}

#define AMP_DEVICE static inline
#define AMP_KERNEL(threads) static void
#define AMP_ENTRY(name)                                                                                                \
  extern "C" SIMT_EXPORT void simt_##name(void *const *arguments) {                                                    \
    simt::call(name, arguments);                                                                                       \
  }
#define AMP_SHARED(type, name, count)                                                                                  \
  static char name##Key;                                                                                               \
  type *const name = static_cast<type *>(simt::shared(&name##Key, sizeof(type) * (count)))
#define threadIdx simt::threadPlace()
#define blockIdx simt::blockPlace()
#define __syncthreads() simt::barrier()

#endif
