// Family Loss: shape rules.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

static Type scalarF32(MLIRContext *context) {
  return RankedTensorType::get({}, Float32Type::get(context));
}

template <class CrossEntropy> static LogicalResult verifyCrossEntropy(CrossEntropy op) {
  RankedTensorType logits = op.getLogits().getType(), labels = op.getLabels().getType();
  int64_t axis = op.getAxis();
  if (failed(verifyAxis(op, axis, logits.getRank())))
    return failure(); // C1
  SmallVector<int64_t> wanted(logits.getShape());
  wanted.erase(wanted.begin() + axis);
  if (!labels.getElementType().isInteger(64) || !compatibleShapes(labels.getShape(), wanted))
    return op.emitOpError() << "has labels of type " << labels << "; wants "
                            << RankedTensorType::get(wanted, IntegerType::get(op.getContext(), 64)); // C2
  return success();
}

LogicalResult CrossEntropyOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(verifyCrossEntropy(*this)))
    return failure();
  types.push_back(scalarF32(getContext())); // C3
  return success();
}

LogicalResult CrossEntropyGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(verifyCrossEntropy(*this)))
    return failure();
  if (getDloss().getType() != scalarF32(getContext()))
    return emitOpError() << "has dloss of type " << getDloss().getType() << "; wants tensor<f32>"; // C4
  types.push_back(getLogits().getType());
  return success();
}

LogicalResult MseOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  ArrayRef<int64_t> x = getX().getType().getShape(), target = getTarget().getType().getShape();
  if (!compatibleShapes(x, target))
    return emitOpError() << "has x of " << shapeText(x) << " and a target of " << shapeText(target)
                         << "; wants one shape"; // C1
  types.push_back(scalarF32(getContext()));      // C2
  return success();
}
