// What the reference evaluations of the elementwise family share.
#ifndef AMP_DIALECTS_GRAPH_OPS_ELEMENTWISEEVALUATE_H
#define AMP_DIALECTS_GRAPH_OPS_ELEMENTWISEEVALUATE_H

#include "dialects/graph/Graph.h"

namespace amp::graph {

/// y[i] = floatFn(x[i]), or integerFn for integers.
inline llvm::LogicalResult evaluateUnary(mlir::Operation *op, const ReferenceTensor &x,
                                         llvm::SmallVectorImpl<ReferenceTensor> &results,
                                         llvm::function_ref<double(double)> floatFn,
                                         llvm::function_ref<int64_t(int64_t)> integerFn = nullptr) {
  if (!x.isFloat() && !integerFn)
    return op->emitOpError() << "has no value for elements of type " << x.type.getElementType();
  ReferenceTensor y(x.type);
  for (size_t i = 0; i < x.floats.size(); ++i)
    y.floats[i] = floatFn(x.floats[i]);
  for (size_t i = 0; i < x.integers.size(); ++i)
    y.integers[i] = integerFn(x.integers[i]);
  y.round();
  results.push_back(std::move(y));
  return mlir::success();
}

/// Calls fn(i, lhs offset, rhs offset) for every element i of a broadcast result.
inline void forEachPair(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs,
                        llvm::function_ref<void(int64_t, int64_t, int64_t)> fn) {
  int64_t element = 0;
  forEachIndex(shape, [&](llvm::ArrayRef<int64_t> index) {
    fn(element++, broadcastOffset(index, lhs), broadcastOffset(index, rhs));
  });
}

inline llvm::LogicalResult evaluateBinary(mlir::Operation *op, llvm::ArrayRef<ReferenceTensor> operands,
                                          llvm::SmallVectorImpl<ReferenceTensor> &results,
                                          llvm::function_ref<double(double, double)> floatFn,
                                          llvm::function_ref<int64_t(int64_t, int64_t)> integerFn) {
  const ReferenceTensor &lhs = operands[0], &rhs = operands[1];
  ReferenceTensor y(mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType()));
  forEachPair(y.shape(), lhs.shape(), rhs.shape(), [&](int64_t i, int64_t left, int64_t right) {
    if (lhs.isFloat())
      y.floats[i] = floatFn(lhs.floats[left], rhs.floats[right]);
    else
      y.integers[i] = integerFn(lhs.integers[left], rhs.integers[right]);
  });
  y.round();
  results.push_back(std::move(y));
  return mlir::success();
}

} // namespace amp::graph

#endif
