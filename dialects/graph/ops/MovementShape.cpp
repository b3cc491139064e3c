// Family Movement: shape rules.
#include "dialects/graph/Graph.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

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

LogicalResult ConcatOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (getXs().empty())
    return emitOpError() << "joins no tensors; wants at least 1";
  auto first = cast<RankedTensorType>(getXs().front().getType());
  if (failed(verifyAxis(*this, getAxis(), first.getRank())))
    return failure(); // C1
  SmallVector<int64_t> shape(first.getShape());
  int64_t &joined = shape[getAxis()];
  for (Value x : getXs().drop_front()) {
    auto type = cast<RankedTensorType>(x.getType());
    SmallVector<int64_t> aside(type.getShape());
    if (aside.size() == shape.size())
      aside[getAxis()] = joined;
    if (type.getElementType() != first.getElementType() || !compatibleShapes(aside, shape))
      return emitOpError() << "joins " << first << " and " << type << " along axis " << getAxis()
                           << "; wants one element type and equal lengths elsewhere"; // C2
    int64_t length = type.getDimSize(getAxis());
    joined = ShapedType::isDynamic(joined) || ShapedType::isDynamic(length) ? ShapedType::kDynamic : joined + length;
  }
  types.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

LogicalResult GatherOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType(), indices = getIndices().getType();
  if (failed(verifyAxis(*this, getAxis(), x.getRank())))
    return failure(); // C1
  int64_t length = x.getDimSize(getAxis());
  DenseElementsAttr constant;
  if (!ShapedType::isDynamic(length) && matchPattern(getIndices(), m_Constant(&constant)))
    for (int64_t index : ReferenceTensor(constant).integers)
      if (index < -length || index >= length)
        return emitOpError() << "takes index " << index << " of an axis of length " << length; // C2
  SmallVector<int64_t> shape(x.getShape().take_front(getAxis()));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, x.getShape().drop_front(getAxis() + 1));
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult SliceOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  size_t count = getAxes().size();
  if (getStarts().size() != count || getEnds().size() != count || getSteps().size() != count)
    return emitOpError() << "has " << count << " axes, " << getStarts().size() << " starts, " << getEnds().size()
                         << " ends and " << getSteps().size() << " steps; wants as many of each"; // C1
  SmallVector<int64_t> shape(x.getShape());
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = getAxes()[i];
    if (failed(verifyAxis(*this, axis, x.getRank())))
      return failure(); // C2
    if (getSteps()[i] == 0)
      return emitOpError() << "has step 0 along axis " << axis << "; wants another"; // C3
    if (!ShapedType::isDynamic(shape[axis]))
      shape[axis] = SliceRange::along(shape[axis], getStarts()[i], getEnds()[i], getSteps()[i]).count;
  }
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}
