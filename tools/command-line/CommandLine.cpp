#include "tools/command-line/CommandLine.h"

#include <algorithm>
#include <cstdio>

namespace amp::tools {
namespace {

/// Why a device is refused; "" where it is not.
std::string refuseDevice(const std::string &device) {
  if (device == "auto" || device == "cpu")
    return "";
  if (device.substr(0, 4) == "cuda")
    return "--device=" + device +
           " is not there yet: amp-compile --target=cuda makes code for GPUs, and this version does not launch it; "
           "leave --device out to run on the CPU";
  return "--device=" + device + " is neither auto nor cpu";
}

/// Looked for before the others: whatever else is on the line, the user learns that an option will come.
std::string refuseNotYet(const std::vector<std::string> &words, std::initializer_list<NotYet> notYet) {
  for (const std::string &word : words)
    for (const NotYet &option : notYet)
      if (word.substr(0, word.find('=')) == option.name)
        return std::string(option.name) + " is not there yet; " + option.instead;
  return "";
}

} // namespace

int refuseCommandLine(const CLI::App &app, const std::string &text) {
  std::fprintf(stderr, "%s: error: %s\n", app.get_name().c_str(), text.c_str());
  return 1;
}

std::optional<int> parseCommandLine(CLI::App &app, std::vector<std::string> words,
                                    std::initializer_list<NotYet> notYet) {
  if (std::string text = refuseNotYet(words, notYet); !text.empty())
    return refuseCommandLine(app, text);
  std::reverse(words.begin(), words.end()); // CLI11 takes them from the end
  try {
    app.parse(std::move(words));
  } catch (const CLI::Success &success) {
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    return refuseCommandLine(app, std::string(error.what()) + "; see " + app.get_name() + " --help");
  }
  return std::nullopt;
}

std::optional<int> parseCommandLine(CLI::App &app, int argc, char **argv, std::initializer_list<NotYet> notYet) {
  return parseCommandLine(app, std::vector<std::string>(argv + 1, argv + argc), notYet);
}

void addDevice(CLI::App &app) {
  app.add_option_function<std::string>(
         "--device", [](const std::string &) {}, "auto or cpu (auto)")
      ->check(refuseDevice);
}

} // namespace amp::tools
