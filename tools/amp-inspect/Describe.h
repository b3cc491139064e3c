// Parts of a package as JSON; the text form is printed from the same values, so both always agree.
#pragma once

#include "runtime/format/PackageReader.h"

#include <nlohmann/json.hpp>

namespace amp::tools {

using Json = nlohmann::ordered_json;

Json describeSummary(const runtime::PackageReader &package);
Json describePlan(const runtime::PackageReader &package);
Json describeMemory(const runtime::PackageReader &package);
Json describeKernels(const runtime::PackageReader &package);
Json describePrecision(const runtime::PackageReader &package);

} // namespace amp::tools
