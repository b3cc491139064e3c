// Family Movement: reference evaluation.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

/// The elements of x in the same order, in the result's shape.
static LogicalResult evaluateReshape(Operation *op, const ReferenceTensor &x,
                                     SmallVectorImpl<ReferenceTensor> &results) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape() || type.getNumElements() != x.size())
    return op->emitOpError() << "has a result of " << shapeText(type.getShape()) << " for a value of "
                             << shapeText(x.shape());
  ReferenceTensor y = x;
  y.type = type;
  results.push_back(std::move(y));
  return success();
}

/// y[i] = x[offsetOf(index of i)].
static LogicalResult evaluateIndexMap(Operation *op, const ReferenceTensor &x,
                                      SmallVectorImpl<ReferenceTensor> &results,
                                      llvm::function_ref<int64_t(ArrayRef<int64_t>)> offsetOf) {
  ReferenceTensor y(cast<RankedTensorType>(op->getResult(0).getType()));
  int64_t element = 0;
  forEachIndex(y.shape(), [&](ArrayRef<int64_t> index) {
    int64_t offset = offsetOf(index);
    if (y.isFloat())
      y.floats[element++] = x.floats[offset];
    else
      y.integers[element++] = x.integers[offset];
  });
  results.push_back(std::move(y));
  return success();
}

static int64_t offsetAt(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t offset = 0;
  for (auto [position, stride] : llvm::zip(index, strides))
    offset += position * stride;
  return offset;
}

LogicalResult ConstantOp::evaluate(ArrayRef<ReferenceTensor>, SmallVectorImpl<ReferenceTensor> &results) {
  results.emplace_back(getValue());
  return success();
}
LogicalResult ReshapeOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateReshape(*this, operands[0], results);
}
LogicalResult DynamicReshapeOp::evaluate(ArrayRef<ReferenceTensor> operands,
                                         SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateReshape(*this, operands[0], results);
}
LogicalResult FlattenOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateReshape(*this, operands[0], results);
}
LogicalResult UnsqueezeOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateReshape(*this, operands[0], results);
}
LogicalResult SqueezeOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateReshape(*this, operands[0], results);
}

LogicalResult TransposeOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  SmallVector<int64_t> strides = rowMajorStrides(operands[0].shape()), permuted;
  for (int64_t axis : getPermutation())
    permuted.push_back(strides[axis]);
  return evaluateIndexMap(*this, operands[0], results,
                          [&](ArrayRef<int64_t> index) { return offsetAt(index, permuted); });
}

LogicalResult ExpandOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateIndexMap(*this, operands[0], results,
                          [&](ArrayRef<int64_t> index) { return broadcastOffset(index, operands[0].shape()); });
}

LogicalResult ShapeOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y(getY().getType());
  llvm::copy(operands[0].shape().slice(getStart(), getEnd() - getStart()), y.integers.begin());
  results.push_back(std::move(y));
  return success();
}

LogicalResult ConcatOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y(getY().getType());
  SmallVector<int64_t> strides = rowMajorStrides(y.shape());
  int64_t start = 0;
  for (const ReferenceTensor &x : operands) {
    int64_t element = 0;
    forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
      int64_t offset = start + offsetAt(index, strides);
      if (y.isFloat())
        y.floats[offset] = x.floats[element++];
      else
        y.integers[offset] = x.integers[element++];
    });
    start += x.shape()[getAxis()] * strides[getAxis()];
  }
  results.push_back(std::move(y));
  return success();
}

LogicalResult GatherOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0], &indices = operands[1];
  int64_t axis = getAxis(), length = x.shape()[axis];
  for (int64_t index : indices.integers)
    if (index < -length || index >= length)
      return emitOpError() << "takes index " << index << " of an axis of length " << length;
  SmallVector<int64_t> strides = rowMajorStrides(x.shape());
  size_t indexRank = indices.shape().size();
  return evaluateIndexMap(*this, x, results, [&](ArrayRef<int64_t> index) {
    ArrayRef<int64_t> taken = index.slice(axis, indexRank);
    int64_t position = indices.integers[offsetAt(taken, rowMajorStrides(indices.shape()))];
    int64_t along = (position < 0 ? position + length : position) * strides[axis];
    return along + offsetAt(index.take_front(axis), ArrayRef(strides).take_front(axis)) +
           offsetAt(index.drop_front(axis + indexRank), ArrayRef(strides).drop_front(axis + 1));
  });
}

LogicalResult SliceOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  SmallVector<int64_t> strides = rowMajorStrides(x.shape()), steps(strides);
  int64_t start = 0;
  for (auto [axis, from, to, step] : llvm::zip(getAxes(), getStarts(), getEnds(), getSteps())) {
    SliceRange range = SliceRange::along(x.shape()[axis], from, to, step);
    start += range.start * strides[axis];
    steps[axis] = range.count > 1 ? strides[axis] * step : 0; // a step beyond the axis may be of any size
  }
  return evaluateIndexMap(*this, x, results, [&](ArrayRef<int64_t> index) { return start + offsetAt(index, steps); });
}
