// A call of oneDNN, API 2, as descriptors: enough to describe it, and what code is compiled from. Only the files
// OneDnn2*.cpp include this.
#pragma once

#include "runtime/library/onednn/Catalogue.h"

#include <dnnl.hpp>

#include <functional>
#include <vector>

static_assert(DNNL_VERSION_MAJOR == 2, "API 3 has no operation descriptors: it takes an adaptor of its own");

namespace amp::runtime::onednn {

/// Memory of a primitive: `offset` bytes into an operand of the call.
struct Part {
  int argument; ///< DNNL_ARG_...
  dnnl::memory::desc desc;
  unsigned operand;
  int64_t offset;
};

/// A call as described: what compile() makes steps of. `make` compiles code, hence later.
struct Draft {
  Description description;
  unsigned operandCount = 0;
  struct Stage {
    std::function<dnnl::primitive()> make;
    std::vector<Part> parts;
    dnnl::memory::desc scratchpad;
    /// Instead of a primitive: what oneDNN cannot do, on the operands.
    std::function<void(void *const *operands)> copy = {};
  };
  std::vector<Stage> stages;
};

// Both throw dnnl::error; the engine outlives the draft.
Draft draftOf(std::string_view operation, const Convolution &call, const dnnl::engine &engine);
Draft draftOf(std::string_view operation, const MatMul &call, const dnnl::engine &engine);

} // namespace amp::runtime::onednn
