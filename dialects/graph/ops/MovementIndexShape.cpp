// Family Movement: shape rules of ops that join, index and slice.
#include "dialects/graph/Graph.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace amp::graph;

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

LogicalResult GatherGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType dy = getDy().getType(), indices = getIndices().getType();
  int64_t rank = dy.getRank() - indices.getRank() + 1, axis = getAxis();
  if (failed(verifyAxis(*this, axis, rank)))
    return failure(); // C1
  if (!compatibleShapes(dy.getShape().slice(axis, indices.getRank()), indices.getShape()))
    return emitOpError() << "has dy of " << shapeText(dy.getShape()) << " for indices of "
                         << shapeText(indices.getShape()) << " along axis " << axis; // C2
  SmallVector<int64_t> shape(dy.getShape().take_front(axis));
  shape.push_back(getLength());
  llvm::append_range(shape, dy.getShape().drop_front(axis + indices.getRank()));
  Type element = dy.getElementType().isF64() ? dy.getElementType() : Float32Type::get(getContext());
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

LogicalResult GatherElementsOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType(), indices = getIndices().getType();
  if (failed(verifyAxis(*this, getAxis(), x.getRank())))
    return failure(); // C1
  bool fits = x.getRank() == indices.getRank();
  for (int64_t axis = 0; fits && axis < x.getRank(); ++axis)
    fits = axis == int64_t(getAxis()) || x.isDynamicDim(axis) || indices.isDynamicDim(axis) ||
           indices.getDimSize(axis) <= x.getDimSize(axis);
  if (!fits)
    return emitOpError() << "takes elements of " << shapeText(x.getShape()) << " at indices of "
                         << shapeText(indices.getShape()) << " along axis " << getAxis(); // C2
  types.push_back(RankedTensorType::get(indices.getShape(), x.getElementType()));
  return success();
}

LogicalResult GatherNdOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType(), indices = getIndices().getType();
  int64_t batchDims = getBatchDims();
  if (batchDims < 0 || batchDims >= std::min(x.getRank(), indices.getRank()))
    return emitOpError() << "shares " << batchDims << " axes between " << shapeText(x.getShape()) << " and "
                         << shapeText(indices.getShape()) << "; wants less than either rank"; // C2
  if (!compatibleShapes(x.getShape().take_front(batchDims), indices.getShape().take_front(batchDims)))
    return emitOpError() << "takes slices of " << shapeText(x.getShape()) << " at indices of "
                         << shapeText(indices.getShape()) << ", which differ on the first " << batchDims
                         << " axes"; // C2
  int64_t tuple = indices.getShape().back();
  if (ShapedType::isDynamic(tuple) || tuple < 1 || tuple > x.getRank() - batchDims)
    return emitOpError() << "has indices of " << shapeText(indices.getShape()) << " into " << shapeText(x.getShape())
                         << "; wants tuples of 1 to " << x.getRank() - batchDims; // C1
  SmallVector<int64_t> shape(indices.getShape().drop_back());
  llvm::append_range(shape, x.getShape().drop_front(batchDims + tuple));
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

/// The shape that slice gives; the arrays have one length, and no step is 0.
static FailureOr<SmallVector<int64_t>> inferSlice(Operation *op, ArrayRef<int64_t> input, ArrayRef<int64_t> axes,
                                                  ArrayRef<int64_t> starts, ArrayRef<int64_t> ends,
                                                  ArrayRef<int64_t> steps) {
  size_t count = axes.size();
  if (starts.size() != count || ends.size() != count || steps.size() != count)
    return op->emitOpError() << "has " << count << " axes, " << starts.size() << " starts, " << ends.size()
                             << " ends and " << steps.size() << " steps; wants as many of each"; // C1
  SmallVector<int64_t> shape(input);
  llvm::SmallDenseSet<int64_t> seen;
  for (auto [axis, start, end, step] : llvm::zip_equal(axes, starts, ends, steps)) {
    if (failed(verifyAxis(op, axis, int64_t(input.size()))))
      return failure(); // C2
    if (!seen.insert(axis).second)
      return op->emitOpError() << "has axis " << axis << " twice; wants each axis once"; // C2
    if (step == 0)
      return op->emitOpError() << "has step 0 along axis " << axis << "; wants another"; // C3
    if (!ShapedType::isDynamic(shape[axis]))
      shape[axis] = SliceRange::along(shape[axis], start, end, step).count;
  }
  return shape;
}

LogicalResult SliceOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  auto shape = inferSlice(*this, x.getShape(), getAxes(), getStarts(), getEnds(), getSteps());
  if (failed(shape))
    return failure();
  types.push_back(x.clone(*shape));
  return success();
}

LogicalResult DynamicSliceOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  // Starts, ends, steps; none where they are not constant.
  std::optional<SmallVector<int64_t>> lists[3] = {std::nullopt, std::nullopt,
                                                  SmallVector<int64_t>(getAxes().size(), 1)};
  for (auto [number, list] : llvm::enumerate(getOperands().drop_front())) {
    auto type = cast<RankedTensorType>(list.getType());
    if (type.getRank() != 1 || !compatibleShapes(type.getDimSize(0), int64_t(getAxes().size())))
      return emitOpError() << "has a list of type " << type << " for " << getAxes().size()
                           << " axes; wants rank 1 and that length"; // C1
    DenseElementsAttr constant;
    lists[number].reset();
    if (matchPattern(list, m_Constant(&constant)))
      lists[number] = llvm::to_vector(ReferenceTensor(constant).integers);
  }
  SmallVector<int64_t> shape(x.getShape());
  if (lists[0] && lists[1] && lists[2]) {
    auto known = inferSlice(*this, shape, getAxes(), *lists[0], *lists[1], *lists[2]);
    if (failed(known))
      return failure();
    shape = *known;
  } else {
    for (int64_t axis : getAxes()) {
      if (failed(verifyAxis(*this, axis, x.getRank())))
        return failure();
      shape[axis] = ShapedType::kDynamic;
    }
  }
  types.push_back(x.clone(shape));
  return success();
}

LogicalResult SliceGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType dy = getDy().getType();
  auto shape = inferSlice(*this, getInputShape(), getAxes(), getStarts(), getEnds(), getSteps());
  if (failed(shape))
    return failure();
  if (!compatibleShapes(dy.getShape(), *shape))
    return emitOpError() << "has dy of " << shapeText(dy.getShape()) << "; wants " << shapeText(*shape)
                         << ", what slice takes of " << shapeText(getInputShape()); // C4
  types.push_back(dy.clone(getInputShape()));
  return success();
}
