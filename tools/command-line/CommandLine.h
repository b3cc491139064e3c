// What the command lines of all tools share: messages, exit codes, options that a later version will have, --device.
#pragma once

#include <CLI/CLI.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace amp::tools {

/// An option of the plan of record that this version does not have, and what to do instead.
struct NotYet {
  const char *name;
  const char *instead;
};

/// Prints "TOOL: error: TEXT" and gives the exit code of what the user can fix.
int refuseCommandLine(const CLI::App &app, const std::string &text);

/// Lets `app`, which is called as its tool, read the words behind the tool's name. Gives the exit code when the tool is
/// to end: after --help and --version, or after a message about what is wrong.
std::optional<int> parseCommandLine(CLI::App &app, std::vector<std::string> words,
                                    std::initializer_list<NotYet> notYet);
std::optional<int> parseCommandLine(CLI::App &app, int argc, char **argv, std::initializer_list<NotYet> notYet);

/// --device=auto|cpu of the tools that run a package: there is nothing to keep, both are the CPU.
void addDevice(CLI::App &app);

} // namespace amp::tools
