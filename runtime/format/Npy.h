// Reads and writes single arrays in numpy's .npy format, versions 1 to 3; never pickles. The reader takes hostile
// bytes: it allocates nothing but the shape, whose length is bounded by the header's own.
#pragma once

#include "runtime/format/Array.h"

namespace amp::runtime {

// `place` names the array in messages ("data.npz: 'input'"). The view borrows `bytes`.
Result<ArrayView> readNpy(ByteSpan bytes, const std::string &place);

// The bytes that precede the elements; the whole is a multiple of 64 long. bfloat16 has no name in numpy and is
// written as V2 by numpy itself; here the caller converts it first, since a V2 array is of no use to most readers.
Result<std::string> npyHeader(ScalarType type, const std::vector<uint64_t> &shape);

} // namespace amp::runtime
