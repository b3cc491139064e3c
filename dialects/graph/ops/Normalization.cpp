// Family Normalization: definitions, layout facts, and the two modes of batch normalisation.
#include "dialects/graph/Graph.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace amp::graph;

#define GET_OP_CLASSES
#include "dialects/graph/ops/Normalization.cpp.inc"

void BatchMomentsOp::convertToChannelsLast() {
  setAxis(toChannelsLastAxis(getAxis()));
}
void NormalizeOp::convertToChannelsLast() {
  setAxis(toChannelsLastAxis(getAxis()));
}
void NormalizeSumsOp::convertToChannelsLast() {
  setAxis(toChannelsLastAxis(getAxis()));
}
void NormalizeGradOp::convertToChannelsLast() {
  setAxis(toChannelsLastAxis(getAxis()));
}

int64_t NormalizeGradOp::getCount() {
  RankedTensorType x = getX().getType();
  return x.getNumElements() / std::max<int64_t>(x.getDimSize(getAxis()), 1);
}

LogicalResult BatchNormOp::enterTraining(OpBuilder &builder, const TrainingMode &mode) {
  RankedTensorType x = getX().getType();
  int64_t channels = x.getDimSize(getAxis()), count = channels ? x.getNumElements() / channels : 0;
  if (count < 2)
    return emitOpError() << "normalises " << count << " values a channel; training wants at least 2, in a larger batch";
  Type vector = getScale().getType();
  auto moments = BatchMomentsOp::create(builder, getLoc(), vector, vector, vector, getX(), getAxisAttr(), getEpsAttr());
  auto normalized = NormalizeOp::create(builder, getLoc(), getY().getType(), getX(), moments.getMean(),
                                        moments.getDeviation(), getScale(), getBias(), getAxis(), true);
  double correction = mode.sampleVariance ? double(count) / double(count - 1) : 1.0;
  auto updated = UpdateStatisticsOp::create(builder, getLoc(), vector, vector, moments.getMean(), moments.getVariance(),
                                            getRunningMean(), getRunningVariance(), getMomentumAttr(),
                                            builder.getF64FloatAttr(correction));
  if (failed(mode.advance(getRunningMean(), updated.getNextMean())) ||
      failed(mode.advance(getRunningVariance(), updated.getNextVariance())))
    return failure();
  getY().replaceAllUsesWith(normalized.getY());
  erase();
  return success();
}

LogicalResult BatchNormOp::enterEvaluation(OpBuilder &builder) {
  RankedTensorType vector = getRunningVariance().getType();
  auto scalar = RankedTensorType::get({}, vector.getElementType());
  auto constant = [&](double value) -> Value {
    auto attribute = FloatAttr::get(vector.getElementType(), value);
    return ConstantOp::create(builder, getLoc(), scalar, DenseElementsAttr::get(scalar, Attribute(attribute)));
  };
  Value shifted = AddOp::create(builder, getLoc(), vector, getRunningVariance(), constant(getEps().convertToDouble()));
  Value root = SqrtOp::create(builder, getLoc(), vector, shifted);
  Value deviation = DivOp::create(builder, getLoc(), vector, constant(1.0), root);
  auto normalized = NormalizeOp::create(builder, getLoc(), getY().getType(), getX(), getRunningMean(), deviation,
                                        getScale(), getBias(), getAxis(), false);
  getY().replaceAllUsesWith(normalized.getY());
  erase();
  return success();
}
