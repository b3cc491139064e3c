// The transposes between the two layouts of an image, and which neighbours can take one.
#ifndef AMP_COMPILER_LAYOUT_IMAGETRANSPOSE_H
#define AMP_COMPILER_LAYOUT_IMAGETRANSPOSE_H

#include "dialects/graph/Graph.h"

namespace amp::compiler {

/// The permutation of a transpose from NxCxHxW to NxHxWxC, and back.
llvm::ArrayRef<int64_t> toChannelsLastPermutation();
llvm::ArrayRef<int64_t> toChannelsFirstPermutation();
bool isImageTranspose(graph::TransposeOp transpose);

/// The type whose axis i is axis permutation[i] of `type`.
mlir::RankedTensorType permuted(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> permutation);

/// The permutation that undoes `permutation`.
llvm::SmallVector<int64_t> inverted(llvm::ArrayRef<int64_t> permutation);

/// The transpose of the value; its location is the value's.
mlir::Value transposed(mlir::OpBuilder &builder, mlir::Value value, llvm::ArrayRef<int64_t> permutation);

/// Whether the permutation keeps the order of the axes that are longer than 1, so that a reshape does the same.
bool movesUnitAxesOnly(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> permutation);

/// A value that can come out permuted at no cost: the result of a transpose that this one undoes, of an op that
/// absorbs it, or of elementwise ops between those and here that nobody else uses.
bool canGive(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
/// Makes it so: returns the value that holds transpose(value). Only after canGive() has said yes.
mlir::Value give(mlir::Value value, llvm::ArrayRef<int64_t> permutation);

/// A use of transpose(v) that can read v itself at no cost, in the same sense.
bool canTake(mlir::OpOperand &use, llvm::ArrayRef<int64_t> permutation);
/// Makes it so: `source` is v. Only after canTake() has said yes. A user that is a transpose goes away.
void take(mlir::OpOperand &use, mlir::Value source, llvm::ArrayRef<int64_t> permutation);

} // namespace amp::compiler

#endif
