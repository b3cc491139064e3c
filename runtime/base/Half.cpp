#include "runtime/base/Half.h"

namespace amp::runtime {

float f16ToFloat(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000u) << 16;
  uint32_t exponent = (half >> 10) & 0x1fu;
  uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0x1f)
    return floatFromBits(sign | 0x7f800000u | (mantissa << 13) | (mantissa ? 0x400000u : 0u));
  if (exponent != 0)
    return floatFromBits(sign | ((exponent + 112) << 23) | (mantissa << 13));
  // Zero and subnormals: mantissa * 2^-24 is exact in float32.
  float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return floatFromBits(sign | floatBits(magnitude));
}

uint16_t floatToF16(float value) {
  uint32_t bits = floatBits(value);
  auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x477ff000u) // 65520 and more round to infinity
    return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude >= 0x38800000u) { // 2^-14 and more: normal
    uint32_t rebased = magnitude - (112u << 23);
    return static_cast<uint16_t>(sign | ((rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13));
  }
  // Adding 0.5 puts the last place at 2^-24, so the addition itself rounds to nearest even.
  uint32_t rounded = floatBits(floatFromBits(magnitude) + 0.5f) - floatBits(0.5f);
  return static_cast<uint16_t>(sign | rounded);
}

namespace {
template <typename T> void widen(const void *from, uint64_t count, float *to) {
  const auto *bytes = static_cast<const uint8_t *>(from);
  for (uint64_t i = 0; i < count; ++i) {
    T value; // the source may be unaligned: a member of a file
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    to[i] = static_cast<float>(value);
  }
}

template <float (*convert)(uint16_t)> void widenHalf(const void *from, uint64_t count, float *to) {
  const auto *bytes = static_cast<const uint8_t *>(from);
  for (uint64_t i = 0; i < count; ++i) {
    uint16_t value;
    std::memcpy(&value, bytes + i * sizeof value, sizeof value);
    to[i] = convert(value);
  }
}
} // namespace

void convertToFloat(ElementType type, const void *from, uint64_t count, float *to) {
  switch (type) {
  case ElementType::F32:
    return widen<float>(from, count, to);
  case ElementType::BF16:
    return widenHalf<bf16ToFloat>(from, count, to);
  case ElementType::F16:
    return widenHalf<f16ToFloat>(from, count, to);
  case ElementType::F64:
    return widen<double>(from, count, to);
  case ElementType::I64:
    return widen<int64_t>(from, count, to);
  case ElementType::I32:
    return widen<int32_t>(from, count, to);
  case ElementType::I8:
    return widen<int8_t>(from, count, to);
  case ElementType::U8:
  case ElementType::I1:
    return widen<uint8_t>(from, count, to);
  }
}

} // namespace amp::runtime
