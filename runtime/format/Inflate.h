// Deflate streams of unknown length into a vector that grows with what has really come out.
#pragma once

#include "runtime/format/Array.h"

namespace amp::runtime {

enum class DeflateWrapper : uint8_t { Raw, Gzip };

/// Fills `to` with what `packed` holds, at most `most` bytes; a stream that ends early or goes on after its end is
/// damaged. Gzip files may have several members, one after the other.
Status inflateInto(ByteSpan packed, DeflateWrapper wrapper, uint64_t most, std::vector<uint8_t> &to,
                   const std::string &place);

} // namespace amp::runtime
