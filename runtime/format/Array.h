// What npy, npz and safetensors files hold: typed arrays in C order, as views of bytes that somebody else owns.
#pragma once

#include "runtime/base/ElementType.h"
#include "runtime/base/Limits.h"
#include "runtime/base/Span.h"
#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace amp::runtime {

/// The types of array files: those of packages and the 16-bit integers. Bool is one byte, 0 or 1.
enum class ScalarType : uint8_t { F32, F64, F16, BF16, I64, I32, I16, I8, U8, U16, Bool };
constexpr unsigned scalarTypeCount = 11;

uint64_t scalarBytes(ScalarType type);
/// "float32", as numpy spells it.
std::string_view scalarName(ScalarType type);
ScalarType scalarTypeOf(ElementType type);

/// A view: `bytes` is borrowed, little-endian, not aligned to anything, and as long as type and shape say.
struct ArrayView {
  ScalarType type = ScalarType::F32;
  std::vector<uint64_t> shape;
  ByteSpan bytes;

  uint64_t count() const { return bytes.size() / scalarBytes(type); }
};

/// The bytes of an array, or nothing where a product leaves 64 bits: also with an axis of size 0, since strides are
/// computed from the others.
std::optional<uint64_t> arrayBytes(ScalarType type, const std::vector<uint64_t> &shape);

std::string shapeText(const std::vector<uint64_t> &shape); // "[2, 3]"

/// A file that disagrees with itself, and one that is whole but of no use here.
inline Status damaged(const std::string &place, std::string text) {
  return Status(StatusCode::Damaged, std::move(text), place);
}
inline Status unfit(const std::string &place, std::string text) {
  return Status(StatusCode::Argument, std::move(text), place);
}

/// Little-endian numbers; the caller has proven that the bytes are there.
uint16_t loadU16(const uint8_t *at);
uint32_t loadU32(const uint8_t *at);
uint64_t loadU64(const uint8_t *at);
void appendU16(std::string &to, uint16_t value);
void appendU32(std::string &to, uint32_t value);
void appendU64(std::string &to, uint64_t value);

} // namespace amp::runtime
