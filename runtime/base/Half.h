// float16 and bfloat16 to float32 and back: round to nearest even, subnormals kept, NaN stays NaN (quiet, payload's
// head kept), bit for bit what F16C and AVX512-BF16's documented rounding give.
#pragma once

#include "runtime/base/ElementType.h"

#include <cstdint>
#include <cstring>

namespace amp::runtime {

inline uint32_t floatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float floatFromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline float bf16ToFloat(uint16_t half) {
  return floatFromBits(uint32_t(half) << 16);
}

inline uint16_t floatToBf16(float value) {
  uint32_t bits = floatBits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<uint16_t>((bits >> 16) | 0x40u); // rounding could carry a NaN into infinity
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

float f16ToFloat(uint16_t half);
uint16_t floatToF16(float value);

/// Converts `count` values of any element type to float32 (I64 and F64 round to nearest).
void convertToFloat(ElementType type, const void *from, uint64_t count, float *to);

} // namespace amp::runtime
