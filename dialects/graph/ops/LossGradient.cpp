// Gradient rules of the loss family. The incoming gradient is the seed of the backward pass, already scaled.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

LogicalResult CrossEntropyOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dloss, const BitVector &wanted,
                                            SmallVectorImpl<Value> &gradients) {
  if (wanted[0])
    gradients[0] =
        CrossEntropyGradOp::create(builder, gradientLocation(*this), getLogits().getType(), dloss[0], getLogits(),
                                   getLabels(), getAxisAttr(), getIgnoreIndexAttr(), getMeanAttr());
  return success();
}

// The scalar factor 2 dloss / count comes first, so that the elements are multiplied once.
LogicalResult MseOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dloss, const BitVector &wanted,
                                   SmallVectorImpl<Value> &gradients) {
  Location loc = gradientLocation(*this);
  auto type = cast<RankedTensorType>(getX().getType());
  double count = getMean() ? static_cast<double>(type.getNumElements()) : 1.0;
  Value seed = dloss[0];
  if (getElementTypeOrSelf(seed) != type.getElementType())
    seed = CastOp::create(builder, loc, RankedTensorType::get({}, type.getElementType()), seed);
  Value factor = MulOp::create(builder, loc, seed.getType(), seed, scalarConstant(builder, loc, seed, 2.0 / count));
  Value difference = SubOp::create(builder, loc, type, getX(), getTarget());
  Value gradient = MulOp::create(builder, loc, type, difference, factor);
  if (wanted[0])
    gradients[0] = gradient;
  if (wanted[1])
    gradients[1] = NegOp::create(builder, loc, type, gradient);
  return success();
}
