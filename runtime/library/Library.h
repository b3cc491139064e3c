// What runtime/step asks of a kernel library: rows of the catalogue (oneDNN now) implement this, one room each.
#pragma once

#include "runtime/base/Span.h"
#include "runtime/base/Status.h"

#include <memory>
#include <string>
#include <string_view>

namespace amp::runtime {

/// A KernelStep.library of a package: what to call, and what the plan was made with. The meaning of `numbers` is the
/// row's own (runtime/library/<library>/Catalogue.h).
struct LibraryRequest {
  std::string_view operation;      ///< "convolution_forward"
  Span<const int64_t> numbers;     ///< shapes, types, strides, as the row defines them
  std::string_view implementation; ///< the library's implementation name when the plan was made; empty: any
  std::string_view version;        ///< the library's version and ISA when the plan was made; empty: any
};

/// An executable call. Immutable: any number of tiles may execute it at once.
class LibraryCall {
public:
  virtual ~LibraryCall() = default;
  /// How many operands execute() reads; a package with another number is refused when it is loaded.
  virtual uint64_t operandCount() const = 0;
  /// Runs single-threaded on the calling thread. `operands` are already moved to the tile; a scratchpad, where the
  /// operation wants one, is an operand that lies in the tile's workspace. `workspace` is the start of that workspace
  /// (64-byte aligned, private to the tile). Must not allocate in the steady state.
  virtual Status execute(void *const *operands, void *workspace) const = 0;
};

/// One library, alive as long as the process.
class Library {
public:
  virtual ~Library() = default;
  virtual std::string_view name() const = 0;
  /// Version and ISA as plans record them.
  virtual std::string version() const = 0;
  /// Refuses, naming operation and remedy, what this version of the library cannot do as the plan says.
  virtual Result<std::unique_ptr<LibraryCall>> create(const LibraryRequest &request) const = 0;
};

/// The library of that name, or null when this build has none.
const Library *findLibrary(std::string_view name);

} // namespace amp::runtime
