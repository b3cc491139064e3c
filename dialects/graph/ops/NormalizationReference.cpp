// Reference evaluation of the normalization family, in double precision and in two plain passes.
#include "dialects/graph/Graph.h"

#include <cmath>

using namespace mlir;
using namespace amp::graph;

namespace {

/// Which channel each element of a tensor belongs to.
class Channels {
public:
  Channels(ArrayRef<int64_t> shape, int64_t axis) : length(shape[axis]) {
    for (int64_t later : shape.drop_front(axis + 1))
      inner *= later;
  }
  int64_t of(int64_t element) const { return element / inner % length; }
  const int64_t length;

private:
  int64_t inner = 1;
};

void push(SmallVectorImpl<ReferenceTensor> &results, ReferenceTensor tensor) {
  tensor.round();
  results.push_back(std::move(tensor));
}

/// A row of x, as layer normalisation sees it.
struct Row {
  double mean = 0, inverse = 0; ///< inverse = 1 / sqrt(variance + eps)

  Row(ArrayRef<double> values, double eps) {
    for (double value : values)
      mean += value / double(values.size());
    double variance = 0;
    for (double value : values)
      variance += (value - mean) * (value - mean) / double(values.size());
    inverse = 1 / std::sqrt(variance + eps);
  }
};

} // namespace

LogicalResult BatchNormOp::evaluate(ArrayRef<ReferenceTensor> in, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y(getY().getType());
  Channels channels(in[0].shape(), getAxis());
  double eps = getEps().convertToDouble();
  for (int64_t i = 0; i < y.size(); ++i) {
    int64_t c = channels.of(i);
    y.floats[i] =
        (in[0].floats[i] - in[3].floats[c]) / std::sqrt(in[4].floats[c] + eps) * in[1].floats[c] + in[2].floats[c];
  }
  push(results, std::move(y));
  return success();
}

LogicalResult BatchMomentsOp::evaluate(ArrayRef<ReferenceTensor> in, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor mean(getMean().getType()), variance(getVariance().getType()), deviation(getDeviation().getType());
  Channels channels(in[0].shape(), getAxis());
  double count = double(in[0].size()) / double(std::max<int64_t>(channels.length, 1));
  for (int64_t i = 0; i < in[0].size(); ++i)
    mean.floats[channels.of(i)] += in[0].floats[i] / count;
  for (int64_t i = 0; i < in[0].size(); ++i) {
    double distance = in[0].floats[i] - mean.floats[channels.of(i)];
    variance.floats[channels.of(i)] += distance * distance / count;
  }
  for (int64_t c = 0; c < channels.length; ++c)
    deviation.floats[c] = 1 / std::sqrt(variance.floats[c] + getEps().convertToDouble());
  push(results, std::move(mean));
  push(results, std::move(variance));
  push(results, std::move(deviation));
  return success();
}

LogicalResult NormalizeOp::evaluate(ArrayRef<ReferenceTensor> in, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y(getY().getType());
  Channels channels(in[0].shape(), getAxis());
  for (int64_t i = 0; i < y.size(); ++i) {
    int64_t c = channels.of(i);
    y.floats[i] = (in[0].floats[i] - in[1].floats[c]) * in[2].floats[c] * in[3].floats[c] + in[4].floats[c];
  }
  push(results, std::move(y));
  return success();
}

LogicalResult NormalizeSumsOp::evaluate(ArrayRef<ReferenceTensor> in, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor dscale(getDscale().getType()), dbias(getDbias().getType());
  Channels channels(in[0].shape(), getAxis());
  for (int64_t i = 0; i < in[0].size(); ++i) {
    int64_t c = channels.of(i);
    dscale.floats[c] += in[0].floats[i] * (in[1].floats[i] - in[2].floats[c]) * in[3].floats[c];
    dbias.floats[c] += in[0].floats[i];
  }
  push(results, std::move(dscale));
  push(results, std::move(dbias));
  return success();
}

LogicalResult NormalizeGradOp::evaluate(ArrayRef<ReferenceTensor> in, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor dx(getDx().getType());
  Channels channels(in[0].shape(), getAxis());
  double count = double(getCount());
  for (int64_t i = 0; i < dx.size(); ++i) {
    int64_t c = channels.of(i);
    double deviation = in[3].floats[c], distance = (in[1].floats[i] - in[2].floats[c]) * deviation;
    double part = (in[6].floats[c] + distance * in[5].floats[c]) / count;
    dx.floats[i] = deviation * in[4].floats[c] * (in[0].floats[i] - part);
  }
  push(results, std::move(dx));
  return success();
}

LogicalResult UpdateStatisticsOp::evaluate(ArrayRef<ReferenceTensor> in, SmallVectorImpl<ReferenceTensor> &results) {
  double momentum = getMomentum().convertToDouble();
  ReferenceTensor mean(getNextMean().getType()), variance(getNextVariance().getType());
  for (int64_t c = 0; c < mean.size(); ++c) {
    mean.floats[c] = momentum * in[2].floats[c] + (1 - momentum) * in[0].floats[c];
    variance.floats[c] =
        momentum * in[3].floats[c] + (1 - momentum) * in[1].floats[c] * getCorrection().convertToDouble();
  }
  push(results, std::move(mean));
  push(results, std::move(variance));
  return success();
}

LogicalResult LayerNormOp::evaluate(ArrayRef<ReferenceTensor> in, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y(getY().getType());
  int64_t length = in[1].size();
  for (int64_t start = 0; start < y.size(); start += length) {
    Row row(ArrayRef(in[0].floats).slice(start, length), getEps().convertToDouble());
    for (int64_t i = 0; i < length; ++i)
      y.floats[start + i] =
          (in[0].floats[start + i] - row.mean) * row.inverse * in[1].floats[i] + (getBias() ? in[2].floats[i] : 0.0);
  }
  push(results, std::move(y));
  return success();
}

LogicalResult LayerNormGradOp::evaluate(ArrayRef<ReferenceTensor> in, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor dx(getDx().getType()), dscale(getDscaleParts().getType()), dbias(getDbiasParts().getType());
  int64_t length = in[2].size(), rows = length ? dx.size() / length : 0;
  int64_t rowsOfPart = llvm::divideCeil(rows, int64_t(getParts()));
  for (int64_t number = 0; number < rows; ++number) {
    int64_t start = number * length, part = number / rowsOfPart * length;
    Row row(ArrayRef(in[1].floats).slice(start, length), getEps().convertToDouble());
    auto distance = [&](int64_t i) { return (in[1].floats[start + i] - row.mean) * row.inverse; };
    double sum = 0, product = 0; // of dy * scale, and of it with the distances, over the row
    for (int64_t i = 0; i < length; ++i) {
      double dy = in[0].floats[start + i], scaled = dy * in[2].floats[i];
      sum += scaled;
      product += scaled * distance(i);
      dscale.floats[part + i] += dy * distance(i);
      dbias.floats[part + i] += dy;
    }
    for (int64_t i = 0; i < length; ++i)
      dx.floats[start + i] = row.inverse * (in[0].floats[start + i] * in[2].floats[i] - sum / double(length) -
                                            distance(i) * product / double(length));
  }
  push(results, std::move(dx));
  push(results, std::move(dscale));
  push(results, std::move(dbias));
  return success();
}
