// Operands of a library call that a kernel's "prologue" step widens to f32 in the workspace.
#ifndef AMP_COMPILER_TILING_STAGING_H
#define AMP_COMPILER_TILING_STAGING_H

#include "mlir/IR/Operation.h"

namespace amp::compiler {

/// The kernel's input whose elements `value` has, in their order: itself, a reshape of it, or what a library unpacks.
mlir::BlockArgument inputBehind(mlir::Value value);

/// What a tile widens of an operand: `rows` runs of `columns` elements, which lie in the workspace one after the other.
struct StagedOperand {
  mlir::BlockArgument input;
  int64_t rows = 1, columns = 0;
  int64_t rowStride = 0;  ///< elements between runs of the input
  int64_t tileStride = 0; ///< elements between tiles of the input

  int64_t elements() const { return rows * columns; }
};

/// Of a convolution, its input gradient, a matmul or a plan.pack in a kernel of so many tiles: images and rows of the
/// left side are cut, weights and right sides are whole. No input where the operand is not the kernel's own.
StagedOperand stagedOperand(mlir::Operation *root, unsigned operand, int64_t tiles);

} // namespace amp::compiler

#endif
