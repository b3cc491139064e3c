// Reverse mode over the gradient interface: from a scalar back to the values that it depends on.
#ifndef AMP_COMPILER_TRAINSTEP_REVERSEMODE_H
#define AMP_COMPILER_TRAINSTEP_REVERSEMODE_H

#include "dialects/graph/Graph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace amp::compiler::trainstep {

/// Builds the gradients of one scalar in the block that computes it.
class ReverseMode {
public:
  /// `target` and `sources` are values of one block.
  ReverseMode(mlir::Value target, llvm::ArrayRef<mlir::Value> sources);

  /// The ops between a source and the target that have no gradient, in the order of the block.
  llvm::ArrayRef<mlir::Operation *> missing() const { return opsWithoutGradient; }

  /// Builds the gradient ops at `builder`, after all ops of the way; `seed` is the gradient of the target. Fails with
  /// an error on the op whose rule failed. Precondition: nothing is missing.
  llvm::LogicalResult build(mlir::OpBuilder &builder, mlir::Value seed);

  /// The gradient of a source; null where the target does not depend on it.
  mlir::Value gradientOf(mlir::Value source) const { return gradients.lookup(source); }

private:
  llvm::LogicalResult visit(mlir::OpBuilder &builder, mlir::Operation *op);
  void contribute(mlir::OpBuilder &builder, mlir::Operation *from, mlir::Value value, mlir::Value gradient);

  /// Floats that depend on a source.
  llvm::DenseSet<mlir::Value> varied;
  /// Ops between a source and the target, in the order of the block.
  llvm::SmallVector<mlir::Operation *> way;
  llvm::SmallVector<mlir::Operation *> opsWithoutGradient;
  mlir::Value target;
  llvm::DenseMap<mlir::Value, mlir::Value> gradients;
};

} // namespace amp::compiler::trainstep

#endif
