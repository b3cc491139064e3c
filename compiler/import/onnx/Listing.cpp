// What --check prints of a model: what amp lacks, and what the user must still say.
#include "compiler/import/onnx/CheckModel.h"
#include "compiler/import/onnx/Import.h"
#include "compiler/import/onnx/InputBinding.h"

#include "mlir/IR/BuiltinTypes.h"

#include <exception>

using namespace amp::compiler;

static void listNeeds(const std::vector<BoundInput> &inputs, ImportListing &listing) {
  for (const BoundInput &input : inputs)
    for (size_t axis = 0; axis < input.shape.size(); ++axis)
      if (mlir::ShapedType::isDynamic(input.shape[axis]))
        listing.needs.push_back("axis " + std::to_string(axis) + " of input " + quotedName(input.name) + " " +
                                input.declared + " has no length: give --batch=N or --shape=" + input.name + "=...");
}

static bool list(ModelFile &file, const ImportOptions &options, ImportListing &listing, Problems &problems) {
  if (!file.open(problems))
    return false;
  for (auto &[name, nodes] : findUnsupported(file.graph()))
    listing.missing.push_back({"operator", name, nodes, remedyOf(name)});
  listNeeds(bindInputs(file, options, problems), listing);
  return !problems.any();
}

bool amp::compiler::listMissing(llvm::StringRef path, const ImportOptions &options, ImportListing &listing,
                                std::vector<std::string> &errors) {
  Problems problems(path.str(), errors);
  try {
    ModelFile file(path.str());
    const bool isRead = list(file, options, listing, problems);
    problems.finish();
    return isRead;
  } catch (const std::exception &failure) {
    problems.add("reading it failed: " + llvm::Twine(failure.what()));
    return false;
  }
}
