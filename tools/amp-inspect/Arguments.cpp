#include "tools/amp-inspect/Arguments.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace amp::tools {
namespace {

const char *example = R"(Without an option: what the package is and what it takes. It never runs what it looks at.

example:
  amp-inspect lenet.amp --memory --kernels --json
)";

std::optional<int> refuseNotYet(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) != "--layout")
      continue;
    std::fprintf(stderr, "amp-inspect: error: --layout is not there yet; use amp-compile --emit=layout\n");
    return 1;
  }
  return std::nullopt;
}

} // namespace

std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments) {
  if (std::optional<int> code = refuseNotYet(argc, argv))
    return code;
  CLI::App app("Shows what a package holds.", "amp-inspect");
  app.footer(example);
  app.set_version_flag("--version", "amp-inspect " AMP_VERSION);
  app.add_option("PACKAGE", arguments.package, "package that amp-compile wrote, MODEL.amp")->required();
  app.add_flag("--plan", arguments.plan, "the launches of each program, in order");
  app.add_flag("--memory", arguments.memory, "what a step needs, by use");
  app.add_flag("--kernels", arguments.kernels, "the kernels and the ONNX nodes that they compute");
  app.add_flag("--precision", arguments.precision, "element types of states, inputs and outputs");
  app.add_flag("--json", arguments.json, "one JSON object on stdout");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    std::fprintf(stderr, "amp-inspect: error: %s; see amp-inspect --help\n", error.what());
    return 1;
  }
  return std::nullopt;
}

} // namespace amp::tools
