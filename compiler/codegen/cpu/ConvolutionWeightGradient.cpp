// The gradient of a convolution's kernel. A tile owns output channels, so nothing is added up across tiles; each image
// has sums of its own, added in the order of the images, which bounds the error of fp32 by the larger of both lengths.
#include "compiler/codegen/cpu/ImageIndex.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/ShapeRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

struct WeightGradient {
  KernelEmitter &k;
  graph::Conv2dWeightGradOp op;
  graph::ImageAxes axes;
  ArrayRef<int64_t> x, dy, weight;
  Type element;

  WeightGradient(KernelEmitter &k, graph::Conv2dWeightGradOp op)
      : k(k), op(op), axes(op.getLayout()), x(KernelEmitter::typeOf(op.getX()).getShape()),
        dy(KernelEmitter::typeOf(op.getDy()).getShape()), weight(KernelEmitter::typeOf(op.getDweight()).getShape()),
        element(KernelEmitter::computeType(KernelEmitter::typeOf(op.getDweight()).getElementType())) {}

  struct Range {
    Value first, last;
  };
  /// Outputs along axis 0 (height) or 1 whose input under the tap lies in the image.
  Range outputs(int64_t axis, Value tap) {
    int64_t input = x[axis ? axes.width : axes.height], output = dy[axis ? axes.width : axes.height];
    int64_t stride = op.getStrides()[axis], pad = op.getPads()[axis], dilation = op.getDilations()[axis];
    if (pad == 0 && (output - 1) * stride + (weight[2 + axis] - 1) * dilation < input)
      return {k.constant(0), k.constant(output)};
    Value missing = k.larger(k.sub(k.constant(pad), k.mul(tap, dilation)), k.constant(0));
    Value room = k.larger(k.sub(k.constant(input + pad), k.mul(tap, dilation)), k.constant(0));
    auto ceiling = [&](Value value) { return k.divide(k.add(value, stride - 1), stride); };
    return {ceiling(missing), k.smaller(ceiling(room), k.constant(output))};
  }

  Value input(int64_t axis, Value output, Value tap) {
    Value at = k.add(k.mul(output, op.getStrides()[axis]), k.mul(tap, op.getDilations()[axis]));
    return k.add(at, -op.getPads()[axis]);
  }

  void channels(Value first, int64_t width);
  void block(Value out, int64_t width, Value in, int64_t height, Value a, Value b);
};

void WeightGradient::channels(Value first, int64_t width) {
  constexpr int64_t height = 4;
  int64_t depth = weight[1], whole = depth / height * height;
  k.loop(k.constant(0), k.constant(weight[2]), 1, [&](Value a) {
    k.loop(k.constant(0), k.constant(weight[3]), 1, [&](Value b) {
      if (whole > 0)
        k.loop(k.constant(0), k.constant(whole), height, [&](Value in) { block(first, width, in, height, a, b); });
      if (whole < depth)
        block(first, width, k.constant(whole), depth - whole, a, b);
    });
  });
}

void WeightGradient::block(Value out, int64_t width, Value in, int64_t height, Value a, Value b) {
  SmallVector<Value> zeros(height, k.number(element, 0, width));
  Value channel = k.add(k.mul(k.divide(out, dy[axes.channels] / op.getGroups()), weight[1]), in);
  Range rows = outputs(0, a), columns = outputs(1, b);
  auto sums = k.accumulate(k.constant(0), k.constant(x[0]), 1, zeros, [&](Value n, ValueRange total) {
    auto ofImage = k.accumulate(rows.first, rows.last, 1, zeros, [&](Value h, ValueRange outer) {
      return k.accumulate(columns.first, columns.last, 1, outer, [&](Value w, ValueRange old) {
        SmallVector<Value> updated;
        Value right = k.at(op.getDy(), imageIndex(axes, width, n, out, h, w));
        for (int64_t row = 0; row < height; ++row) {
          Value left = k.at(op.getX(), imageIndex(axes, 1, n, k.add(channel, row), input(0, h, a), input(1, w, b)));
          updated.push_back(k.multiplyAdd(k.spread(left, width), right, old[row]));
        }
        return updated;
      });
    });
    SmallVector<Value> added;
    for (auto [lhs, rhs] : llvm::zip_equal(total, ofImage))
      added.push_back(k.addf(lhs, rhs));
    return added;
  });
  for (int64_t row = 0; row < height; ++row) {
    Index place;
    place.axes = {out, k.add(in, row), a, b};
    k.store(k.staged(0), k.linear(weight, place), sums[row], weight[1] * weight[2] * weight[3]);
  }
}

} // namespace

void amp::compiler::emitConvolutionWeightGradient(KernelEmitter &k, Operation *op) {
  if (emitPackedWeightGradient(k, op))
    return;
  WeightGradient gradient(k, cast<graph::Conv2dWeightGradOp>(op));
  int64_t kernel = gradient.weight[1] * gradient.weight[2] * gradient.weight[3], out = gradient.weight[0];
  Value first = k.divide(k.begin, kernel), last = k.divide(k.end, kernel);
  // Lanes that are output channels of several groups would read different inputs.
  if (gradient.op.getGroups() > 1) {
    k.loop(first, last, 1, [&](Value channel) { gradient.channels(channel, 1); });
    return;
  }
  int64_t block = weightGradientBlock(out), whole = out / block * block;
  k.loop(first, k.smaller(last, k.constant(whole)), block, [&](Value channel) { gradient.channels(channel, block); });
  if (whole < out)
    k.loop(k.larger(first, k.constant(whole)), last, out - whole,
           [&](Value channel) { gradient.channels(channel, out - whole); });
}
