// The inputs of a model with the lengths and values that the user binds.
#ifndef AMP_COMPILER_IMPORT_ONNX_INPUTBINDING_H
#define AMP_COMPILER_IMPORT_ONNX_INPUTBINDING_H

#include "compiler/import/onnx/Import.h"
#include "compiler/import/onnx/ModelFile.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace amp::compiler {

struct BoundInput {
  std::string name;
  int32_t dataType = 0;
  llvm::SmallVector<int64_t> shape; ///< unknown lengths are ShapedType::kDynamic
  std::string declared;             ///< the shape as the file has it: "[batch, 1, 28, 28]"
  std::optional<std::string> value; ///< --value
};

/// The inputs that are no initializers, in order. Options that fit no input are problems.
std::vector<BoundInput> bindInputs(const ModelFile &file, const ImportOptions &options, Problems &problems);
/// The elements that --value gives an input; null after a problem.
mlir::DenseElementsAttr valueOf(mlir::MLIRContext *context, const BoundInput &input, Problems &problems);

} // namespace amp::compiler

#endif
