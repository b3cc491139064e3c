// The dictionary at the head of an .npy file: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
#pragma once

#include "runtime/format/Array.h"

namespace amp::runtime {

struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  std::vector<uint64_t> shape;
};

// Accepts exactly the three keys, each once, in any order; a structured type (a list) is refused by name.
Result<NpyHeader> parseNpyHeader(std::string_view text, const std::string &place);

} // namespace amp::runtime
