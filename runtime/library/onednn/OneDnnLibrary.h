// oneDNN as a kernel library of the runtime.
#pragma once

#include "runtime/library/Library.h"

namespace amp::runtime {

/// Alive as long as the process; safe from any thread.
const Library &oneDnnLibrary();

} // namespace amp::runtime
