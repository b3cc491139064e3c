// Gradient rules of the convolution family: each gradient is an op of its own, since kernels exist for each.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

LogicalResult Conv2dOp::buildGradient(OpBuilder &builder, ArrayRef<Value> resultGradients, const BitVector &wanted,
                                      SmallVectorImpl<Value> &gradients) {
  Location loc = gradientLocation(*this);
  Value dy = resultGradients[0];
  auto shapeOf = [&](Value value) {
    return builder.getDenseI64ArrayAttr(cast<RankedTensorType>(value.getType()).getShape());
  };
  if (wanted[0])
    gradients[0] =
        Conv2dInputGradOp::create(builder, loc, getX().getType(), dy, getWeight(), getStridesAttr(), getPadsAttr(),
                                  getDilationsAttr(), getGroupsAttr(), getLayoutAttr(), shapeOf(getX()));
  if (wanted[1])
    gradients[1] =
        Conv2dWeightGradOp::create(builder, loc, getWeight().getType(), getX(), dy, getStridesAttr(), getPadsAttr(),
                                   getDilationsAttr(), getGroupsAttr(), getLayoutAttr(), shapeOf(getWeight()));
  return success();
}
