// Family Reduction: shape rules.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

template <class ReduceOp> static LogicalResult inferReduction(ReduceOp op, SmallVectorImpl<Type> &types) {
  RankedTensorType x = op.getX().getType();
  if (failed(verifyAxes(op, op.getAxes(), x.getRank())))
    return failure(); // C1
  SmallVector<int64_t> shape;
  for (auto [axis, length] : llvm::enumerate(x.getShape())) {
    if (!llvm::is_contained(op.getAxes(), int64_t(axis)))
      shape.push_back(length);
    else if (op.getKeepDims())
      shape.push_back(1);
  }
  types.push_back(RankedTensorType::get(shape, wideOrSame(op, x.getElementType()))); // C2
  return success();
}

LogicalResult ReduceSumOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferReduction(*this, types);
}
LogicalResult ReduceMeanOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferReduction(*this, types);
}

template <class SoftmaxOp> static LogicalResult inferSoftmax(SoftmaxOp op, SmallVectorImpl<Type> &types) {
  auto first = cast<RankedTensorType>(op->getOperand(0).getType());
  if (failed(verifyAxis(op, op.getAxis(), first.getRank())))
    return failure(); // C1
  for (Type type : op->getOperandTypes()) {
    auto other = cast<RankedTensorType>(type);
    if (other.getElementType() != first.getElementType() || !compatibleShapes(other.getShape(), first.getShape()))
      return op.emitOpError() << "has operands of types " << first << " and " << other << "; wants one type"; // C2
  }
  types.push_back(first);
  return success();
}

LogicalResult SoftmaxOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSoftmax(*this, types);
}
LogicalResult SoftmaxGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSoftmax(*this, types);
}
LogicalResult LogSoftmaxOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSoftmax(*this, types);
}
LogicalResult LogSoftmaxGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferSoftmax(*this, types);
}
