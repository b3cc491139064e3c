// Arrays of files into the element types of programs.
#pragma once

#include "runtime/format/Array.h"

namespace amp::data {

/// Whether values of `from` may become `to`: integers and booleans become any number without scaling, floating types
/// become one another, uint16 becomes bfloat16 as bits. Floating values never become integers.
bool canConvert(runtime::ScalarType from, runtime::ElementType to);

/// Converts as many elements as `from` holds, which canConvert has allowed; to nearest even, and to the 16-bit floats
/// by way of float32. Fails at the first
/// integer that does not fit, saying which. Neither side needs to be aligned.
runtime::Status convertElements(runtime::ScalarType fromType, runtime::ByteSpan from, runtime::ElementType toType,
                                uint8_t *to);

} // namespace amp::data
