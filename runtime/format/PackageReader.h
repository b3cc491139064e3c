// Opens model.amp. After open() every offset, count and name of the metadata has been proven, so the rooms above use
// them without further checks. Opening runs nothing: the code inside is loaded by runtime/device.
#pragma once

#include "runtime/base/ElementType.h"
#include "runtime/base/FileSystem.h"
#include "runtime/base/Hash.h"
#include "runtime/base/Limits.h"
#include "runtime/format/Package_generated.h"

#include <memory>
#include <string>

namespace amp::runtime {

/// Immutable; safe to read from several threads.
class PackageReader {
public:
  /// Maps the file; the mapping lives as long as the reader. Fails with Damaged, Version, NotFound or Io.
  static Result<PackageReader> open(FileSystem &files, const std::string &path);

  const format::Package &metadata() const { return *root; }
  /// Bytes of the blob section; offsets of the metadata lie inside it.
  ByteSpan blob(uint64_t offset, uint64_t bytes) const { return blobs.slice(offset, bytes); }
  /// Of the whole file: tells packages apart.
  const Digest &digest() const { return fileDigest; }
  uint64_t fileBytes() const { return mapping->bytes().size(); }
  const std::string &path() const { return filePath; }

  /// The program of that name, or null.
  const format::Program *program(std::string_view name) const;

private:
  PackageReader() = default;
  Status parse();

  std::string filePath;
  std::unique_ptr<MappedFile> mapping;
  const format::Package *root = nullptr;
  ByteSpan blobs;
  Digest fileDigest;
};

/// The checks behind the FlatBuffers verifier: what the fields mean to each other.
Status checkPackage(const format::Package &package, uint64_t blobBytes, const Limits &limits);

inline ElementType elementTypeOf(format::ElementType type) {
  return static_cast<ElementType>(type);
}

/// Absent vectors of the metadata are empty ones.
template <typename T> Span<const T> spanOf(const flatbuffers::Vector<T> *values) {
  return values ? Span<const T>(values->data(), values->size()) : Span<const T>();
}
inline std::string_view viewOf(const flatbuffers::String *text) {
  return text ? std::string_view(text->c_str(), text->size()) : std::string_view();
}
template <typename Table> uint64_t countOf(const flatbuffers::Vector<flatbuffers::Offset<Table>> *tables) {
  return tables ? tables->size() : 0;
}
/// "[32, 1, 28, 28]"; a scalar is "[]".
std::string shapeText(Span<const uint64_t> shape);

} // namespace amp::runtime
