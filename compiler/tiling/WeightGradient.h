// A convolution's weight gradient by packed panels: what its tiles hold in their workspace.
#ifndef AMP_COMPILER_TILING_WEIGHTGRADIENT_H
#define AMP_COMPILER_TILING_WEIGHTGRADIENT_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace amp::compiler {

/// dweight[o, i, a, b] as a matrix product over pixels: rows are output channels; columns the input channels at one tap
/// (a, b) or, of a `window`, where channels are few, all (b, i) at one a. Pixels come in bands that stay in cache; a
/// band's sums are added to those of the bands before it.
struct PackedWeightGradient {
  int64_t batch, outHeight, outWidth, outChannels;
  int64_t height, width, channels; ///< of x
  int64_t kernelHeight, kernelWidth;
  int64_t strideH, strideW, dilationH, dilationW, padTop, padLeft;
  bool window;
  int64_t block;                    ///< output channels of a tile, which divide all
  int64_t bandImages, bandRows;     ///< of dy; several images only where they are whole
  int64_t packStrideH, packStrideW; ///< of x: what no tap reads is not packed
  int64_t stepH, stepW;             ///< distance in packed rows and columns of neighbouring pixels of dy
  int64_t packedHeight, packedWidth;

  int64_t taps() const { return window ? kernelHeight : kernelHeight * kernelWidth; }
  int64_t columns() const { return window ? kernelWidth * channels : channels; }
  int64_t bandPixels() const { return bandImages * bandRows * outWidth; }
  /// Floats between packed pixels.
  int64_t pitch(int64_t panel) const { return window ? channels : panel; }
  /// Floats of the three buffers of a tile whose panels have `panel` columns.
  int64_t xFloats(int64_t panel) const;
  int64_t dyFloats(int64_t tileChannels) const { return bandPixels() * tileChannels; }
  int64_t sumFloats(int64_t tileChannels, int64_t panel) const;
};

/// Of a conv2d_weight_grad; none where images are not channels-last, or packing does not pay.
std::optional<PackedWeightGradient> packedWeightGradient(mlir::Operation *op);

/// Bytes of the workspace of a tile, enough for panels of any processor.
int64_t packedWeightGradientBytes(const PackedWeightGradient &shape, int64_t tileChannels);

/// Columns of the widest panel: two vectors of 16 lanes.
constexpr int64_t widestPanel = 32;

} // namespace amp::compiler

#endif
