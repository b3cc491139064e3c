// A run of amp-run after its arguments are read.
#pragma once

#include "runtime/base/Status.h"
#include "tools/amp-run/Arguments.h"

namespace amp::tools {

runtime::Status run(const Arguments &arguments);

} // namespace amp::tools
