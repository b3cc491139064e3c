// The shape stage: every dimension becomes a number, shape arithmetic becomes constants.
#ifndef AMP_COMPILER_SHAPE_PASSES_H
#define AMP_COMPILER_SHAPE_PASSES_H

#include "dialects/graph/Graph.h"
#include "dialects/train/Train.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace amp::compiler::shape {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/shape/Passes.h.inc"

/// The name of the ONNX node, input or file that a location carries; empty without one.
llvm::StringRef nameOf(mlir::Location location);

} // namespace amp::compiler::shape

#endif
