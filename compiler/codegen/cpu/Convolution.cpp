// Convolutions and their input gradients: one image a tile. The image goes, zero-padded and channels-last, into the
// workspace, and so do the weights with the output channels innermost; then plain register blocks of pixels x channels.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/ShapeRules.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

struct Convolution {
  KernelEmitter &k;
  ConvolutionShape s;
  Value image, weight; ///< x or dy; OxIxKHxKW
  bool turned;         ///< an input gradient: taps in reverse order, channels swapped
  graph::ImageAxes axes;
  RankedTensorType result;
  Memory out, source, packed;
  Type element;
  Value number{}; ///< of the image in the batch

  Convolution(KernelEmitter &k, Operation *op, graph::ChannelLayout layout)
      : k(k), s(convolutionShape(op)), image(op->getOperand(0)), weight(op->getOperand(1)),
        turned(isa<graph::Conv2dInputGradOp>(op)), axes(layout), result(KernelEmitter::typeOf(op->getResult(0))),
        out(k.staged(0)), element(KernelEmitter::computeType(result.getElementType())) {
    source = k.scratch(k.tiling.scratchOffset, element);
    int64_t bytes = llvm::alignTo(s.sourceElements() * computeBytes(element), 64);
    packed = k.scratch(k.tiling.scratchOffset + bytes, element);
  }

  int64_t groupSources() const { return s.sourceChannels / s.groups; }
  int64_t groupOutputs() const { return s.outChannels / s.groups; }

  void packWeights();
  void copyImage();
  void copyRow(Value row, int64_t first, int64_t last);
  void convolve();
  void channels(Value h, Value w, int64_t pixels, Value group);
  void block(Value h, Value w, int64_t pixels, Value group, Value channel, ArrayRef<int64_t> widths);

  /// Image positions [first, last) that the source holds.
  static std::pair<int64_t, int64_t> held(int64_t offset, int64_t spread, int64_t image, int64_t source) {
    int64_t first = offset >= 0 ? 0 : llvm::divideCeil(-offset, spread);
    int64_t room = source - 1 - offset;
    return {first, room < 0 ? first : std::max(first, std::min(image, room / spread + 1))};
  }
};

void Convolution::packWeights() {
  // packed[a][b][group][source channel][output channel]
  k.loop(k.constant(0), k.constant(s.kernelHeight * s.kernelWidth), 1, [&](Value tap) {
    Value a = k.divide(tap, s.kernelWidth), b = k.rest(tap, s.kernelWidth);
    Value fromA = turned ? k.sub(k.constant(s.kernelHeight - 1), a) : a;
    Value fromB = turned ? k.sub(k.constant(s.kernelWidth - 1), b) : b;
    k.loop(k.constant(0), k.constant(s.sourceChannels), 1, [&](Value channel) {
      Value group = k.divide(channel, groupSources()), inGroup = k.rest(channel, groupSources());
      Value row = k.mul(k.add(k.mul(tap, s.sourceChannels), channel), groupOutputs());
      k.vectors(groupOutputs(), k.target.lanes, [&](Value output, int64_t lanes) {
        Index index;
        Value first = turned ? channel : k.add(k.mul(group, groupOutputs()), output);
        index.axes = {first, turned ? output : inGroup, fromA, fromB};
        index.lanes = lanes;
        index.vectorAxis = lanes == 1 ? -1 : turned ? 1 : 0;
        k.store(packed, k.add(row, output), k.at(weight, index));
      });
    });
  });
}

void Convolution::copyImage() {
  auto [firstRow, lastRow] = held(s.offsetH, s.spreadH, s.imageHeight, s.sourceHeight);
  auto [first, last] = held(s.offsetW, s.spreadW, s.imageWidth, s.sourceWidth);
  bool covers =
      s.spreadH == 1 && s.spreadW == 1 && lastRow - firstRow == s.sourceHeight && last - first == s.sourceWidth;
  if (!covers)
    k.vectors(s.sourceElements(), k.target.lanes,
              [&](Value position, int64_t lanes) { k.store(source, position, k.number(element, 0, lanes)); });
  int64_t begin = first, end = last;
  k.loop(k.constant(firstRow), k.constant(lastRow), 1, [&](Value row) { copyRow(row, begin, end); });
}

void Convolution::copyRow(Value row, int64_t first, int64_t last) {
  int64_t depth = s.sourceChannels;
  Value sourceRow = k.mul(k.add(k.mul(row, s.spreadH), s.offsetH), s.sourceWidth);
  auto place = [&](Value column) { return k.mul(k.add(sourceRow, k.add(k.mul(column, s.spreadW), s.offsetW)), depth); };
  Index index;
  index.axes.assign(4, number);
  index.axes[axes.height] = row;
  if (axes.channels == 3 && s.spreadW == 1 && k.isArgument(image)) {
    // A row of a channels-last image is one run of memory.
    index.axes[axes.width] = k.constant(first);
    index.axes[axes.channels] = k.constant(0);
    Value from = k.linear(KernelEmitter::typeOf(image).getShape(), index), to = place(k.constant(first));
    k.vectors((last - first) * depth, k.target.lanes, [&](Value position, int64_t lanes) {
      Index run;
      run.axes = {k.add(from, position)};
      run.flat = true;
      run.lanes = lanes;
      run.vectorAxis = 0;
      k.store(source, k.add(to, position), k.at(image, run));
    });
    return;
  }
  // Lanes run along whatever is innermost in memory.
  bool channelsLast = axes.channels == 3;
  k.loop(k.constant(channelsLast ? first : 0), k.constant(channelsLast ? last : depth), 1, [&](Value outer) {
    k.vectors(channelsLast ? depth : last - first, k.target.lanes, [&](Value position, int64_t lanes) {
      Index element = index;
      Value column = channelsLast ? outer : k.add(position, first);
      Value channel = channelsLast ? position : outer;
      element.axes[axes.width] = column;
      element.axes[axes.channels] = channel;
      element.lanes = lanes;
      element.vectorAxis = lanes == 1 ? -1 : 3;
      k.store(source, k.add(place(column), channel), k.at(image, element), channelsLast ? 1 : depth * s.spreadW);
    });
  });
}

