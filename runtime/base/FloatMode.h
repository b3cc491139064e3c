// The floating-point mode that kernels are compiled for: round to nearest, subnormals kept. An application may have
// switched to flushing (one library built with -ffast-math is enough), and fp16 gradients live among the subnormals.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace amp::runtime {

/// Sets the default mode on this thread, and the old one again at the end of the scope.
class DefaultFloatMode {
public:
#if defined(__SSE__)
  DefaultFloatMode() : saved(_mm_getcsr()) { _mm_setcsr(0x1f80u); }
  ~DefaultFloatMode() { _mm_setcsr(saved); }
#else
  DefaultFloatMode() = default;
#endif
  DefaultFloatMode(const DefaultFloatMode &) = delete;
  DefaultFloatMode &operator=(const DefaultFloatMode &) = delete;

private:
  unsigned saved = 0;
};

} // namespace amp::runtime
