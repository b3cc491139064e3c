#include "runtime/format/Array.h"

#include "runtime/base/Checked.h"

#include <algorithm>

namespace amp::runtime {
namespace {

struct Row {
  std::string_view name;
  uint64_t bytes;
};
constexpr Row rows[scalarTypeCount] = {{"float32", 4}, {"float64", 8}, {"float16", 2}, {"bfloat16", 2},
                                       {"int64", 8},   {"int32", 4},   {"int16", 2},   {"int8", 1},
                                       {"uint8", 1},   {"uint16", 2},  {"bool", 1}};

template <typename T> T loadLittle(const uint8_t *at) {
  T value = 0;
  for (unsigned i = 0; i < sizeof(T); ++i)
    value = T(value | (T(at[i]) << (8 * i)));
  return value;
}

template <typename T> void appendLittle(std::string &to, T value) {
  for (unsigned i = 0; i < sizeof(T); ++i)
    to += char((value >> (8 * i)) & 0xFF);
}

} // namespace

uint64_t scalarBytes(ScalarType type) {
  return rows[unsigned(type)].bytes;
}

std::string_view scalarName(ScalarType type) {
  return rows[unsigned(type)].name;
}

ScalarType scalarTypeOf(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return ScalarType::F32;
  case ElementType::BF16:
    return ScalarType::BF16;
  case ElementType::F16:
    return ScalarType::F16;
  case ElementType::F64:
    return ScalarType::F64;
  case ElementType::I64:
    return ScalarType::I64;
  case ElementType::I32:
    return ScalarType::I32;
  case ElementType::I8:
    return ScalarType::I8;
  case ElementType::U8:
    return ScalarType::U8;
  case ElementType::I1:
    return ScalarType::Bool;
  }
  return ScalarType::Bool;
}

std::optional<uint64_t> arrayBytes(ScalarType type, const std::vector<uint64_t> &shape) {
  std::optional<uint64_t> bytes = scalarBytes(type);
  bool empty = false;
  for (uint64_t axis : shape) {
    empty = empty || axis == 0;
    bytes = checkedMultiply(*bytes, std::max<uint64_t>(axis, 1));
    if (!bytes)
      return std::nullopt;
  }
  return empty ? 0 : bytes;
}

std::string shapeText(const std::vector<uint64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

uint16_t loadU16(const uint8_t *at) {
  return loadLittle<uint16_t>(at);
}
uint32_t loadU32(const uint8_t *at) {
  return loadLittle<uint32_t>(at);
}
uint64_t loadU64(const uint8_t *at) {
  return loadLittle<uint64_t>(at);
}
void appendU16(std::string &to, uint16_t value) {
  appendLittle(to, value);
}
void appendU32(std::string &to, uint32_t value) {
  appendLittle(to, value);
}
void appendU64(std::string &to, uint64_t value) {
  appendLittle(to, value);
}

} // namespace amp::runtime
