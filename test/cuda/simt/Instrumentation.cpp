// What -fsanitize=thread makes a kernel call: at each access, and where a compiler copies or fills.
#include "test/cuda/simt/Machine.h"

#define SIMT_ACCESS(bytes)                                                                                             \
  SIMT_EXPORT void __tsan_read##bytes(void *at) {                                                                      \
    simt::watch(at, bytes, false);                                                                                     \
  }                                                                                                                    \
  SIMT_EXPORT void __tsan_write##bytes(void *at) {                                                                     \
    simt::watch(at, bytes, true);                                                                                      \
  }                                                                                                                    \
  SIMT_EXPORT void __tsan_unaligned_read##bytes(void *at) {                                                            \
    simt::watch(at, bytes, false);                                                                                     \
  }                                                                                                                    \
  SIMT_EXPORT void __tsan_unaligned_write##bytes(void *at) {                                                           \
    simt::watch(at, bytes, true);                                                                                      \
  }

extern "C" {
SIMT_ACCESS(1)
SIMT_ACCESS(2)
SIMT_ACCESS(4)
SIMT_ACCESS(8)
SIMT_ACCESS(16)
SIMT_EXPORT void __tsan_init() {}
SIMT_EXPORT void __tsan_func_entry(void *) {}
SIMT_EXPORT void __tsan_func_exit() {}
SIMT_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
  simt::watch(from, bytes, false);
  simt::watch(to, bytes, true);
  return memcpy(to, from, bytes);
}
SIMT_EXPORT void *__tsan_memset(void *to, int value, size_t bytes) {
  simt::watch(to, bytes, true);
  return memset(to, value, bytes);
}
}
