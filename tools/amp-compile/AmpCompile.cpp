// amp-compile: model.onnx to model.amp.
#include "tools/amp-compile/Arguments.h"
#include "tools/amp-compile/Guard.h"
#include "tools/amp-compile/Report.h"

int main(int argc, char **argv) {
  amp::tools::Arguments arguments;
  if (auto code = amp::tools::parseArguments(argc, argv, arguments))
    return *code;
  auto work = [&] {
    amp::compiler::CompileResult result = amp::compiler::compile(arguments.options);
    amp::tools::report(arguments.options, result, arguments.json);
    return result.exitCode;
  };
  return amp::tools::runGuarded(work, argc, argv, arguments.options.output + ".reproducer.txt");
}
