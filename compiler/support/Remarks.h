// How stages explain their decisions: remarks that name ONNX nodes, not values.
#ifndef AMP_COMPILER_SUPPORT_REMARKS_H
#define AMP_COMPILER_SUPPORT_REMARKS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace amp::compiler {

/// The node that an op came from, as the user knows it; the op's own name where no location tells.
std::string nodeName(mlir::Operation *op);

/// Calls fn with each node name in a location, in order.
void forEachNodeName(mlir::Location location, llvm::function_ref<void(mlir::StringAttr)> fn);

/// A remark at the op, opened with the stage: "[fusion] ". It is emitted when the returned object dies.
mlir::InFlightDiagnostic remark(mlir::Operation *op, llvm::StringRef stage);

/// A broken contract of a stage: an error at the op that names the rule's text and the pass that should have kept it.
/// The caller returns failure.
mlir::InFlightDiagnostic brokenContract(mlir::Operation *op, llvm::StringRef pass);

} // namespace amp::compiler

#endif
