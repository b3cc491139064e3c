// Bands, panels and blocks of a packed weight gradient.
#include "compiler/tiling/WeightGradient.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/ShapeRules.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

constexpr int64_t bandTarget = 224;         // pixels: a panel of x and a block of dy stay in the first cache
constexpr int64_t fewestProducts = 1 << 18; // less is not worth the packing
constexpr int64_t fewestColumns = 8;
constexpr int64_t largestBlock = 64; // a tile packs x once for so many output channels

/// The largest divisor of the output channels that leaves two tiles at least; all of them where that is too small.
int64_t blockOf(int64_t channels) {
  for (int64_t block = std::min(largestBlock, channels / 2); block >= 16; --block)
    if (channels % block == 0)
      return block;
  return channels <= 4 * largestBlock ? channels : 1;
}

void planBands(PackedWeightGradient &s) {
  int64_t image = s.outHeight * s.outWidth;
  if (2 * image <= bandTarget) {
    s.bandImages = std::min(s.batch, bandTarget / image);
    s.bandRows = s.outHeight;
    return;
  }
  s.bandImages = 1;
  int64_t most = std::clamp<int64_t>(bandTarget / s.outWidth, 1, s.outHeight);
  s.bandRows = llvm::divideCeil(s.outHeight, llvm::divideCeil(s.outHeight, most));
}

void planPacking(PackedWeightGradient &s) {
  s.packStrideH = s.kernelHeight == 1 ? s.strideH : 1, s.stepH = s.kernelHeight == 1 ? 1 : s.strideH;
  s.packStrideW = s.kernelWidth == 1 ? s.strideW : 1, s.stepW = s.kernelWidth == 1 ? 1 : s.strideW;
  s.packedHeight = (s.bandRows - 1) * s.stepH + (s.kernelHeight - 1) * s.dilationH + 1;
  s.packedWidth = (s.outWidth - 1) * s.stepW + (s.kernelWidth - 1) * s.dilationW + 1;
}

} // namespace

int64_t PackedWeightGradient::xFloats(int64_t panel) const {
  // The last panel of a window reads past the last pixel.
  int64_t tail = window ? llvm::alignTo(columns(), panel) : 0;
  return bandImages * packedHeight * packedWidth * pitch(panel) + tail;
}

int64_t PackedWeightGradient::sumFloats(int64_t tileChannels, int64_t panel) const {
  return llvm::alignTo(columns(), panel) * tileChannels * taps();
}

std::optional<PackedWeightGradient> amp::compiler::packedWeightGradient(Operation *op) {
  auto gradient = dyn_cast<graph::Conv2dWeightGradOp>(op);
  if (!gradient || gradient.getLayout() != graph::ChannelLayout::ChannelsLast || gradient.getGroups() != 1)
    return std::nullopt;
  auto weightType = cast<RankedTensorType>(gradient.getDweight().getType());
  if (!weightType.getElementType().isF32())
    return std::nullopt;
  auto x = cast<RankedTensorType>(gradient.getX().getType()).getShape();
  auto dy = cast<RankedTensorType>(gradient.getDy().getType()).getShape();
  auto weight = weightType.getShape();
  PackedWeightGradient s{};
  s.batch = dy[0], s.outHeight = dy[1], s.outWidth = dy[2], s.outChannels = dy[3];
  s.height = x[1], s.width = x[2], s.channels = x[3];
  s.kernelHeight = weight[2], s.kernelWidth = weight[3];
  s.strideH = gradient.getStrides()[0], s.strideW = gradient.getStrides()[1];
  s.dilationH = gradient.getDilations()[0], s.dilationW = gradient.getDilations()[1];
  s.padTop = gradient.getPads()[0], s.padLeft = gradient.getPads()[1];
  s.window = s.channels < 16 && s.kernelWidth > 1 && s.dilationW == 1;
  int64_t pixels = s.batch * s.outHeight * s.outWidth;
  s.block = blockOf(s.outChannels);
  if (pixels == 0 || s.columns() < fewestColumns || s.block < 4 ||
      pixels * weightType.getNumElements() < fewestProducts)
    return std::nullopt;
  planBands(s);
  planPacking(s);
  return s;
}

int64_t amp::compiler::packedWeightGradientBytes(const PackedWeightGradient &shape, int64_t tileChannels) {
  auto bytes = [](int64_t floats) { return int64_t(llvm::alignTo(floats * 4, 64)); };
  return bytes(shape.xFloats(widestPanel)) + bytes(shape.dyFloats(tileChannels)) +
         bytes(shape.sumFloats(tileChannels, widestPanel));
}
