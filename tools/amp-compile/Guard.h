// Runs the compilation in a child process, so that a crash becomes a message and a reproducer.
#ifndef AMP_TOOLS_AMP_COMPILE_GUARD_H
#define AMP_TOOLS_AMP_COMPILE_GUARD_H

#include <functional>
#include <string>

namespace amp::tools {

/// Runs `work` in a child and gives its exit code. If the child dies of a signal: writes `reproducer` (the command, the
/// version, the signal), says so, and gives 2.
int runGuarded(const std::function<int()> &work, int argc, char **argv, const std::string &reproducer);

} // namespace amp::tools

#endif
