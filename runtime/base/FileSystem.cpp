// What can be said over any FileSystem; the real one is PosixFileSystem.cpp.
#include "runtime/base/FileSystem.h"

#include <algorithm>
#include <new>

#include <unistd.h>

namespace amp::runtime {

Status readExactly(ReadableFile &file, uint64_t offset, uint8_t *to, uint64_t length) {
  uint64_t done = 0;
  while (done < length) {
    Result<uint64_t> some = file.readSome(offset + done, to + done, length - done);
    if (!some.isOk())
      return some.status();
    if (*some == 0)
      return Status(StatusCode::Damaged, "the file ends at byte " + std::to_string(offset + done) + ", " +
                                             std::to_string(length - done) + " bytes early; get a whole copy of it");
    done += *some;
  }
  return Status();
}

Result<std::vector<uint8_t>> readWhole(FileSystem &files, const std::string &path, uint64_t most) {
  Result<std::unique_ptr<ReadableFile>> file = files.open(path);
  if (!file.isOk())
    return file.status();
  uint64_t size = (*file)->size();
  if (size > most)
    return Status(StatusCode::Damaged,
                  "has " + std::to_string(size) + " bytes, more than the " + std::to_string(most) + " that it may have",
                  path);
  std::vector<uint8_t> bytes(size);
  Status status = readExactly(**file, 0, bytes.data(), size);
  if (!status.isOk())
    return std::move(status).at(path);
  return bytes;
}

namespace {

Status writeParts(FileSystem &files, const std::string &path, Span<const ByteSpan> parts) {
  Result<std::unique_ptr<WritableFile>> file = files.create(path);
  if (!file.isOk())
    return file.status();
  for (ByteSpan part : parts)
    if (Status status = (*file)->write(part); !status.isOk())
      return status;
  if (Status status = (*file)->sync(); !status.isOk())
    return status;
  return (*file)->close();
}

} // namespace

Status writeBeside(FileSystem &files, const std::string &path, Span<const ByteSpan> parts) {
  // A device or a pipe (/dev/null, /dev/stdout) must not be renamed over.
  Result<PathKind> kind = files.kind(path);
  if (!kind.isOk())
    return kind.status();
  if (*kind == PathKind::Directory)
    return Status(StatusCode::Io, "is a directory; name a file", path);
  if (*kind == PathKind::Other)
    return writeParts(files, path, parts);

  std::string beside = path + ".partial-" + std::to_string(::getpid());
  Status status = writeParts(files, beside, parts);
  if (status.isOk())
    status = files.rename(beside, path);
  if (!status.isOk()) {
    (void)files.remove(beside).isOk(); // the first failure is the one to report
    return status;
  }
  return files.syncDirectory(parentOf(path));
}

Status removeTree(FileSystem &files, const std::string &path) {
  Result<PathKind> kind = files.kind(path);
  if (!kind.isOk())
    return kind.status();
  if (*kind == PathKind::Missing)
    return Status();
  if (*kind != PathKind::Directory)
    return files.remove(path);
  Result<std::vector<std::string>> names = files.list(path);
  if (!names.isOk())
    return names.status();
  for (const std::string &name : *names)
    if (Status status = removeTree(files, path + "/" + name); !status.isOk())
      return status;
  return files.remove(path);
}

std::string parentOf(const std::string &path) {
  size_t slash = path.find_last_of('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

} // namespace amp::runtime
