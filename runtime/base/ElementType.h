// The element types of tensors, as packages number them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace amp::runtime {

/// Same order and values as ElementType of runtime/format/Package.fbs (Package.cpp asserts it).
enum class ElementType : uint8_t { F32, BF16, F16, F64, I64, I32, I8, U8, I1 };
constexpr unsigned elementTypeCount = 9;

/// Bytes of one element; I1 takes one byte, 0 or 1.
uint64_t elementBytes(ElementType type);
/// Name as users know it: "float32", "bfloat16", "int64", "bool".
std::string_view elementName(ElementType type);
std::optional<ElementType> elementTypeByName(std::string_view name);

} // namespace amp::runtime
