// The generated kernels of one package, loaded into this process: the border where bytes become code.
#pragma once

#include "runtime/base/Span.h"
#include "runtime/base/Status.h"

#include <cstdint>
#include <memory>
#include <string>

namespace amp::runtime {

/// `arguments` in the order of Launch.arguments; `workspace` 64-byte aligned and private to the running tile.
using KernelFunction = void (*)(void *const *arguments, int64_t tile, void *workspace);

/// Functions that kernel() gave are valid as long as the binary lives.
class CpuBinary {
public:
  /// Loads the bytes of a shared object without a file on any disk. Check the processor first (CpuFeatures.h).
  static Result<std::unique_ptr<CpuBinary>> load(ByteSpan sharedObject);
  ~CpuBinary();
  CpuBinary(const CpuBinary &) = delete;
  CpuBinary &operator=(const CpuBinary &) = delete;

  Result<KernelFunction> kernel(const std::string &symbol) const;

private:
  CpuBinary() = default;

  // Open as long as the handle: dlopen knows libraries by path, and a second package at a reused /proc/self/fd/4
  // would be given the kernels of the first.
  int descriptor = -1;
  void *handle = nullptr;
};

} // namespace amp::runtime
