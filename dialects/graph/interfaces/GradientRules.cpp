// What the gradient rules of the families share.
#include "dialects/graph/interfaces/GradientRules.h"

#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

Location amp::graph::gradientLocation(Operation *op) {
  return FusedLoc::get(op->getContext(), {op->getLoc()}, StringAttr::get(op->getContext(), "gradient"));
}

Value amp::graph::sumOver(OpBuilder &builder, Location loc, Value x, ArrayRef<int64_t> axes) {
  if (axes.empty())
    return x;
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> kept;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (!llvm::is_contained(axes, axis))
      kept.push_back(type.getDimSize(axis));
  return ReduceSumOp::create(builder, loc, type.clone(kept), x, builder.getDenseI64ArrayAttr(axes),
                             builder.getBoolAttr(false));
}

Value amp::graph::reshapeTo(OpBuilder &builder, Location loc, Value x, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(x.getType());
  if (type.getShape() == shape)
    return x;
  return ReshapeOp::create(builder, loc, type.clone(shape), x);
}

Value amp::graph::sumToShape(OpBuilder &builder, Location loc, Value gradient, Value like) {
  ArrayRef<int64_t> from = cast<RankedTensorType>(gradient.getType()).getShape();
  ArrayRef<int64_t> to = cast<RankedTensorType>(like.getType()).getShape();
  const int64_t leading = from.size() - to.size();
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < static_cast<int64_t>(from.size()); ++axis)
    if (axis < leading || (to[axis - leading] == 1 && from[axis] != 1))
      axes.push_back(axis);
  return reshapeTo(builder, loc, sumOver(builder, loc, gradient, axes), to);
}

Value amp::graph::scalarConstant(OpBuilder &builder, Location loc, Value like, double value) {
  Type element = getElementTypeOrSelf(like);
  auto type = RankedTensorType::get({}, element);
  return ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, builder.getFloatAttr(element, value)));
}
