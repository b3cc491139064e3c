// Family Movement: reference evaluation of ops that join, index and slice.
#include "dialects/graph/ops/MovementEvaluate.h"

using namespace mlir;
using namespace amp::graph;

LogicalResult ConcatOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y(getY().getType());
  SmallVector<int64_t> strides = rowMajorStrides(y.shape());
  int64_t start = 0;
  for (const ReferenceTensor &x : operands) {
    int64_t element = 0;
    forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
      int64_t offset = start + offsetAt(index, strides);
      copyElement(x, element++, y, offset);
    });
    start += x.shape()[getAxis()] * strides[getAxis()];
  }
  results.push_back(std::move(y));
  return success();
}

/// Indices counted from the front; an error where one lies outside the axis.
static FailureOr<std::vector<int64_t>> countFromFront(Operation *op, const ReferenceTensor &indices, int64_t length) {
  std::vector<int64_t> positions(indices.integers);
  for (int64_t &index : positions) {
    if (index < -length || index >= length)
      return op->emitOpError() << "takes index " << index << " of an axis of length " << length;
    if (index < 0)
      index += length;
  }
  return positions;
}

/// Calls fn(offset in y, offset in x) for all elements that gather takes of `shape` along `axis`.
static void forEachTaken(ArrayRef<int64_t> shape, int64_t axis, ArrayRef<int64_t> positions,
                         llvm::function_ref<void(int64_t, int64_t)> fn) {
  int64_t outer = 1, inner = 1, length = shape[axis];
  for (int64_t before : shape.take_front(axis))
    outer *= before;
  for (int64_t behind : shape.drop_front(axis + 1))
    inner *= behind;
  int64_t element = 0;
  for (int64_t block = 0; block < outer; ++block)
    for (int64_t position : positions)
      for (int64_t offset = 0; offset < inner; ++offset)
        fn(element++, (block * length + position) * inner + offset);
}

LogicalResult GatherOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  auto positions = countFromFront(*this, operands[1], x.shape()[getAxis()]);
  if (failed(positions))
    return failure();
  ReferenceTensor y(getY().getType());
  forEachTaken(x.shape(), getAxis(), *positions, [&](int64_t to, int64_t from) { copyElement(x, from, y, to); });
  results.push_back(std::move(y));
  return success();
}

LogicalResult GatherGradOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &dy = operands[0];
  auto positions = countFromFront(*this, operands[1], getLength());
  if (failed(positions))
    return failure();
  ReferenceTensor dx(getDx().getType());
  forEachTaken(dx.shape(), getAxis(), *positions, [&](int64_t to, int64_t from) { dx.floats[from] += dy.floats[to]; });
  dx.round();
  results.push_back(std::move(dx));
  return success();
}

LogicalResult GatherElementsOp::evaluate(ArrayRef<ReferenceTensor> operands,
                                         SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  auto positions = countFromFront(*this, operands[1], x.shape()[getAxis()]);
  if (failed(positions))
    return failure();
  SmallVector<int64_t> strides = rowMajorStrides(x.shape());
  size_t element = 0;
  results.push_back(takeElements(getY().getType(), x, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source(index);
    source[getAxis()] = (*positions)[element++];
    return offsetAt(source, strides);
  }));
  return success();
}

LogicalResult GatherNdOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0], &indices = operands[1];
  ArrayRef<int64_t> shape = x.shape();
  int64_t batchDims = getBatchDims(), tuple = indices.shape().back();
  for (auto [number, index] : llvm::enumerate(indices.integers)) {
    int64_t axis = batchDims + int64_t(number) % tuple;
    if (index < -shape[axis] || index >= shape[axis])
      return emitOpError() << "takes index " << index << " of axis " << axis << " of length " << shape[axis];
  }
  SmallVector<int64_t> strides = rowMajorStrides(shape), tupleStrides = rowMajorStrides(indices.shape());
  int64_t indexRank = int64_t(indices.shape().size()) - 1;
  results.push_back(takeElements(getY().getType(), x, [&](ArrayRef<int64_t> index) {
    int64_t first = offsetAt(index.take_front(indexRank), ArrayRef(tupleStrides).drop_back());
    SmallVector<int64_t> source(index.take_front(batchDims));
    for (int64_t i = 0; i < tuple; ++i) {
      int64_t position = indices.integers[first + i];
      source.push_back(position < 0 ? position + shape[batchDims + i] : position);
    }
    source.append(index.drop_front(indexRank).begin(), index.end());
    return offsetAt(source, strides);
  }));
  return success();
}

namespace {

/// Where the elements that a slice takes lie in x: at `start` + index * strides.
struct SliceMap {
  SmallVector<int64_t> shape, strides;
  int64_t start = 0;

  SliceMap(ArrayRef<int64_t> input, ArrayRef<int64_t> axes, ArrayRef<int64_t> starts, ArrayRef<int64_t> ends,
           ArrayRef<int64_t> steps)
      : shape(input), strides(rowMajorStrides(input)) {
    SmallVector<int64_t> full(strides);
    for (auto [axis, from, to, step] : llvm::zip_equal(axes, starts, ends, steps)) {
      SliceRange range = SliceRange::along(input[axis], from, to, step);
      start += range.start * full[axis];
      strides[axis] = range.count > 1 ? full[axis] * step : 0; // a step beyond the axis may be of any size
      shape[axis] = range.count;
    }
  }
  int64_t operator()(ArrayRef<int64_t> index) const { return start + offsetAt(index, strides); }
};

} // namespace

LogicalResult SliceOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  SliceMap map(x.shape(), getAxes(), getStarts(), getEnds(), getSteps());
  results.push_back(takeElements(x.type.clone(map.shape), x, map));
  return success();
}

LogicalResult DynamicSliceOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  std::vector<int64_t> steps(getAxes().size(), 1);
  if (getSteps())
    steps = operands[3].integers;
  if (llvm::is_contained(steps, 0))
    return emitOpError() << "has step 0; wants another";
  SliceMap map(x.shape(), getAxes(), operands[1].integers, operands[2].integers, steps);
  results.push_back(takeElements(x.type.clone(map.shape), x, map));
  return success();
}

LogicalResult SliceGradOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &dy = operands[0];
  SliceMap map(getInputShape(), getAxes(), getStarts(), getEnds(), getSteps());
  ReferenceTensor dx(dy.type.clone(getInputShape()));
  int64_t element = 0;
  forEachIndex(dy.shape(), [&](ArrayRef<int64_t> index) { copyElement(dy, element++, dx, map(index)); });
  results.push_back(std::move(dx));
  return success();
}
