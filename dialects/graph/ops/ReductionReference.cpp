// Family Reduction: reference evaluation.
#include "dialects/graph/Graph.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace amp::graph;

/// Sums x over axes into a tensor of `type`; returns how many elements went into each sum.
static int64_t sumOver(const ReferenceTensor &x, ArrayRef<int64_t> axes, ReferenceTensor &y) {
  SmallVector<int64_t> kept; // strides of y by axis of x: 0 along the reduced axes
  int64_t stride = 1, count = 1;
  for (int64_t axis = int64_t(x.shape().size()) - 1; axis >= 0; --axis) {
    bool reduced = llvm::is_contained(axes, axis);
    kept.insert(kept.begin(), reduced ? 0 : stride);
    (reduced ? count : stride) *= x.shape()[axis];
  }
  int64_t element = 0;
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (auto [position, step] : llvm::zip(index, kept))
      offset += position * step;
    if (x.isFloat())
      y.floats[offset] += x.floats[element++];
    else
      y.integers[offset] += x.integers[element++];
  });
  return count;
}

LogicalResult ReduceSumOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y(getY().getType());
  sumOver(operands[0], getAxes(), y);
  y.round();
  results.push_back(std::move(y));
  return success();
}

LogicalResult ReduceMeanOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y(getY().getType());
  int64_t count = sumOver(operands[0], getAxes(), y);
  for (double &value : y.floats)
    value /= double(count);
  if (!y.isFloat() && count == 0)
    return emitOpError() << "takes the mean of no integers";
  for (int64_t &value : y.integers)
    value /= count;
  y.round();
  results.push_back(std::move(y));
  return success();
}

/// Calls fn with the offsets of each line along `axis`.
static void forEachLine(ArrayRef<int64_t> shape, int64_t axis, llvm::function_ref<void(ArrayRef<int64_t>)> fn) {
  SmallVector<int64_t> strides = rowMajorStrides(shape);
  SmallVector<int64_t> others(shape), line(shape[axis]);
  others[axis] = std::min<int64_t>(shape[axis], 1);
  forEachIndex(others, [&](ArrayRef<int64_t> index) {
    int64_t start = 0;
    for (auto [position, stride] : llvm::zip(index, strides))
      start += position * stride;
    for (auto [position, offset] : llvm::enumerate(line))
      offset = start + int64_t(position) * strides[axis];
    fn(line);
  });
}

/// The largest element and the sum of exponentials of what is left without it.
static std::pair<double, double> maximumAndSum(const ReferenceTensor &x, ArrayRef<int64_t> line) {
  double maximum = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int64_t offset : line)
    maximum = x.floats[offset] > maximum || std::isnan(x.floats[offset]) ? x.floats[offset] : maximum;
  for (int64_t offset : line)
    sum += std::exp(x.floats[offset] - maximum);
  return {maximum, sum};
}

LogicalResult SoftmaxOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y(x.type);
  forEachLine(x.shape(), getAxis(), [&](ArrayRef<int64_t> line) {
    auto [maximum, sum] = maximumAndSum(x, line);
    for (int64_t offset : line)
      y.floats[offset] = std::exp(x.floats[offset] - maximum) / sum;
  });
  y.round();
  results.push_back(std::move(y));
  return success();
}

LogicalResult LogSoftmaxOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y(x.type);
  forEachLine(x.shape(), getAxis(), [&](ArrayRef<int64_t> line) {
    auto [maximum, sum] = maximumAndSum(x, line);
    for (int64_t offset : line)
      y.floats[offset] = x.floats[offset] - maximum - std::log(sum);
  });
  y.round();
  results.push_back(std::move(y));
  return success();
}

LogicalResult SoftmaxGradOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &dy = operands[0], &y = operands[1];
  ReferenceTensor dx(dy.type);
  auto share = [&](int64_t offset) { return std::isnan(y.floats[offset]) ? 0.0 : y.floats[offset]; };
  forEachLine(dy.shape(), getAxis(), [&](ArrayRef<int64_t> line) {
    double sum = 0;
    for (int64_t offset : line)
      sum += dy.floats[offset] * share(offset);
    for (int64_t offset : line)
      dx.floats[offset] = share(offset) * (dy.floats[offset] - sum);
  });
  dx.round();
  results.push_back(std::move(dx));
  return success();
}

LogicalResult LogSoftmaxGradOp::evaluate(ArrayRef<ReferenceTensor> operands,
                                         SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &dy = operands[0], &y = operands[1];
  ReferenceTensor dx(dy.type);
  forEachLine(dy.shape(), getAxis(), [&](ArrayRef<int64_t> line) {
    double sum = 0;
    for (int64_t offset : line)
      sum += dy.floats[offset];
    for (int64_t offset : line)
      dx.floats[offset] = dy.floats[offset] - std::exp(y.floats[offset]) * sum;
  });
  dx.round();
  results.push_back(std::move(dx));
  return success();
}
