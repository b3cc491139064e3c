// Family Movement: reference evaluation.
#include "dialects/graph/ops/MovementEvaluate.h"

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
  results.push_back(
      takeElements(getY().getType(), operands[0], [&](ArrayRef<int64_t> index) { return offsetAt(index, permuted); }));
  return success();
}

static ReferenceTensor broadcastTo(ArrayRef<int64_t> shape, const ReferenceTensor &x) {
  return takeElements(x.type.clone(shape), x,
                      [&](ArrayRef<int64_t> index) { return broadcastOffset(index, x.shape()); });
}

LogicalResult ExpandOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  results.push_back(broadcastTo(getY().getType().getShape(), operands[0]));
  return success();
}

LogicalResult ShapeOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y(getY().getType());
  llvm::copy(operands[0].shape().slice(getStart(), getEnd() - getStart()), y.integers.begin());
  results.push_back(std::move(y));
  return success();
}

LogicalResult DynamicExpandOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  auto shape = broadcastShapes(operands[0].shape(), operands[1].integers);
  if (!shape)
    return emitOpError() << "expands " << shapeText(operands[0].shape()) << " to " << shapeText(operands[1].integers)
                         << ", to which it does not broadcast";
  results.push_back(broadcastTo(*shape, operands[0]));
  return success();
}

LogicalResult FillOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  if (failed(verifyLengths(*this, operands[0].integers)))
    return failure();
  ReferenceTensor one(getValue());
  one.type = one.type.clone(ArrayRef<int64_t>());
  results.push_back(broadcastTo(operands[0].integers, one));
  return success();
}

LogicalResult RangeOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  FailureOr<int64_t> count = countRange(*this, operands[0], operands[1], operands[2]);
  if (failed(count))
    return failure();
  ReferenceTensor y(RankedTensorType::get({*count}, operands[0].type.getElementType()));
  for (int64_t i = 0; i < *count; ++i) {
    if (y.isFloat())
      y.floats[i] = operands[0].floats[0] + double(i) * operands[2].floats[0];
    else
      y.integers[i] = operands[0].integers[0] + i * operands[2].integers[0];
  }
  y.round();
  results.push_back(std::move(y));
  return success();
}

LogicalResult TriluOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y = operands[0];
  int64_t element = 0;
  auto k = int64_t(getK());
  forEachIndex(y.shape(), [&](ArrayRef<int64_t> index) {
    int64_t offDiagonal = index.back() - index[index.size() - 2];
    bool kept = getUpper() ? offDiagonal >= k : offDiagonal <= k;
    if (!kept && y.isFloat())
      y.floats[element] = 0;
    else if (!kept)
      y.integers[element] = 0;
    ++element;
  });
  results.push_back(std::move(y));
  return success();
}
