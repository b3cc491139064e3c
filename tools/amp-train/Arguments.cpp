// Options that are there, and options that will be: the latter are refused by name with what to do instead.
#include "tools/amp-train/Arguments.h"

#include "tools/amp-train/Schedule.h"
#include "tools/command-line/CommandLine.h"

namespace amp::tools {
namespace {

constexpr std::initializer_list<NotYet> notYet = {
    {"--workers", "leave it out; one thread loads a batch ahead"},
    {"--prefetch", "leave it out; one thread loads a batch ahead"},
    {"--drop-last", "leave it out; training drops a short last batch already"},
    {"--augment", "augment the data before training and give a FILE.npz"},
    {"--normalize", "normalise the data before training and give a FILE.npz"},
    {"--tensorboard", "use --log=FILE.jsonl"},
    {"--profile", "use amp-run --benchmark=N"},
    {"--report", "use --log=FILE.jsonl"},
    {"--export", "use amp-run --load=CHECKPOINT --save-parameters=FILE.npz"},
};

const char *example = R"(data:
  mnist:DIR        IDX files train-images-idx3-ubyte, train-labels-idx1-ubyte (validation: t10k-*), plain or .gz
  tokens:FILE.bin  uint16 tokens; a sample is as many as the input takes, labels are the tokens after them
  FILE.npz         an array for each input and "labels"; the first axis counts the samples

example:
  amp-train lenet.amp --data=mnist:digits --validation=mnist:digits --epochs=5 --shuffle --checkpoint=run --resume
)";

void addTraining(CLI::App &app, Arguments &arguments) {
  app.add_option("PACKAGE", arguments.package, "package that amp-compile wrote, MODEL.amp")->required();
  app.add_option("--data", arguments.training, "training data: mnist:DIR, tokens:FILE.bin or FILE.npz")->required();
  app.add_option("--validation", arguments.validation, "data to evaluate on after each epoch");
  CLI::Option *epochs = app.add_option("--epochs", arguments.epochs, "train for N epochs (1)")
                            ->check(CLI::Range(uint64_t(1), uint64_t(1) << 40));
  app.add_option("--steps", arguments.steps, "train for N steps, as many epochs as that takes")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 40))
      ->excludes(epochs);
  app.add_option("--seed", arguments.seed, "of the order of data and of random operators (0, or the checkpoint's)");
  app.add_option("--threads", arguments.threads, "CPU threads; results do not depend on it (one a CPU)")
      ->check(CLI::Range(1u, 1024u));
  addDevice(app);
  app.add_flag("--shuffle,!--no-shuffle", arguments.shuffle, "a new order of the training data each epoch (off)");
  app.add_option("--learning-rate", arguments.learningRate, "in place of the one that the package was compiled with");
  app.add_option("--lr-schedule", arguments.schedule,
                 "constant, cosine, linear or step, each with [:warmup=UPDATES] (constant); counts the steps that "
                 "updated the weights")
      ->check([](const std::string &text) {
        runtime::Result<Schedule> schedule = Schedule::parse(text, 1, 1);
        return schedule.isOk() ? std::string() : schedule.status().message();
      });
}

void addRecords(CLI::App &app, Arguments &arguments) {
  CLI::Option *folder =
      app.add_option("--checkpoint", arguments.checkpoints, "folder for checkpoints, DIR/step-00000400");
  app.add_option("--checkpoint-every", arguments.checkpointEvery, "steps between checkpoints (an epoch)")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 40))
      ->needs(folder);
  app.add_option("--keep", arguments.keep, "keep the newest N checkpoints (all)")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 40))
      ->needs(folder);
  app.add_flag("--resume", arguments.resume, "go on from the newest whole checkpoint; nothing there yet: start")
      ->needs(folder);
  app.add_option("--log", arguments.log, "write one line of JSON a step to FILE.jsonl");
  app.add_flag("--json", arguments.json, "print one line of JSON an epoch on stdout");
}

} // namespace

std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments) {
  CLI::App app("Trains a package on data.", "amp-train");
  app.footer(example);
  app.set_version_flag("--version", "amp-train " AMP_VERSION);
  addTraining(app, arguments);
  addRecords(app, arguments);
  if (std::optional<int> code = parseCommandLine(app, argc, argv, notYet))
    return code;
  if (arguments.epochs == 0 && arguments.steps == 0)
    arguments.epochs = 1;
  return std::nullopt;
}

} // namespace amp::tools
