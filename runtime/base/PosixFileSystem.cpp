// The real file layer, over POSIX calls.
#include "runtime/base/FileSystem.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace amp::runtime {
namespace {

Status systemFailure(const std::string &what, const std::string &path, int error = errno) {
  StatusCode code = error == ENOENT || error == ENOTDIR ? StatusCode::NotFound : StatusCode::Io;
  return Status(code, "cannot " + what + ": " + std::strerror(error), path);
}

class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  Descriptor(Descriptor &&other) noexcept : number(other.release()) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return number; }
  int release() {
    int held = number;
    number = -1;
    return held;
  }

private:
  int number;
};

struct OpenFile {
  Descriptor descriptor;
  uint64_t size;
};

Result<OpenFile> openRegular(const std::string &path) {
  // O_NONBLOCK: opening a pipe without a writer must not hang.
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.get() < 0)
    return systemFailure("open", path);
  struct stat info;
  if (::fstat(descriptor.get(), &info) != 0)
    return systemFailure("look at", path);
  if (S_ISDIR(info.st_mode))
    return Status(StatusCode::Argument, "is a directory; name a file", path);
  if (!S_ISREG(info.st_mode))
    return Status(StatusCode::Argument, "is no regular file; copy its contents to a file", path);
  return OpenFile{std::move(descriptor), static_cast<uint64_t>(info.st_size)};
}

class PosixReadable final : public ReadableFile {
public:
  PosixReadable(OpenFile file, std::string path) : file(std::move(file)), path(std::move(path)) {}
  uint64_t size() const override { return file.size; }
  Result<uint64_t> readSome(uint64_t offset, uint8_t *to, uint64_t length) override {
    for (;;) {
      ssize_t got = ::pread(file.descriptor.get(), to, length, static_cast<off_t>(offset));
      if (got >= 0)
        return static_cast<uint64_t>(got);
      if (errno != EINTR)
        return systemFailure("read", path);
    }
  }

private:
  OpenFile file;
  std::string path;
};

class PosixMapping final : public MappedFile {
public:
  PosixMapping(void *start, size_t length) : start(start), length(length) {}
  ~PosixMapping() override {
    if (start)
      ::munmap(start, length);
  }
  PosixMapping(const PosixMapping &) = delete;
  PosixMapping &operator=(const PosixMapping &) = delete;
  ByteSpan bytes() const override { return ByteSpan(static_cast<const uint8_t *>(start), length); }

private:
  void *start;
  size_t length;
};

class PosixWritable final : public WritableFile {
public:
  PosixWritable(Descriptor descriptor, std::string path) : descriptor(std::move(descriptor)), path(std::move(path)) {}
  Status write(ByteSpan bytes) override {
    size_t done = 0;
    while (done < bytes.size()) {
      ssize_t put = ::write(descriptor.get(), bytes.data() + done, bytes.size() - done);
      if (put < 0 && errno == EINTR)
        continue;
      if (put < 0)
        return systemFailure("write", path);
      done += static_cast<size_t>(put);
    }
    return Status();
  }
  Status sync() override {
    // Pipes and devices cannot be synced, and need not be.
    if (::fsync(descriptor.get()) != 0 && errno != EINVAL && errno != EROFS)
      return systemFailure("sync", path);
    return Status();
  }
  Status close() override { return ::close(descriptor.release()) == 0 ? Status() : systemFailure("close", path); }

private:
  Descriptor descriptor;
  std::string path;
};

class PosixFileSystem final : public FileSystem {
public:
  Result<std::unique_ptr<ReadableFile>> open(const std::string &path) override {
    Result<OpenFile> file = openRegular(path);
    if (!file.isOk())
      return file.status();
    return std::unique_ptr<ReadableFile>(std::make_unique<PosixReadable>(std::move(*file), path));
  }

  Result<std::unique_ptr<MappedFile>> map(const std::string &path) override {
    Result<OpenFile> file = openRegular(path);
    if (!file.isOk())
      return file.status();
    if (file->size == 0) // mmap refuses a length of 0
      return std::unique_ptr<MappedFile>(std::make_unique<PosixMapping>(nullptr, 0));
    void *start = ::mmap(nullptr, file->size, PROT_READ, MAP_PRIVATE, file->descriptor.get(), 0);
    if (start == MAP_FAILED)
      return systemFailure("map", path);
    return std::unique_ptr<MappedFile>(std::make_unique<PosixMapping>(start, file->size));
  }

  Result<std::unique_ptr<WritableFile>> create(const std::string &path) override {
    Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (descriptor.get() < 0)
      return systemFailure("create", path);
    return std::unique_ptr<WritableFile>(std::make_unique<PosixWritable>(std::move(descriptor), path));
  }

  Status rename(const std::string &from, const std::string &to) override {
    return ::rename(from.c_str(), to.c_str()) == 0 ? Status() : systemFailure("rename to '" + to + "'", from);
  }

  Status exchange(const std::string &a, const std::string &b) override {
    if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0)
      return Status();
    if (errno != EINVAL && errno != ENOSYS)
      return systemFailure("exchange with '" + b + "'", a);
    std::string aside = b + ".exchanged-" + std::to_string(::getpid());
    if (Status status = rename(b, aside); !status.isOk())
      return status;
    Status status = rename(a, b);
    if (status.isOk())
      return rename(aside, a);
    (void)rename(aside, b).isOk(); // the first failure is the one to report
    return status;
  }

  Status makeDirectory(const std::string &path) override {
    if (::mkdir(path.c_str(), 0777) == 0)
      return Status();
    int error = errno;
    struct stat info;
    if (error == EEXIST && ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
      return Status();
    return systemFailure("make the directory", path, error);
  }

  Result<std::vector<std::string>> list(const std::string &path) override {
    std::unique_ptr<DIR, int (*)(DIR *)> directory(::opendir(path.c_str()), ::closedir);
    if (!directory)
      return systemFailure("list", path);
    std::vector<std::string> names;
    while (dirent *entry = ::readdir(directory.get())) {
      std::string name = entry->d_name;
      if (name != "." && name != "..")
        names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end()); // the order of a directory differs from disk to disk
    return names;
  }

  Status remove(const std::string &path) override {
    if (::unlink(path.c_str()) == 0)
      return Status();
    if (errno != EISDIR && errno != EPERM)
      return systemFailure("remove", path);
    return ::rmdir(path.c_str()) == 0 ? Status() : systemFailure("remove", path);
  }

  Status syncDirectory(const std::string &path) override {
    Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() < 0)
      return systemFailure("open", path);
    // Some network file systems cannot sync a directory.
    if (::fsync(descriptor.get()) != 0 && errno != EINVAL)
      return systemFailure("sync", path);
    return Status();
  }

  Result<PathKind> kind(const std::string &path) override {
    struct stat info;
    if (::lstat(path.c_str(), &info) != 0) {
      if (errno == ENOENT || errno == ENOTDIR)
        return PathKind::Missing;
      return systemFailure("look at", path);
    }
    if (S_ISREG(info.st_mode))
      return PathKind::File;
    return S_ISDIR(info.st_mode) ? PathKind::Directory : PathKind::Other;
  }
};

} // namespace

FileSystem &posixFileSystem() {
  static PosixFileSystem files;
  return files;
}

} // namespace amp::runtime
