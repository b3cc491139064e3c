// Options that are there, and options that will be: the latter are refused by name with what to do instead.
#include "tools/amp-compile/Arguments.h"

#include "compiler/pipeline/Pipeline.h"
#include "tools/command-line/CommandLine.h"

#include <algorithm>

using namespace amp::tools;
using namespace amp::compiler;

namespace {

constexpr std::initializer_list<NotYet> kNotYet = {
    {"--value", "make the input an initializer of the model"},
    {"--accumulate", "use a larger --batch"},
    {"--clip-norm", "lower the learning rate"},
    {"--clip-norm-type", "leave it out"},
    {"--clip-value", "lower the learning rate"},
    {"--memory-limit", "use a smaller --batch"},
    {"--checkpoint-node", "leave it out"},
    {"--fit-batch", "give --batch a number"},
    {"--low-op", "leave it out"},
    {"--fp32-op", "use --precision=fp32"},
    {"--low-node", "leave it out"},
    {"--fp32-node", "use --precision=fp32"},
    {"--autocast", "leave it out"},
    {"--tuning", "leave it out"},
    {"--cache", "leave it out"},
    {"--check", "compile: every problem of a file is listed at once"},
    {"--report", "use --emit=STAGE or amp-inspect"},
};

/// What --explain can say.
constexpr const char *kTopics[] = {"import", "parameters", "autocast", "layout", "fusion", "select"};

/// A CLI11 validator from a parser that gives an error text.
template <typename Parser> std::function<std::string(const std::string &)> take(Parser parser) {
  return [parser](const std::string &text) { return parser(text); };
}

/// "layout,fusion"
std::string parseTopics(const std::string &text, std::vector<std::string> &topics) {
  topics = CLI::detail::split(text, ',');
  for (const std::string &topic : topics)
    if (std::find(std::begin(kTopics), std::end(kTopics), topic) == std::end(kTopics))
      return "'" + topic + "' is none of import, parameters, autocast, layout, fusion, select";
  return {};
}

const char *kExample = R"(example:
  amp-compile lenet.onnx --batch=32 --precision=bf16 --optimizer=sgd:lr=0.05,momentum=0.9 -o lenet.amp
  amp-train lenet.amp --data=mnist:build/mnist --epochs=5
)";

