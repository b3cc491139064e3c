// The compiler's libraries are built without assertions: a broken invariant can end in a signal. The user gets exit
// code 2 and a file to send, never a core dump alone.
#include "tools/amp-compile/Guard.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>

#include <sys/wait.h>
#include <unistd.h>

/// The argument as one word of a shell.
static std::string shellWord(std::string_view argument) {
  std::string word = "'";
  for (char c : argument)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

static void writeReproducer(const std::string &path, int argc, char **argv, int signal) {
  std::ofstream file(path);
  file << "amp-compile " << AMP_VERSION << " died of signal " << signal << " (" << strsignal(signal) << ")\ncommand:";
  for (int i = 0; i < argc; ++i)
    file << ' ' << shellWord(argv[i]);
  file << '\n';
}

int amp::tools::runGuarded(const std::function<int()> &work, int argc, char **argv, const std::string &reproducer) {
  std::fflush(nullptr);
  pid_t child = fork();
  if (child < 0)
    return work();
  if (child == 0) {
    int code = work();
    std::fflush(nullptr);
    _exit(code);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  int signal = WTERMSIG(status);
  // The user's own doing: an interrupt, or a reader of the output that had enough.
  if (signal == SIGINT || signal == SIGTERM || signal == SIGPIPE)
    return 130;
  writeReproducer(reproducer, argc, argv, signal);
  std::fprintf(
      stderr,
      "amp-compile: the compiler crashed (%s); this is a fault of amp: please report it with the model and %s\n",
      strsignal(signal), reproducer.c_str());
  return 2;
}
