// numpy's .npz archives: a zip of .npy arrays by name. Reading takes hostile bytes; writing is deterministic (no time
// stamps, members in the order of their adding).
#pragma once

#include "runtime/base/FileSystem.h"
#include "runtime/format/Zip.h"

#include <deque>
#include <unordered_map>

namespace amp::runtime {

/// An array of an archive. The view points into the archive's bytes or into `storage`.
struct NpzArray {
  NpzArray() = default;
  NpzArray(NpzArray &&) = default;
  NpzArray &operator=(NpzArray &&) = default;

  ArrayView view;
  std::vector<uint8_t> storage;
};

class NpzArchive {
public:
  static Result<NpzArchive> open(FileSystem &files, const std::string &path, const Limits &limits = {});
  /// Borrows `file`; `place` names it in messages.
  static Result<NpzArchive> parse(ByteSpan file, const std::string &place, const Limits &limits = {});

  /// In the order of the archive, without ".npy".
  const std::vector<std::string> &names() const { return arrayNames; }
  bool has(const std::string &name) const { return places.count(name) != 0; }
  /// The array lives no longer than this archive.
  Result<NpzArray> read(const std::string &name) const;

private:
  NpzArchive() = default;

  std::unique_ptr<MappedFile> mapping;
  ByteSpan file;
  std::string path;
  std::vector<ZipMember> members;
  std::vector<std::string> arrayNames;
  std::unordered_map<std::string, size_t> places;
};

class NpzWriter {
public:
  /// Borrows `bytes` until write() returns. bfloat16 goes out as float32, which every reader of npz knows.
  Status add(const std::string &name, ScalarType type, const std::vector<uint64_t> &shape, ByteSpan bytes);
  /// All that was added, written beside `path` and renamed.
  Status write(FileSystem &files, const std::string &path) const;
  /// The same bytes in memory.
  std::vector<uint8_t> bytes() const;

private:
  ByteSpan widened(ByteSpan halves);
  std::vector<ByteSpan> parts(const std::string &directory) const;
  std::string directory() const;

  struct Member {
    std::string head; // local header, name, extra field, .npy header
    ByteSpan elements;
    ZipMember zip;
  };
  std::vector<Member> members;
  std::deque<std::vector<uint8_t>> converted;
  std::unordered_map<std::string, size_t> names;
  uint64_t offset = 0;
};

} // namespace amp::runtime
