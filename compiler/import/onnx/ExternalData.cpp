// Opens external tensor data; the kernel itself keeps the path inside the folder (openat2).
#include "compiler/import/onnx/ExternalData.h"

#include "compiler/import/onnx/Problems.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace amp::compiler;
using amp::runtime::ByteSpan;

ExternalFiles::ExternalFiles(const std::string &modelPath) {
  const size_t slash = modelPath.rfind('/');
  if (slash != std::string::npos)
    folder = modelPath.substr(0, slash + 1);
}

ExternalFiles::~ExternalFiles() {
  for (auto &[location, bytes] : files)
    if (!bytes.empty())
      munmap(const_cast<uint8_t *>(bytes.data()), bytes.size());
}

std::string ExternalFiles::pathOf(const std::string &location) const {
  return folder + location;
}

static std::string openProblem(const std::string &location, int code) {
  const std::string what = "external data file " + quotedName(location);
  if (code == EXDEV)
    return what + " leads outside the folder of the model; put it beside the model";
  if (code == ELOOP)
    return what + " is a symbolic link, which may lead outside the folder of the model; copy the data into the folder";
  if (code == ENOSYS)
    return what + " cannot be opened safely: this kernel lacks openat2 (Linux 5.6); embed the weights in the model";
  return what + " cannot be opened: " + std::strerror(code);
}

std::optional<std::string> ExternalFiles::open(const std::string &location, ByteSpan &bytes) {
  if (auto known = files.find(location); known != files.end()) {
    bytes = known->second;
    return std::nullopt;
  }
  if (location.empty())
    return std::string("external data has no location; it must name a file in the folder of the model");
  if (location.front() == '/' || location.find('\0') != std::string::npos)
    return "external data location " + quotedName(location) +
           " is no relative path; it must stay inside the folder of the model";
  const int directory = ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0)
    return "the folder of the model cannot be opened: " + std::string(std::strerror(errno));
  struct open_how how = {};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK; // a pipe must not block before it is refused
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const long file = syscall(SYS_openat2, directory, location.c_str(), &how, sizeof how);
  const int code = errno;
  ::close(directory);
  if (file < 0)
    return openProblem(location, code);
  std::optional<std::string> problem = map(static_cast<int>(file), location, bytes);
  ::close(static_cast<int>(file));
  return problem;
}

std::optional<std::string> ExternalFiles::map(int file, const std::string &location, ByteSpan &bytes) {
  struct stat status;
  if (fstat(file, &status) != 0)
    return openProblem(location, errno);
  if (!S_ISREG(status.st_mode))
    return "external data location " + quotedName(location) + " is no regular file; it must name one";
  const size_t size = static_cast<size_t>(status.st_size);
  bytes = ByteSpan();
  if (size != 0) {
    void *mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped == MAP_FAILED)
      return openProblem(location, errno);
    bytes = ByteSpan(static_cast<const uint8_t *>(mapped), size);
  }
  files.emplace(location, bytes);
  return std::nullopt;
}
