// Family Movement: shape rules.
#include "dialects/graph/ops/MovementEvaluate.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace amp::graph;

/// The product of lengths: dynamic if one is and none is 0; none on overflow.
static std::optional<int64_t> elementCount(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t length : shape) {
    if (ShapedType::isDynamic(length))
      return ShapedType::kDynamic;
    if (llvm::MulOverflow(count, length, count))
      return std::nullopt;
  }
  return count;
}

static LogicalResult verifyElementCount(Operation *op, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  std::optional<int64_t> seen = elementCount(from), wanted = elementCount(to);
  if (!seen || !wanted || !compatibleShapes(*seen, *wanted))
    return op->emitOpError() << "turns " << shapeText(from) << " into " << shapeText(to)
                             << ", which has another number of elements";
  return success();
}

LogicalResult ConstantOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getValue().getShapedType()); // C1
  return success();
}

LogicalResult ReshapeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType(), y = getY().getType();
  if (failed(verifyElementCount(*this, x.getShape(), y.getShape()))) // C1
    return failure();
  types.push_back(RankedTensorType::get(y.getShape(), x.getElementType())); // C2
  return success();
}

/// Replaces 0 and -1 of a target shape as ONNX Reshape does.
static FailureOr<SmallVector<int64_t>> resolveTarget(DynamicReshapeOp op, ArrayRef<int64_t> target) {
  ArrayRef<int64_t> x = op.getX().getType().getShape();
  SmallVector<int64_t> shape;
  std::optional<size_t> open;
  for (auto [axis, length] : llvm::enumerate(target)) {
    if (length < -1 || (length == -1 && open))
      return op.emitOpError() << "has " << length << " at axis " << axis
                              << " of its shape; wants lengths, 0, and -1 at most once";
    if (length == 0 && !op.getAllowZero() && axis >= x.size())
      return op.emitOpError() << "copies axis " << axis << " of " << shapeText(x) << ", which has no such axis";
    if (length == -1)
      open = axis;
    shape.push_back(length == -1 ? 1 : length == 0 && !op.getAllowZero() ? x[axis] : length);
  }
  if (!open)
    return failed(verifyElementCount(op, x, shape)) ? FailureOr<SmallVector<int64_t>>(failure()) : shape;
  std::optional<int64_t> all = elementCount(x), rest = elementCount(shape);
  if (!all || !rest || (*rest == 0 && *all != 0) ||
      (!ShapedType::isDynamic(*all) && !ShapedType::isDynamic(*rest) && *rest != 0 && *all % *rest != 0))
    return op.emitOpError() << "can't spread " << shapeText(x) << " over " << shapeText(target)
                            << ", where the -1 leaves no whole length";
  bool isKnown = !ShapedType::isDynamic(*all) && !ShapedType::isDynamic(*rest) && *rest != 0;
  shape[*open] = isKnown ? *all / *rest : ShapedType::kDynamic;
  return shape;
}

LogicalResult DynamicReshapeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType shape = getShape().getType();
  if (shape.getRank() != 1 || !shape.getElementType().isInteger(64))
    return emitOpError() << "has a shape of type " << shape << "; wants rank 1 of i64"; // C1
  DenseElementsAttr target;
  if (matchPattern(getShape(), m_Constant(&target))) {
    FailureOr<SmallVector<int64_t>> lengths = resolveTarget(*this, ReferenceTensor(target).integers);
    if (failed(lengths))
      return failure();
    types.push_back(RankedTensorType::get(*lengths, getX().getType().getElementType()));
    return success();
  }
  if (shape.isDynamicDim(0))
    return emitOpError() << "has a shape of unknown length; wants one whose rank is known";
  SmallVector<int64_t> lengths(shape.getDimSize(0), ShapedType::kDynamic);
  types.push_back(RankedTensorType::get(lengths, getX().getType().getElementType()));
  return success();
}

LogicalResult FlattenOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  int64_t axis = getAxis();
  if (axis < 0 || axis > x.getRank())
    return emitOpError() << "flattens at axis " << axis << ", which lies outside [0, " << x.getRank() << "]"; // C1
  std::optional<int64_t> rows = elementCount(x.getShape().take_front(axis));
  std::optional<int64_t> columns = elementCount(x.getShape().drop_front(axis));
  if (!rows || !columns)
    return emitOpError() << "flattens " << shapeText(x.getShape()) << ", which has more than 2^63 elements";
  types.push_back(RankedTensorType::get({*rows, *columns}, x.getElementType()));
  return success();
}

LogicalResult UnsqueezeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  int64_t rank = x.getRank() + int64_t(getAxes().size());
  if (failed(verifyAxes(*this, getAxes(), rank)))
    return failure(); // C1
  SmallVector<int64_t> shape;
  const int64_t *next = x.getShape().begin();
  for (int64_t axis = 0; axis < rank; ++axis)
    shape.push_back(llvm::is_contained(getAxes(), axis) ? 1 : *next++);
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult SqueezeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  if (failed(verifyAxes(*this, getAxes(), x.getRank())))
    return failure(); // C1
  if (getAxes().empty() && !x.hasStaticShape())
    return emitOpError() << "drops every axis of length 1 of " << shapeText(x.getShape())
                         << "; wants axes where a length is not known";
  SmallVector<int64_t> shape;
  for (auto [axis, length] : llvm::enumerate(x.getShape())) {
    bool named = llvm::is_contained(getAxes(), int64_t(axis));
    if (named && !compatibleShapes(length, 1))
      return emitOpError() << "drops axis " << axis << " of length " << length << "; wants length 1"; // C2
    if (!named && !(getAxes().empty() && length == 1))
      shape.push_back(length);
  }
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult TransposeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  SmallVector<int64_t> sorted(getPermutation());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, x.getRank())))
    return emitOpError() << "has permutation [" << getPermutation() << "], which does not name each axis of rank "
                         << x.getRank() << " once"; // C1
  SmallVector<int64_t> shape;
  for (int64_t axis : getPermutation())
    shape.push_back(x.getDimSize(axis));
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult ExpandOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType(), y = getY().getType();
  auto shape = broadcastShapes(x.getShape(), y.getShape());
  if (!shape || !compatibleShapes(*shape, y.getShape()))
    return emitOpError() << "expands " << shapeText(x.getShape()) << " to " << shapeText(y.getShape())
                         << ", to which it does not broadcast";             // C1
  types.push_back(RankedTensorType::get(y.getShape(), x.getElementType())); // C2
  return success();
}

