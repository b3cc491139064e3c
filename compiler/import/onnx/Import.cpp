// The border of the room: files in, modules or problems out; exceptions end here.
#include "compiler/import/onnx/Import.h"

#include "compiler/import/onnx/CheckModel.h"
#include "compiler/import/onnx/GraphImport.h"

#include <exception>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

static OwningOpRef<ModuleOp> importFile(MLIRContext &context, ModelFile &file, const ImportOptions &options,
                                        Problems &problems) {
  if (!file.open(problems))
    return nullptr;
  checkModel(file, problems);
  context.loadDialect<graph::GraphDialect, train::TrainDialect>();
  std::string warning;
  OwningOpRef<ModuleOp> module;
  {
    GraphImport graph(&context, file, options, problems);
    warning = lossWarning(graph.notes);
    module = graph.build();
  }
  if (module && !warning.empty())
    emitWarning(UnknownLoc::get(&context)) << warning;
  return module;
}

OwningOpRef<ModuleOp> amp::compiler::importOnnx(MLIRContext &context, StringRef path, const ImportOptions &options,
                                                std::vector<std::string> &errors) {
  Problems problems(path.str(), errors);
  try {
    ModelFile file(path.str());
    OwningOpRef<ModuleOp> module = importFile(context, file, options, problems);
    problems.finish();
    return module;
  } catch (const std::exception &failure) {
    problems.add("reading it failed: " + Twine(failure.what()));
    return nullptr;
  }
}
