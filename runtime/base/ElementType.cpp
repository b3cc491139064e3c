#include "runtime/base/ElementType.h"

namespace amp::runtime {
namespace {
struct Row {
  std::string_view name;
  uint64_t bytes;
};
constexpr Row rows[elementTypeCount] = {{"float32", 4}, {"bfloat16", 2}, {"float16", 2}, {"float64", 8}, {"int64", 8},
                                        {"int32", 4},   {"int8", 1},     {"uint8", 1},   {"bool", 1}};
} // namespace

uint64_t elementBytes(ElementType type) {
  return rows[static_cast<unsigned>(type)].bytes;
}

std::string_view elementName(ElementType type) {
  return rows[static_cast<unsigned>(type)].name;
}

std::optional<ElementType> elementTypeByName(std::string_view name) {
  for (unsigned i = 0; i < elementTypeCount; ++i)
    if (rows[i].name == name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

} // namespace amp::runtime