LogicalResult ShapeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  int64_t rank = getX().getType().getRank(), start = getStart(), end = getEnd();
  if (start < 0 || start > end || end > rank)
    return emitOpError() << "takes axes [" << start << ", " << end << ") of rank " << rank; // C1
  types.push_back(RankedTensorType::get({end - start}, IntegerType::get(getContext(), 64)));
  return success();
}

LogicalResult amp::graph::verifyLengths(Operation *op, ArrayRef<int64_t> lengths) {
  for (int64_t length : lengths)
    if (length < 0)
      return op->emitOpError() << "has a shape with length " << length << "; wants lengths of 0 or more";
  return success();
}

/// The shape that an operand gives: its value where it is constant, else unknown lengths of the known rank.
static FailureOr<SmallVector<int64_t>> shapeOperand(Operation *op, Value shape) {
  auto type = cast<RankedTensorType>(shape.getType());
  if (type.getRank() != 1 || !type.getElementType().isInteger(64))
    return op->emitOpError() << "has a shape of type " << type << "; wants rank 1 of i64"; // C1
  DenseElementsAttr constant;
  if (matchPattern(shape, m_Constant(&constant))) {
    SmallVector<int64_t> lengths = llvm::to_vector(ReferenceTensor(constant).integers);
    return failed(verifyLengths(op, lengths)) ? FailureOr<SmallVector<int64_t>>(failure()) : lengths;
  }
  if (type.isDynamicDim(0))
    return op->emitOpError() << "has a shape of unknown length; wants one whose rank is known";
  return SmallVector<int64_t>(type.getDimSize(0), ShapedType::kDynamic);
}

LogicalResult DynamicExpandOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  FailureOr<SmallVector<int64_t>> target = shapeOperand(*this, getShape());
  if (failed(target))
    return failure();
  auto shape = broadcastShapes(x.getShape(), *target);
  if (!shape)
    return emitOpError() << "expands " << shapeText(x.getShape()) << " to " << shapeText(*target)
                         << ", to which it does not broadcast";
  types.push_back(x.clone(*shape));
  return success();
}

LogicalResult FillOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  FailureOr<SmallVector<int64_t>> shape = shapeOperand(*this, getShape());
  if (failed(shape))
    return failure();
  ShapedType value = getValue().getShapedType();
  if (!value.hasStaticShape() || value.getNumElements() != 1)
    return emitOpError() << "has a value of type " << value << "; wants one element"; // C2
  types.push_back(RankedTensorType::get(*shape, value.getElementType()));
  return success();
}

FailureOr<int64_t> amp::graph::countRange(Operation *op, const ReferenceTensor &start, const ReferenceTensor &limit,
                                          const ReferenceTensor &delta) {
  if (start.isFloat()) {
    double step = delta.floats[0], count = std::ceil((limit.floats[0] - start.floats[0]) / step);
    if (step == 0 || !(count < 9e15))
      return op->emitOpError() << "counts from " << start.floats[0] << " to " << limit.floats[0] << " by " << step
                               << "; wants a range that ends"; // C2
    return count > 0 ? int64_t(count) : 0;
  }
  int64_t first = start.integers[0], last = limit.integers[0], step = delta.integers[0], span;
  if (step == 0 || llvm::SubOverflow(last, first, span))
    return op->emitOpError() << "counts from " << first << " to " << last << " by " << step
                             << "; wants a range that ends"; // C2
  if (span == 0 || (span > 0) != (step > 0))
    return 0;
  return span > 0 ? (span - 1) / step + 1 : (span + 1) / step + 1;
}

LogicalResult RangeOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType type = getStart().getType();
  for (Value operand : getOperands())
    if (type.getRank() != 0 || operand.getType() != type)
      return emitOpError() << "counts from " << type << " with " << operand.getType()
                           << "; wants scalars of one type"; // C1
  int64_t count = ShapedType::kDynamic;
  DenseElementsAttr start, limit, delta;
  if (matchPattern(getStart(), m_Constant(&start)) && matchPattern(getLimit(), m_Constant(&limit)) &&
      matchPattern(getDelta(), m_Constant(&delta))) {
    auto counted = countRange(*this, ReferenceTensor(start), ReferenceTensor(limit), ReferenceTensor(delta));
    if (failed(counted))
      return failure();
    count = *counted;
  }
  types.push_back(RankedTensorType::get({count}, type.getElementType()));
  return success();
}

LogicalResult TriluOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  if (x.getRank() < 2)
    return emitOpError() << "takes a triangle of rank " << x.getRank() << "; wants rank 2 or more"; // C1
  types.push_back(x);                                                                               // C2
  return success();
}
