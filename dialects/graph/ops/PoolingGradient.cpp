// Gradient rules of the pooling family.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

LogicalResult MaxPool2dOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                         SmallVectorImpl<Value> &gradients) {
  gradients[0] = MaxPool2dGradOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getX(),
                                         getKernelAttr(), getStridesAttr(), getPadsAttr(), getDilationsAttr(),
                                         getCeilModeAttr(), getLayoutAttr(), getResultLayoutAttr());
  return success();
}

LogicalResult AveragePool2dOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &,
                                             SmallVectorImpl<Value> &gradients) {
  auto shape = builder.getDenseI64ArrayAttr(cast<RankedTensorType>(getX().getType()).getShape());
  gradients[0] = AveragePool2dGradOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getKernelAttr(),
                                             getStridesAttr(), getPadsAttr(), getDilationsAttr(), getCeilModeAttr(),
                                             getLayoutAttr(), getResultLayoutAttr(), getCountIncludePadAttr(), shape);
  return success();
}
