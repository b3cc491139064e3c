// amp-run: one or more steps of a package on given tensors.
#include "tools/amp-run/Run.h"

#include <cstdio>
#include <exception>

int main(int argc, char **argv) {
  amp::tools::Arguments arguments;
  if (std::optional<int> code = amp::tools::parseArguments(argc, argv, arguments))
    return *code;
  try {
    amp::runtime::Status status = amp::tools::run(arguments);
    if (status.isOk())
      return 0;
    std::fflush(stdout);
    std::fprintf(stderr, "amp-run: error: %s\n", status.message().c_str());
    return status.code() == amp::runtime::StatusCode::Internal ? 2 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "amp-run: internal error: %s; please report it with the command line\n", error.what());
    return 2;
  }
}
