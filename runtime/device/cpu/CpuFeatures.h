// What this processor can run, asked before any kernel does: a plain message instead of an illegal instruction.
#pragma once

#include "runtime/base/Status.h"

#include <string_view>
#include <vector>

namespace amp::runtime {

/// Fails with Unsupported and the missing names. `arch` is x86-64-v2, -v3, -v4, or a CPU's name, of which `features`
/// (spelled as LLVM does: "avx2", "avx512bf16") say what matters.
Status checkCpu(std::string_view arch, const std::vector<std::string_view> &features);

} // namespace amp::runtime
