#include "tools/amp-inspect/Arguments.h"

#include "tools/command-line/CommandLine.h"

namespace amp::tools {
namespace {

const char *example = R"(Without an option: what the package is and what it takes. It never runs what it looks at.

example:
  amp-inspect lenet.amp --memory --kernels --json
)";

constexpr std::initializer_list<NotYet> notYet = {{"--layout", "use amp-compile --emit=layout"}};

} // namespace

std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments) {
  CLI::App app("Shows what a package holds.", "amp-inspect");
  app.footer(example);
  app.set_version_flag("--version", "amp-inspect " AMP_VERSION);
  app.add_option("PACKAGE", arguments.package, "package that amp-compile wrote, MODEL.amp")->required();
  app.add_flag("--plan", arguments.plan, "the launches of each program, in order");
  app.add_flag("--memory", arguments.memory, "what a step needs, by use");
  app.add_flag("--kernels", arguments.kernels, "the kernels and the ONNX nodes that they compute");
  app.add_flag("--precision", arguments.precision, "element types of states, inputs and outputs");
  app.add_flag("--json", arguments.json, "one JSON object on stdout");
  return parseCommandLine(app, argc, argv, notYet);
}

} // namespace amp::tools
