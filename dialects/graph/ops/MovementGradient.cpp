// Gradient rules of the movement family: the way back.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

LogicalResult ReshapeOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                       SmallVectorImpl<Value> &gradients) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(getX().getType()).getShape();
  gradients[0] = reshapeTo(builder, gradientLocation(*this), dy[0], shape);
  return success();
}

LogicalResult TransposeOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                         SmallVectorImpl<Value> &gradients) {
  SmallVector<int64_t> inverse(getPermutation().size());
  for (auto [position, axis] : llvm::enumerate(getPermutation()))
    inverse[axis] = position;
  gradients[0] = TransposeOp::create(builder, gradientLocation(*this), getX().getType(), dy[0],
                                     builder.getDenseI64ArrayAttr(inverse));
  return success();
}

LogicalResult ExpandOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                      SmallVectorImpl<Value> &gradients) {
  gradients[0] = sumToShape(builder, gradientLocation(*this), dy[0], getX());
  return success();
}
