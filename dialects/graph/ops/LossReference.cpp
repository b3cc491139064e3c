// Family Loss: reference evaluation.
#include "dialects/graph/Graph.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace amp::graph;

namespace {
/// The samples of a cross-entropy: their labels, and where their logits lie.
struct Samples {
  const ReferenceTensor &logits, &labels;
  int64_t classes, stride, ignored;

  Samples(const ReferenceTensor &logits, const ReferenceTensor &labels, int64_t axis, int64_t ignored)
      : logits(logits), labels(labels), classes(logits.shape()[axis]), stride(rowMajorStrides(logits.shape())[axis]),
        ignored(ignored) {}

  int64_t count() const { return int64_t(labels.integers.size()); }
  bool counts(int64_t sample) const { return labels.integers[sample] != ignored; }
  int64_t offset(int64_t sample, int64_t label) const {
    return sample / stride * stride * classes + sample % stride + label * stride;
  }
  int64_t valid() const { return count() - llvm::count(labels.integers, ignored); }

  /// log sum exp of a sample's logits.
  double logSum(int64_t sample) const {
    double maximum = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t label = 0; label < classes; ++label)
      maximum = std::fmax(maximum, logits.floats[offset(sample, label)]);
    for (int64_t label = 0; label < classes; ++label)
      sum += std::exp(logits.floats[offset(sample, label)] - maximum);
    return maximum + std::log(sum);
  }

  LogicalResult verify(Operation *op) const {
    for (int64_t sample = 0; sample < count(); ++sample) {
      int64_t label = labels.integers[sample];
      if (counts(sample) && (label < 0 || label >= classes))
        return op->emitOpError() << "has label " << label << " in sample " << sample << "; wants 0 to " << classes - 1;
    }
    return success();
  }
};
} // namespace

LogicalResult CrossEntropyOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  Samples samples(operands[0], operands[1], getAxis(), getIgnoreIndex());
  if (failed(samples.verify(*this)))
    return failure();
  double sum = 0;
  for (int64_t sample = 0; sample < samples.count(); ++sample)
    if (samples.counts(sample))
      sum += samples.logSum(sample) - samples.logits.floats[samples.offset(sample, samples.labels.integers[sample])];
  ReferenceTensor loss(getLoss().getType());
  loss.floats[0] = getMean() && samples.valid() > 0 ? sum / double(samples.valid()) : sum;
  results.push_back(std::move(loss));
  return success();
}

LogicalResult CrossEntropyGradOp::evaluate(ArrayRef<ReferenceTensor> operands,
                                           SmallVectorImpl<ReferenceTensor> &results) {
  Samples samples(operands[1], operands[2], getAxis(), getIgnoreIndex());
  if (failed(samples.verify(*this)))
    return failure();
  double seed = operands[0].floats[0] / (getMean() ? double(std::max<int64_t>(samples.valid(), 1)) : 1.0);
  ReferenceTensor dlogits(samples.logits.type);
  for (int64_t sample = 0; sample < samples.count(); ++sample) {
    if (!samples.counts(sample))
      continue;
    double logSum = samples.logSum(sample);
    for (int64_t label = 0; label < samples.classes; ++label) {
      int64_t offset = samples.offset(sample, label);
      double hit = label == samples.labels.integers[sample] ? 1.0 : 0.0;
      dlogits.floats[offset] = seed * (std::exp(samples.logits.floats[offset] - logSum) - hit);
    }
  }
  dlogits.round();
  results.push_back(std::move(dlogits));
  return success();
}

LogicalResult MseOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  double sum = 0;
  for (auto [x, target] : llvm::zip(operands[0].floats, operands[1].floats))
    sum += (x - target) * (x - target);
  ReferenceTensor loss(getLoss().getType());
  loss.floats[0] = getMean() ? sum / double(operands[0].size()) : sum;
  results.push_back(std::move(loss));
  return success();
}
