// The text form of amp-inspect.
#pragma once

#include "tools/amp-inspect/Describe.h"

namespace amp::tools {

/// Prints a description: objects as "name: value" lines, lists one entry a line, deeper things indented.
void printText(const Json &json, unsigned indent = 0);

} // namespace amp::tools
