// The ops of an update: reference evaluation.
#include "dialects/train/Train.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace amp::train;
using amp::graph::ReferenceTensor;

LogicalResult UnscaleOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y = operands[0];
  // Part of the definition, not of the precision of the oracle: the factor is rounded to fp32.
  double factor = float(1.0 / operands[1].floats[0]);
  for (double &value : y.floats)
    value *= factor;
  results.push_back(std::move(y));
  return success();
}

LogicalResult SumSquaresOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor parts(cast<RankedTensorType>(getParts().getType()));
  int64_t elements = operands[0].size(), run = llvm::divideCeil(elements, parts.size());
  for (int64_t i = 0; i < elements; ++i) {
    double value = operands[0].floats[i];
    // A value that fp32 cannot hold is infinite to the compiled step.
    parts.floats[i / run] += std::isfinite(float(value)) ? value * value : std::numeric_limits<double>::infinity();
  }
  results.push_back(std::move(parts));
  return success();
}

LogicalResult MeasureOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor finite(cast<RankedTensorType>(getFinite().getType()));
  ReferenceTensor norm(cast<RankedTensorType>(getNorm().getType()));
  for (const ReferenceTensor &parts : operands)
    for (double part : parts.floats)
      norm.floats[0] += part;
  finite.integers[0] = std::isfinite(norm.floats[0]);
  norm.floats[0] = std::sqrt(norm.floats[0]);
  results.push_back(std::move(finite));
  results.push_back(std::move(norm));
  return success();
}

LogicalResult SgdOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor parameter = operands[0], buffer(parameter.type);
  double lr = operands[2].floats[0], momentum = getMomentum().convertToDouble();
  double decay = getWeightDecay().convertToDouble(), dampening = getDampening().convertToDouble();
  bool isFirst = operands[3].integers[0] == 0, hasBuffer = bool(getBuffer());
  for (size_t i = 0; i < parameter.floats.size(); ++i) {
    double gradient = operands[1].floats[i] + decay * parameter.floats[i];
    if (hasBuffer) {
      buffer.floats[i] = isFirst ? gradient : momentum * operands[4].floats[i] + (1 - dampening) * gradient;
      gradient = getNesterov() ? gradient + momentum * buffer.floats[i] : buffer.floats[i];
    }
    parameter.floats[i] -= lr * gradient;
  }
  results.push_back(std::move(parameter));
  if (hasBuffer)
    results.push_back(std::move(buffer));
  return success();
}

LogicalResult AdamOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor parameter = operands[0], m = operands[2], v = operands[3];
  double lr = operands[4].floats[0], power1 = operands[5].floats[0], power2 = operands[6].floats[0];
  double beta1 = getBeta1().convertToDouble(), beta2 = getBeta2().convertToDouble();
  double decay = getWeightDecay().convertToDouble(), eps = getEps().convertToDouble();
  for (size_t i = 0; i < parameter.floats.size(); ++i) {
    double gradient = operands[1].floats[i], &p = parameter.floats[i];
    if (getDecoupled())
      p *= 1 - lr * decay;
    else
      gradient += decay * p;
    m.floats[i] = beta1 * m.floats[i] + (1 - beta1) * gradient;
    v.floats[i] = beta2 * v.floats[i] + (1 - beta2) * gradient * gradient;
    p -= lr / (1 - power1) * m.floats[i] / (std::sqrt(v.floats[i]) / std::sqrt(1 - power2) + eps);
  }
  results.push_back(std::move(parameter));
  results.push_back(std::move(m));
  results.push_back(std::move(v));
  return success();
}

LogicalResult UpdateScaleOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor scale = operands[0], tracker = operands[1];
  double &value = scale.floats[0];
  int64_t &count = tracker.integers[0];
  if (std::isfinite(float(operands[3].floats[0]))) {
    if (!operands[2].integers[0]) {
      value = std::fmax(float(value * getBackoff().convertToDouble()), getMin().convertToDouble());
      count = 0;
    } else if (++count >= int64_t(getInterval())) {
      // Whether the scale is finite is a question to fp32, in which it is kept.
      double grown = float(value * getGrowth().convertToDouble());
      value = std::isfinite(grown) ? std::fmin(grown, getMax().convertToDouble()) : value;
      count = 0;
    }
  }
  results.push_back(std::move(scale));
  results.push_back(std::move(tracker));
  return success();
}
