// What one API version of oneDNN must offer to this room: each is a set of files of its own, which alone include
// dnnl.hpp.
#pragma once

#include "runtime/library/onednn/Catalogue.h"

#include <memory>

namespace amp::runtime::onednn {

/// A call made executable. Immutable to its callers: any number of threads may execute it at once, and each runs it
/// alone, whatever OpenMP has been told, so that the bits of a result never depend on threads.
class CompiledCall {
public:
  virtual ~CompiledCall() = default;
  virtual const Description &description() const = 0;
  virtual unsigned operandCount() const = 0;
  virtual Status execute(void *const *operands) const = 0;
};

/// Compiles code where `describe` only asks for it. They refuse the same calls; no exception leaves them.
Result<std::unique_ptr<CompiledCall>> compile(std::string_view operation, const Convolution &call);
Result<std::unique_ptr<CompiledCall>> compile(std::string_view operation, const MatMul &call);

} // namespace amp::runtime::onednn
