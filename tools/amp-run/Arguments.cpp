#include "tools/amp-run/Arguments.h"

#include "tools/command-line/CommandLine.h"

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
  addDevice(app);
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

constexpr std::initializer_list<NotYet> notYet = {
    {"--tune", "kernel rows are chosen by amp-compile --select"},
};

std::string checkTogether(const Arguments &arguments) {
  if (arguments.evaluate && !arguments.gradients.empty())
    return "--save-gradients wants --mode=train, since evaluation computes no gradients";
  if (arguments.benchmark && arguments.steps)
    return "--benchmark=N says how many steps to run; leave --steps out";
  return "";
}

} // namespace

std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments) {
  CLI::App app("Runs steps of a package on given tensors.", "amp-run");
  app.footer(example);
  app.set_version_flag("--version", "amp-run " AMP_VERSION);
  addRunning(app, arguments);
  addResults(app, arguments);
  if (std::optional<int> code = parseCommandLine(app, argc, argv, notYet))
    return code;
  if (std::string problem = checkTogether(arguments); !problem.empty())
    return refuseCommandLine(app, problem);
  return std::nullopt;
}

} // namespace amp::tools