void Convolution::convolve() {
  constexpr int64_t pixels = 4;
  int64_t whole = s.outWidth / pixels * pixels;
  k.loop(k.constant(0), k.constant(s.outHeight), 1, [&](Value h) {
    k.loop(k.constant(0), k.constant(s.groups), 1, [&](Value group) {
      if (whole > 0)
        k.loop(k.constant(0), k.constant(whole), pixels, [&](Value w) { channels(h, w, pixels, group); });
      if (whole < s.outWidth)
        channels(h, k.constant(whole), s.outWidth - whole, group);
    });
  });
}

void Convolution::channels(Value h, Value w, int64_t pixels, Value group) {
  int64_t lanes = k.target.lanes, step = 2 * lanes, whole = groupOutputs() / step * step;
  if (whole > 0)
    k.loop(k.constant(0), k.constant(whole), step,
           [&](Value channel) { block(h, w, pixels, group, channel, {lanes, lanes}); });
  int64_t left = groupOutputs() - whole;
  if (left > lanes)
    block(h, w, pixels, group, k.constant(whole), {lanes, left - lanes});
  else if (left > 0)
    block(h, w, pixels, group, k.constant(whole), {left});
}

void Convolution::block(Value h, Value w, int64_t pixels, Value group, Value channel, ArrayRef<int64_t> widths) {
  // With one group and no dilation the taps of a row and their channels are one run of memory.
  bool fused = s.groups == 1 && s.dilationW == 1;
  int64_t taps = fused ? 1 : s.kernelWidth, run = fused ? s.kernelWidth * s.sourceChannels : groupSources();
  SmallVector<Value> sums;
  for (int64_t pixel = 0; pixel < pixels; ++pixel)
    for (int64_t width : widths)
      sums.push_back(k.number(element, 0, width));
  auto step = [&](Value from, Value weights, ValueRange old) {
    SmallVector<Value> rights, updated;
    int64_t offset = 0;
    for (int64_t width : widths) {
      rights.push_back(k.load(packed, k.add(weights, offset), width));
      offset += width;
    }
    for (int64_t pixel = 0; pixel < pixels; ++pixel) {
      Value left = k.load(source, k.add(from, pixel * s.strideW * s.sourceChannels));
      for (auto [part, width] : llvm::enumerate(widths))
        updated.push_back(k.multiplyAdd(k.spread(left, width), rights[part], old[pixel * widths.size() + part]));
    }
    return updated;
  };
  sums = k.accumulate(k.constant(0), k.constant(s.kernelHeight * taps), 1, sums, [&](Value tap, ValueRange outer) {
    Value a = k.divide(tap, taps), b = k.rest(tap, taps);
    Value row = k.add(k.mul(h, s.strideH), k.mul(a, s.dilationH));
    Value column = k.add(k.mul(w, s.strideW), k.mul(b, s.dilationW));
    Value from = k.mul(k.add(k.mul(row, s.sourceWidth), column), s.sourceChannels);
    from = k.add(from, k.mul(group, groupSources()));
    Value weights = k.mul(k.add(k.mul(tap, s.groups), group), run);
    return k.accumulate(k.constant(0), k.constant(run), 1, outer, [&](Value position, ValueRange old) {
      Value at = k.add(k.mul(k.add(weights, position), groupOutputs()), channel);
      return step(k.add(from, position), at, old);
    });
  });
  Index index;
  index.axes.assign(4, number);
  index.axes[axes.height] = h;
  for (int64_t pixel = 0; pixel < pixels; ++pixel) {
    index.axes[axes.width] = k.add(w, pixel);
    int64_t offset = 0;
    for (auto [part, width] : llvm::enumerate(widths)) {
      index.axes[axes.channels] = k.add(k.add(k.mul(group, groupOutputs()), channel), offset);
      Value place = k.linear(result.getShape(), index);
      k.store(out, place, sums[pixel * widths.size() + part], axes.channels == 3 ? 1 : s.outHeight * s.outWidth);
      offset += width;
    }
  }
}

} // namespace

void amp::compiler::emitConvolution(KernelEmitter &k, Operation *op) {
  auto forward = dyn_cast<graph::Conv2dOp>(op);
  Convolution convolution(k, op, forward ? forward.getLayout() : cast<graph::Conv2dInputGradOp>(op).getLayout());
  convolution.packWeights();
  int64_t image = convolution.result.getNumElements() / convolution.s.batch;
  // A tile is one image; a kernel whose results cannot be cut has all of them in its only tile.
  k.loop(k.divide(k.begin, image), k.divide(k.end, image), 1, [&](Value number) {
    convolution.number = number;
    convolution.copyImage();
    convolution.convolve();
  });
}
