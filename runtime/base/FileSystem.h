// All file access of amp goes through this layer, so that tests can inject short reads, full disks and kills between
// any two calls. No function throws; every failure names the path and what the system said.
#pragma once

#include "runtime/base/Span.h"
#include "runtime/base/Status.h"

#include <memory>
#include <string>
#include <vector>

namespace amp::runtime {

/// An open file; safe to read from several threads.
class ReadableFile {
public:
  virtual ~ReadableFile() = default;
  virtual uint64_t size() const = 0;
  /// Reads at most `length` bytes at `offset`; may give fewer (0 only at the end): use readExactly.
  virtual Result<uint64_t> readSome(uint64_t offset, uint8_t *to, uint64_t length) = 0;
};

/// The bytes of a whole file, read-only, alive as long as this object.
class MappedFile {
public:
  virtual ~MappedFile() = default;
  virtual ByteSpan bytes() const = 0;
};

/// A file being written. Dropping it without close() closes it and says nothing.
class WritableFile {
public:
  virtual ~WritableFile() = default;
  /// Writes all bytes or fails.
  virtual Status write(ByteSpan bytes) = 0;
  /// Waits until the bytes are on the disk.
  virtual Status sync() = 0;
  virtual Status close() = 0;
};

enum class PathKind : uint8_t { Missing, File, Directory, Other };

class FileSystem {
public:
  virtual ~FileSystem() = default;
  /// Regular files only: a directory, a pipe or a device is refused by name.
  virtual Result<std::unique_ptr<ReadableFile>> open(const std::string &path) = 0;
  virtual Result<std::unique_ptr<MappedFile>> map(const std::string &path) = 0;
  /// Creates or empties `path`.
  virtual Result<std::unique_ptr<WritableFile>> create(const std::string &path) = 0;
  virtual Status rename(const std::string &from, const std::string &to) = 0;
  /// Lets two paths of one directory change places, in one step where the file system can (else in three renames).
  virtual Status exchange(const std::string &a, const std::string &b) = 0;
  /// Succeeds when the directory is already there; its parent must exist.
  virtual Status makeDirectory(const std::string &path) = 0;
  /// Names in a directory, sorted, without "." and "..".
  virtual Result<std::vector<std::string>> list(const std::string &path) = 0;
  /// Removes a file or an empty directory.
  virtual Status remove(const std::string &path) = 0;
  /// Makes creations, renames and removals inside the directory durable.
  virtual Status syncDirectory(const std::string &path) = 0;
  /// Does not follow a final symbolic link: that is Other, so that removeTree never leaves its tree.
  virtual Result<PathKind> kind(const std::string &path) = 0;
};

/// The real one. Stateless, lives as long as the process.
FileSystem &posixFileSystem();

/// Fills `to` or fails with Damaged when the file ends early.
Status readExactly(ReadableFile &file, uint64_t offset, uint8_t *to, uint64_t length);
/// A whole file of at most `most` bytes.
Result<std::vector<uint8_t>> readWhole(FileSystem &files, const std::string &path, uint64_t most);
/// Writes `parts` one after another to a new file beside `path`, syncs it, and renames it: afterwards `path` is the
/// old file or the new one, never something between. On failure nothing new is left behind.
Status writeBeside(FileSystem &files, const std::string &path, Span<const ByteSpan> parts);
/// Removes a file, or a directory with all below it; a path that is not there is fine.
Status removeTree(FileSystem &files, const std::string &path);
/// The directory part of a path; "." when it has none.
std::string parentOf(const std::string &path);

} // namespace amp::runtime