void addOptions(CLI::App &app, Arguments &arguments) {
  CompileOptions &o = arguments.options;
  app.add_option("MODEL", o.model, "ONNX model, MODEL.onnx")->required();
  app.add_option("-o,--output", o.output, "package to write (MODEL.amp)");
  app.add_option_function<std::string>(
         "--mode", [](const std::string &) {}, "train: forward, loss, backward, update (train)")
      ->check([](const std::string &mode) {
        return mode == "train"
                   ? std::string()
                   : "--mode=" + mode + " is not there yet; leave it out: a package for training also evaluates";
      });
  app.add_option_function<std::string>(
         "--loss", [](const std::string &) {},
         "cross-entropy[:of=,reduction=mean|sum,ignore-index=-100,axis=1], "
         "mse[:of=,reduction=], or output[:NAME] for a scalar output of the model (an output of rank 2 or more gets "
         "cross-entropy, a scalar is minimised)")
      ->check(take([&o](const std::string &text) { return parseLoss(text, o.loss); }));
  app.add_option_function<std::string>(
         "--optimizer", [](const std::string &) {},
         "sgd[:lr=,momentum=,dampening=,nesterov=,weight-decay=], adam or "
         "adamw[:lr=,beta1=,beta2=,eps=,weight-decay=] (adamw:lr=3e-4,weight-decay=0.01)")
      ->check(take([&o](const std::string &text) { return parseOptimizer(text, o.optimizer); }));
  app.add_option("--precision", o.precision, "auto, fp32, bf16 or fp16 (auto: bf16, or fp16 for cuda alone)")
      ->check(CLI::IsMember({"auto", "fp32", "bf16", "fp16"}));
  app.add_option_function<std::string>(
         "--loss-scale", [](const std::string &) {},
         "auto, none, NUMBER or dynamic[:init=,growth=,backoff=,interval=,min=,max=] "
         "(auto: dynamic for fp16, none else)")
      ->check(take([&o](const std::string &text) { return parseLossScale(text, o.lossScale); }));
  app.add_option("--nonfinite", o.nonfinite, "when a gradient is not finite: skip, stop or ignore (skip)")
      ->check(CLI::IsMember({"skip", "stop", "ignore"}));
  app.add_option("--layout", o.layout, "auto, channels-last or channels-first (auto)")
      ->check(CLI::IsMember({"auto", "channels-last", "channels-first"}));
  app.add_option("--target", o.targets, "cpu or cuda (cpu); given for both, one package for both")
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option_function<std::string>(
         "--arch", [](const std::string &) {},
         "native, x86-64-v3, x86-64-v4 or a CPU name of LLVM; sm_80, sm_90 for cuda; several with commas "
         "(native,sm_80,sm_90)")
      ->check(take([&o](const std::string &text) { return parseArch(text, o); }));
  app.add_option("--nvrtc", o.nvrtc,
                 "the NVRTC library that --target=cuda compiles with, a file (as the loader finds it)");
  app.add_option("--batch", o.batch, "length of the leading dimension of every input")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 31));
  app.add_option_function<std::vector<std::string>>(
         "--shape", [](const std::vector<std::string> &) {}, "INPUT=8x3x224x224: shape of one input (repeatable)")
      ->each([](const std::string &) {})
      ->check(take([&o](const std::string &text) { return parseShape(text, o.shapes); }));
  app.add_option("--freeze", o.freeze, "regular expression over initializer names that do not train");
  app.add_option("--trainable", o.trainable, "regular expression over initializer names: only these train");
  app.add_option_function<std::string>(
         "--dropout", [&o](const std::string &text) { o.dropout = text == "on"; }, "on or off (on)")
      ->check(CLI::IsMember({"on", "off"}));
  app.add_option(
         "--batchnorm-variance", o.batchnormVariance,
         "which variance of a batch moves the running one: population, as ONNX, or sample, as PyTorch (population)")
      ->check(CLI::IsMember({"population", "sample"}));
  app.add_option("--select", o.select, "kernel rows: auto, generated or onednn (auto)")
      ->check(CLI::IsMember({"auto", "generated", "onednn"}));
  app.add_option("--emit", o.emit,
                 "print the IR after a stage and stop: import, shape, trainstep, autocast, layout, "
                 "fusion, select, memory, llvm or cuda")
      ->check(CLI::IsMember(emitStages()));
  app.add_option_function<std::string>(
         "--explain", [](const std::string &) {},
         "say why: import, parameters, autocast, layout, fusion, select (several with commas; all "
         "without a value)")
      ->check(take([&o](const std::string &text) { return parseTopics(text, o.explain); }));
  app.add_flag("--json", arguments.json, "print the summary as one JSON object on stdout");
}

/// The arguments, with a bare --explain spelled out: it asks for every topic, and does not take the model behind it for
/// one.
std::vector<std::string> explicitArguments(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::string &argument : arguments)
    if (argument == "--explain")
      argument = "--explain=import,parameters,autocast,layout,fusion,select";
  return arguments;
}

} // namespace

std::optional<int> amp::tools::parseArguments(int argc, char **argv, Arguments &arguments) {
  CLI::App app("Compiles an ONNX model into a package that trains: forward, loss, backward and update, ahead of time.",
               "amp-compile");
  app.footer(kExample);
  app.set_version_flag("--version", "amp-compile " AMP_VERSION);
  addOptions(app, arguments);
  if (std::optional<int> code = parseCommandLine(app, explicitArguments(argc, argv), kNotYet))
    return code;
  CompileOptions &o = arguments.options;
  if (!o.cudaArchs.empty() && !o.makesCuda())
    return refuseCommandLine(app, "--arch names " + o.cudaArchs.front() + ", which is for --target=cuda; add that");
  if (o.output.empty()) {
    size_t slash = o.model.find_last_of('/'), dot = o.model.rfind('.');
    bool hasExtension = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    o.output = (hasExtension ? o.model.substr(0, dot) : o.model) + ".amp";
  }
  if (o.output == o.model)
    return refuseCommandLine(app, "the output " + o.output + " is the model itself; name another with -o");
  return std::nullopt;
}
