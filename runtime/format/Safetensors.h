// The safetensors format: eight bytes of header length, a JSON header, the tensors' bytes. The reader takes hostile
// bytes and proves that the tensors tile the data section exactly; the writer gives the same bytes for the same
// tensors.
#pragma once

#include "runtime/base/FileSystem.h"
#include "runtime/format/Array.h"

#include <map>
#include <unordered_map>

namespace amp::runtime {

class SafetensorsFile {
public:
  struct Tensor {
    std::string name;
    ArrayView view; // borrows the bytes that parse() was given
  };

  static Result<SafetensorsFile> open(FileSystem &files, const std::string &path, const Limits &limits = {});
  /// Borrows `file`; `place` names it in messages.
  static Result<SafetensorsFile> parse(ByteSpan file, const std::string &place, const Limits &limits = {});

  /// In the order of the header.
  const std::vector<Tensor> &tensors() const { return all; }
  /// Null when there is none of that name.
  const ArrayView *find(const std::string &name) const;
  const std::map<std::string, std::string> &metadata() const { return texts; }

private:
  SafetensorsFile() = default;

  std::unique_ptr<MappedFile> mapping;
  std::vector<Tensor> all;
  std::unordered_map<std::string, size_t> places;
  std::map<std::string, std::string> texts;
};

class SafetensorsWriter {
public:
  /// Borrows `bytes` until write() returns.
  Status add(const std::string &name, ScalarType type, const std::vector<uint64_t> &shape, ByteSpan bytes);
  void setMetadata(const std::string &key, const std::string &value) { texts[key] = value; }
  /// Written beside `path`, synced, renamed.
  Status write(FileSystem &files, const std::string &path) const;
  std::vector<uint8_t> bytes() const;

private:
  struct Tensor {
    std::string name;
    ScalarType type;
    std::vector<uint64_t> shape;
    ByteSpan bytes;
  };
  std::string header() const;
  std::vector<const Tensor *> placed() const;

  std::vector<Tensor> all;
  std::unordered_map<std::string, size_t> places;
  std::map<std::string, std::string> texts;
};

} // namespace amp::runtime
