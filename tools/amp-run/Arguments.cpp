#include "tools/amp-run/Arguments.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace amp::tools {
namespace {

const char *example = R"(example:
  amp-run lenet.amp --list-inputs
  amp-run lenet.amp --inputs=batch.npz --steps=10 --save-gradients=gradients.npz --json
)";

void addRunning(CLI::App &app, Arguments &arguments) {
  app.add_option("PACKAGE", arguments.package, "package that amp-compile wrote, MODEL.amp")->required();
  app.add_option("--inputs", arguments.inputs,
                 "FILE.npz with arrays named like the inputs, plus labels; several times: one file a step, in turn");
  app.add_option("--steps", arguments.steps, "steps to run (one for each file of --inputs)")
      ->check(CLI::Range(uint64_t(0), uint64_t(1) << 40));
  app.add_option_function<std::string>(
         "--mode", [&](const std::string &mode) { arguments.evaluate = mode == "eval"; }, "train or eval (train)")
      ->check(CLI::IsMember({"train", "eval"}));
  app.add_option("--seed", arguments.seed, "of random operators (0)");
  app.add_option("--threads", arguments.threads, "CPU threads; results do not depend on it (one a CPU)")
      ->check(CLI::Range(1u, 1024u));
  app.add_option_function<std::string>(
         "--device", [](const std::string &) {}, "auto or cpu (auto)")
      ->check([](const std::string &device) {
        bool known = device == "auto" || device == "cpu";
        return known ? std::string() : "--device=" + device + " is not there yet; cpu is";
      });
  app.add_option("--load", arguments.load, "continue from this checkpoint");
}

void addResults(CLI::App &app, Arguments &arguments) {
  app.add_option("--save", arguments.save, "save a checkpoint after the last step");
  app.add_option("--save-outputs", arguments.outputs, "outputs of the last step, to FILE.npz");
  app.add_option("--save-gradients", arguments.gradients,
                 "gradients of the last step, unscaled, before clipping, fp32, by initializer name, to FILE.npz");
  app.add_option("--save-parameters", arguments.parameters, "every trained tensor and running statistic, to FILE.npz");
  app.add_option("--save-state", arguments.state, "everything that a checkpoint holds, to FILE.npz");
  app.add_flag("--list-inputs", arguments.listInputs, "print names, types and shapes of the inputs as JSON, and stop");
  app.add_option("--benchmark", arguments.benchmark, "time N steps after a warm-up")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 30));
  app.add_flag("--json", arguments.json, "print one line of JSON a step on stdout");
}

std::optional<int> refuseNotYet(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    std::string text = argv[i];
    if (text != "--tune" && text.substr(0, 7) != "--tune=")
      continue;
    std::fprintf(stderr, "amp-run: error: --tune is not there yet; kernel rows are chosen by amp-compile --select\n");
    return 1;
  }
  return std::nullopt;
}

std::string checkTogether(const Arguments &arguments) {
  if (arguments.evaluate && !arguments.gradients.empty())
    return "--save-gradients wants --mode=train, since evaluation computes no gradients";
  if (arguments.benchmark && arguments.steps)
    return "--benchmark=N says how many steps to run; leave --steps out";
  return "";
}

} // namespace

std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments) {
  if (std::optional<int> code = refuseNotYet(argc, argv))
    return code;
  CLI::App app("Runs steps of a package on given tensors.", "amp-run");
  app.footer(example);
  app.set_version_flag("--version", "amp-run " AMP_VERSION);
  addRunning(app, arguments);
  addResults(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    std::fprintf(stderr, "amp-run: error: %s; see amp-run --help\n", error.what());
    return 1;
  }
  if (std::string problem = checkTogether(arguments); !problem.empty()) {
    std::fprintf(stderr, "amp-run: error: %s\n", problem.c_str());
    return 1;
  }
  return std::nullopt;
}

} // namespace amp::tools
