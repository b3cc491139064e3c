// amp-inspect: what a package holds. It opens and checks the file and never loads the code in it.
#include "tools/amp-inspect/Arguments.h"
#include "tools/amp-inspect/Print.h"

#include <cstdio>
#include <exception>

namespace {

amp::tools::Json describe(const amp::runtime::PackageReader &package, const amp::tools::Arguments &arguments) {
  using namespace amp::tools;
  Json json = Json::object();
  if (!arguments.plan && !arguments.memory && !arguments.kernels && !arguments.precision)
    return describeSummary(package);
  // The fields of --memory stand at the top, where scripts look for peak_bytes.
  if (arguments.memory)
    json = describeMemory(package);
  if (arguments.plan)
    json["plan"] = describePlan(package);
  if (arguments.kernels)
    json["kernels"] = describeKernels(package);
  if (arguments.precision)
    json["precision"] = describePrecision(package);
  return json;
}

} // namespace

int main(int argc, char **argv) {
  using namespace amp;
  tools::Arguments arguments;
  if (std::optional<int> code = tools::parseArguments(argc, argv, arguments))
    return *code;
  try {
    runtime::Result<runtime::PackageReader> package =
        runtime::PackageReader::open(runtime::posixFileSystem(), arguments.package);
    if (!package.isOk()) {
      std::fprintf(stderr, "amp-inspect: error: %s\n", package.status().message().c_str());
      return package.status().code() == runtime::StatusCode::Internal ? 2 : 1;
    }
    tools::Json json = describe(*package, arguments);
    if (arguments.json)
      std::printf("%s\n", json.dump(2, ' ', false, tools::Json::error_handler_t::replace).c_str());
    else
      tools::printText(json);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "amp-inspect: internal error: %s; please report it with the command line\n", error.what());
    return 2;
  }
}
