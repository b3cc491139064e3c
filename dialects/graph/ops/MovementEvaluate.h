// What the reference evaluations and shape rules of the movement family share.
#ifndef AMP_DIALECTS_GRAPH_OPS_MOVEMENTEVALUATE_H
#define AMP_DIALECTS_GRAPH_OPS_MOVEMENTEVALUATE_H

#include "dialects/graph/Graph.h"

namespace amp::graph {

/// Checks that a shape that an operand gives has no negative length.
llvm::LogicalResult verifyLengths(mlir::Operation *op, llvm::ArrayRef<int64_t> lengths);

/// How many numbers a range counts.
mlir::FailureOr<int64_t> countRange(mlir::Operation *op, const ReferenceTensor &start, const ReferenceTensor &limit,
                                    const ReferenceTensor &delta);

/// The row-major offset, or that in another order of strides, of an index.
inline int64_t offsetAt(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> strides) {
  int64_t offset = 0;
  for (auto [position, stride] : llvm::zip_equal(index, strides))
    offset += position * stride;
  return offset;
}

/// y[i] = x[from].
inline void copyElement(const ReferenceTensor &x, int64_t from, ReferenceTensor &y, int64_t i) {
  if (y.isFloat())
    y.floats[i] = x.floats[from];
  else
    y.integers[i] = x.integers[from];
}

/// y[i] = x[offsetOf(index of i)].
inline ReferenceTensor takeElements(mlir::RankedTensorType type, const ReferenceTensor &x,
                                    llvm::function_ref<int64_t(llvm::ArrayRef<int64_t>)> offsetOf) {
  ReferenceTensor y(type);
  int64_t element = 0;
  forEachIndex(y.shape(), [&](llvm::ArrayRef<int64_t> index) { copyElement(x, offsetOf(index), y, element++); });
  return y;
}

} // namespace amp::graph

#endif
