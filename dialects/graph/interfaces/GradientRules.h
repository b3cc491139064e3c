// What the gradient rules of the families share: broadcast sums, splats, and the locations of gradient ops.
#ifndef AMP_DIALECTS_GRAPH_INTERFACES_GRADIENTRULES_H
#define AMP_DIALECTS_GRAPH_INTERFACES_GRADIENTRULES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace amp::graph {

/// loc(fused<"gradient">["node"]): the node's name stays readable in what is built for its gradient.
mlir::Location gradientLocation(mlir::Operation *op);

/// Sums over the axes along which `type` was broadcast to the gradient's shape, and gives the shape of `type`.
mlir::Value sumToShape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value gradient, mlir::Value like);

/// Sums over axes, which then are gone. No axes: the value itself.
mlir::Value sumOver(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, llvm::ArrayRef<int64_t> axes);

/// The value with another shape of as many elements; itself where the shape is the same.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, llvm::ArrayRef<int64_t> shape);

/// A scalar constant of `like`'s element type, which broadcasts.
mlir::Value scalarConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value like, double value);

} // namespace amp::graph

#endif
