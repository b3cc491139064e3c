// Gradient rules of the random family: the mask is a function of the keys, so it is made again and not stored.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

LogicalResult DropoutOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                       SmallVectorImpl<Value> &gradients) {
  if (!wanted[0])
    return success();
  gradients[0] = getSeed() ? DropoutOp::create(builder, gradientLocation(*this), getX().getType(), dy[0], getSeed(),
                                               getUpdate(), getRatioAttr(), getNumberAttr())
                                 .getY()
                           : dy[0];
  return success();
}
