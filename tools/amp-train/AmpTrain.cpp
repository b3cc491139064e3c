// amp-train: trains a package on data.
#include "tools/amp-train/Arguments.h"
#include "tools/amp-train/Interrupt.h"
#include "tools/amp-train/TrainingRun.h"

#include <cstdio>
#include <exception>

namespace {

constexpr int userError = 1, ourFault = 2, interruptedExit = 130;

int fail(const amp::runtime::Status &status) {
  std::fprintf(stderr, "amp-train: error: %s\n", status.message().c_str());
  if (status.code() != amp::runtime::StatusCode::Internal)
    return userError;
  std::fprintf(stderr, "amp-train: this is a fault of amp; please report it with the command line and the package\n");
  return ourFault;
}

int train(const amp::tools::Arguments &arguments) {
  amp::tools::catchInterrupts();
  auto run = amp::tools::TrainingRun::open(amp::runtime::posixFileSystem(), arguments);
  if (!run.isOk())
    return fail(run.status());
  amp::runtime::Result<amp::tools::RunEnd> end = (*run)->run();
  if (!end.isOk())
    return fail(end.status());
  return *end == amp::tools::RunEnd::Interrupted ? interruptedExit : 0;
}

} // namespace

int main(int argc, char **argv) {
  amp::tools::Arguments arguments;
  if (std::optional<int> code = amp::tools::parseArguments(argc, argv, arguments))
    return *code;
  try {
    return train(arguments);
  } catch (const std::bad_alloc &) {
    return fail(amp::runtime::Status(amp::runtime::StatusCode::Memory, "not enough memory"));
  } catch (const std::exception &error) {
    return fail(amp::runtime::Status(amp::runtime::StatusCode::Internal, error.what()));
  }
}
