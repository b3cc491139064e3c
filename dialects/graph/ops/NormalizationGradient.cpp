// Gradient rules of the normalization family.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

// normalize with of_batch gives x the whole gradient, so nothing comes back through the moments.
LogicalResult BatchMomentsOp::buildGradient(OpBuilder &, ArrayRef<Value> dy, const BitVector &,
                                            SmallVectorImpl<Value> &) {
  if (llvm::any_of(dy, [](Value value) { return bool(value); }))
    return emitOpError() << "has a gradient of its own only through normalize with of_batch";
  return success();
}

LogicalResult NormalizeOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                         SmallVectorImpl<Value> &gradients) {
  Location loc = gradientLocation(*this);
  Type vector = getScale().getType();
  NormalizeSumsOp sums;
  if (wanted[3] || wanted[4] || (wanted[0] && getOfBatch()))
    sums = NormalizeSumsOp::create(builder, loc, vector, vector, dy[0], getX(), getMean(), getDeviation(), getAxis());
  if (wanted[3])
    gradients[3] = sums.getDscale();
  if (wanted[4])
    gradients[4] = sums.getDbias();
  if (!wanted[0])
    return success();
  if (getOfBatch()) {
    gradients[0] = NormalizeGradOp::create(builder, loc, getX().getType(), dy[0], getX(), getMean(), getDeviation(),
                                           getScale(), sums.getDscale(), sums.getDbias(), getAxis());
    return success();
  }
  // A multiplication of each channel: normalize with mean and bias 0.
  auto type = cast<RankedTensorType>(vector);
  Value zero = ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, builder.getF32FloatAttr(0)));
  gradients[0] = NormalizeOp::create(builder, loc, getX().getType(), dy[0], zero, getDeviation(), getScale(), zero,
                                     getAxis(), false);
  return success();
}

/// Parts of the rows whose sums are kept apart: work for several threads, from the shape alone.
static int64_t partsOf(int64_t rows, int64_t length) {
  constexpr int64_t partElements = 1 << 15, most = 64;
  int64_t wanted = std::clamp<int64_t>(rows * length / partElements, 1, most);
  return std::max<int64_t>(std::min(wanted, rows), 1);
}

LogicalResult LayerNormOp::buildGradient(OpBuilder &builder, ArrayRef<Value> dy, const BitVector &wanted,
                                         SmallVectorImpl<Value> &gradients) {
  Location loc = gradientLocation(*this);
  RankedTensorType x = getX().getType();
  int64_t length = ShapedType::getNumElements(x.getShape().drop_front(getAxis()));
  int64_t parts = partsOf(x.getNumElements() / std::max<int64_t>(length, 1), length);
  SmallVector<int64_t> shape = {parts};
  llvm::append_range(shape, x.getShape().drop_front(getAxis()));
  auto partsType = RankedTensorType::get(shape, builder.getF32Type());
  auto all = LayerNormGradOp::create(builder, loc, x, partsType, partsType, dy[0], getX(), getScale(), getAxisAttr(),
                                     getEpsAttr(), builder.getI64IntegerAttr(parts));
  gradients[0] = all.getDx();
  if (wanted[1])
    gradients[1] = sumOver(builder, loc, all.getDscaleParts(), {0});
  if (getBias() && wanted[2])
    gradients[2] = sumOver(builder, loc, all.getDbiasParts(), {0});
  return success();
}
