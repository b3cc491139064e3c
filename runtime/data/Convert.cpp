#include "runtime/data/Convert.h"

#include "runtime/base/Half.h"

#include <cstring>
#include <limits>
#include <type_traits>

namespace amp::data {
namespace {

using runtime::ElementType;
using runtime::ScalarType;
using runtime::Status;

// The sixteen-bit floats, apart from the integers of their size.
struct Bf16 {
  uint16_t bits;
};
struct F16 {
  uint16_t bits;
};
struct Truth {
  uint8_t byte;
};

template <typename T> T loadAs(const uint8_t *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The value as the widest type of its kind, which holds it exactly.
template <typename T> auto widened(T value) {
  if constexpr (std::is_same_v<T, Bf16>)
    return double(runtime::bf16ToFloat(value.bits));
  else if constexpr (std::is_same_v<T, F16>)
    return double(runtime::f16ToFloat(value.bits));
  else if constexpr (std::is_same_v<T, Truth>)
    return int64_t(value.byte != 0);
  else if constexpr (std::is_floating_point_v<T>)
    return double(value);
  else
    return int64_t(value);
}

// False where the value has no place in T.
template <typename T, typename Wide> bool store(Wide value, uint8_t *at) {
  T narrow{};
  if constexpr (std::is_same_v<T, Bf16>) {
    narrow.bits = runtime::floatToBf16(float(value));
  } else if constexpr (std::is_same_v<T, F16>) {
    narrow.bits = runtime::floatToF16(float(value));
  } else if constexpr (std::is_same_v<T, Truth>) {
    if (value != 0 && value != 1)
      return false;
    narrow.byte = uint8_t(value);
  } else if constexpr (std::is_integral_v<T> && std::is_integral_v<Wide>) {
    if (value < int64_t(std::numeric_limits<T>::min()) || value > int64_t(std::numeric_limits<T>::max()))
      return false;
    narrow = T(value);
  } else {
    narrow = T(value);
  }
  std::memcpy(at, &narrow, sizeof narrow);
  return true;
}

template <typename From, typename To> Status convertAll(runtime::ByteSpan from, ElementType toType, uint8_t *to) {
  size_t count = from.size() / sizeof(From);
  for (size_t i = 0; i < count; ++i) {
    auto wide = widened(loadAs<From>(from.data() + i * sizeof(From)));
    if (!store<To>(wide, to + i * sizeof(To)))
      return Status(runtime::StatusCode::Argument, "value " + std::to_string(wide) + " at element " +
                                                       std::to_string(i) + " does not fit " +
                                                       std::string(runtime::elementName(toType)));
  }
  return Status();
}

template <typename From> Status convertFrom(runtime::ByteSpan from, ElementType toType, uint8_t *to) {
  switch (toType) {
  case ElementType::F32:
    return convertAll<From, float>(from, toType, to);
  case ElementType::F64:
    return convertAll<From, double>(from, toType, to);
  case ElementType::BF16:
    return convertAll<From, Bf16>(from, toType, to);
  case ElementType::F16:
    return convertAll<From, F16>(from, toType, to);
  default:
    break;
  }
  // canConvert has kept floating values from integers.
  if constexpr (std::is_same_v<decltype(widened(From())), int64_t>) {
    switch (toType) {
    case ElementType::I64:
      return convertAll<From, int64_t>(from, toType, to);
    case ElementType::I32:
      return convertAll<From, int32_t>(from, toType, to);
    case ElementType::I8:
      return convertAll<From, int8_t>(from, toType, to);
    case ElementType::U8:
      return convertAll<From, uint8_t>(from, toType, to);
    default:
      return convertAll<From, Truth>(from, toType, to);
    }
  }
  return Status(runtime::StatusCode::Internal, "floating values for " + std::string(runtime::elementName(toType)));
}

bool isFloating(ScalarType type) {
  return type == ScalarType::F32 || type == ScalarType::F64 || type == ScalarType::F16 || type == ScalarType::BF16;
}

bool isFloating(ElementType type) {
  return type == ElementType::F32 || type == ElementType::F64 || type == ElementType::F16 || type == ElementType::BF16;
}

} // namespace

bool canConvert(ScalarType from, ElementType to) {
  return !isFloating(from) || isFloating(to);
}

Status convertElements(ScalarType fromType, runtime::ByteSpan from, ElementType toType, uint8_t *to) {
  bool sameBits = fromType == runtime::scalarTypeOf(toType) && fromType != ScalarType::Bool;
  if (sameBits || (fromType == ScalarType::U16 && toType == ElementType::BF16)) {
    if (!from.empty())
      std::memcpy(to, from.data(), from.size());
    return Status();
  }
  switch (fromType) {
  case ScalarType::F32:
    return convertFrom<float>(from, toType, to);
  case ScalarType::F64:
    return convertFrom<double>(from, toType, to);
  case ScalarType::F16:
    return convertFrom<F16>(from, toType, to);
  case ScalarType::BF16:
    return convertFrom<Bf16>(from, toType, to);
  case ScalarType::I64:
    return convertFrom<int64_t>(from, toType, to);
  case ScalarType::I32:
    return convertFrom<int32_t>(from, toType, to);
  case ScalarType::I16:
    return convertFrom<int16_t>(from, toType, to);
  case ScalarType::I8:
    return convertFrom<int8_t>(from, toType, to);
  case ScalarType::U8:
    return convertFrom<uint8_t>(from, toType, to);
  case ScalarType::U16:
    return convertFrom<uint16_t>(from, toType, to);
  case ScalarType::Bool:
    return convertFrom<Truth>(from, toType, to);
  }
  return Status();
}

} // namespace amp::data
