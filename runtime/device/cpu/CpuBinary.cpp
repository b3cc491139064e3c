#include "runtime/device/cpu/CpuBinary.h"

#include <cerrno>
#include <cstring>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace amp::runtime {
namespace {

Status systemRefuses(const char *what) {
  return Status(StatusCode::Unsupported, std::string("the system refuses to ") + what + " for the package's kernels: " +
                                             std::strerror(errno) + "; amp needs memfd_create and /proc");
}

Status writeAll(int descriptor, ByteSpan bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t put = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno != EINTR)
      return systemRefuses("write the memory file");
    done += put < 0 ? 0 : static_cast<size_t>(put);
  }
  return Status();
}

} // namespace

Result<std::unique_ptr<CpuBinary>> CpuBinary::load(ByteSpan sharedObject) {
  std::unique_ptr<CpuBinary> binary(new CpuBinary);
  binary->descriptor = ::memfd_create("amp-kernels", MFD_CLOEXEC);
  if (binary->descriptor < 0)
    return systemRefuses("make a memory file");
  if (Status status = writeAll(binary->descriptor, sharedObject); !status.isOk())
    return status;
  std::string path = "/proc/self/fd/" + std::to_string(binary->descriptor);
  binary->handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!binary->handle) {
    const char *reason = ::dlerror();
    return Status(StatusCode::Unsupported, std::string("the package's kernels cannot be loaded: ") +
                                               (reason ? reason : "no reason given") +
                                               "; recompile the model on this machine");
  }
  return binary;
}

CpuBinary::~CpuBinary() {
  if (handle)
    ::dlclose(handle);
  if (descriptor >= 0)
    ::close(descriptor);
}

Result<KernelFunction> CpuBinary::kernel(const std::string &symbol) const {
  void *address = ::dlsym(handle, symbol.c_str());
  if (!address)
    return Status(StatusCode::Damaged,
                  "the package's binary has no kernel " + quoted(symbol) + "; recompile the model");
  KernelFunction function;
  static_assert(sizeof function == sizeof address, "POSIX promises that dlsym gives functions");
  std::memcpy(&function, &address, sizeof function);
  return function;
}

} // namespace amp::runtime
