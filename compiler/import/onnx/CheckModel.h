// Checks of a model that need no operator knowledge: versions, names, order, declared types.
#ifndef AMP_COMPILER_IMPORT_ONNX_CHECKMODEL_H
#define AMP_COMPILER_IMPORT_ONNX_CHECKMODEL_H

#include "compiler/import/onnx/ModelFile.h"

namespace amp::compiler {

/// Records every problem of the file's structure.
void checkModel(const ModelFile &file, Problems &problems);

struct UnsupportedOperator {
  std::string name; ///< "Name", or "domain.Name"
  std::vector<std::string> nodes;
};

/// Operators that amp lacks, in the order of the file.
std::vector<UnsupportedOperator> findUnsupported(const onnx::GraphProto &graph);
/// What a user can do about an operator that amp lacks.
std::string remedyOf(llvm::StringRef operatorName);

/// The leading text of every problem of a node: "node 'x' (Gemm, opset 13)".
std::string nodeText(const onnx::NodeProto &node, int index, int64_t opset);

} // namespace amp::compiler

#endif
