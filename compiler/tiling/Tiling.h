// How a generated kernel is cut into tiles: select writes it down in plan.kernel, codegen follows it. It depends on
// shapes alone, neither on the processor nor on the number of threads.
#ifndef AMP_COMPILER_TILING_TILING_H
#define AMP_COMPILER_TILING_TILING_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace amp::compiler {

/// How the code of a kernel gets the value of its Root or Alone op.
enum class RootForm {
  None,   ///< there is none
  Pulled, ///< computed where an element of it is wanted, as an elementwise op is
  Staged, ///< a tile of it is computed into the workspace in the compute type, then the epilogue reads it there
  Direct  ///< its code writes the results of the kernel itself; nothing precedes or follows it
};

struct Tiling {
  mlir::Operation *root = nullptr;
  RootForm form = RootForm::None;
  /// Of the space that is cut, row-major: the root's first result, else the largest result; of a Direct root its rows.
  int64_t elements = 1;
  int64_t tileElements = 1; ///< tile t holds elements [t * tileElements, min((t + 1) * tileElements, elements))
  int64_t tiles = 1;
  int64_t scratchOffset = 0; ///< the workspace: staged results of the root, then its emitter's own scratch
  int64_t workspace = 0;     ///< bytes
};

/// The tiling of a kernel's body. With `tiles`, which divides the rows of the space, into that many where they can be
/// made one by one: a library row has rules of its own.
Tiling tileKernel(mlir::Block &body, int64_t tiles = 0);

/// Whether the row-major position of an element of `value` says where every operand is read: no transposition, and no
/// broadcast but of single elements and, with `row`, the length of the last axis, of vectors along that axis.
bool readsFlat(mlir::Value value, int64_t elements, int64_t row, const Tiling &tiling);

/// Bytes of a value in the compute type: f64 for f64, f32 for other floats, one byte for i1, else the integer's.
int64_t computeBytes(mlir::Type elementType);

/// The channels of a tensor: elements of a channel lie in `outer` runs of `inner` elements.
struct ChannelShape {
  int64_t outer, channels, inner;
};
ChannelShape channelShape(mlir::RankedTensorType type, int64_t axis);

/// A sum or mean over neighbouring axes that are not the last ones, [outer, reduced, inner] to [outer, inner]: lanes
/// run along `inner`, the columns. None where it is not one, or not worth it.
struct ColumnReduction {
  int64_t outer, reduced, inner;
};
std::optional<ColumnReduction> columnReduction(mlir::Operation *op);

/// A convolution whose images lie in scratch, zero-padded and channels-last: what the forward pass and the input
/// gradient have in common. The source of tap (a, b) of result pixel (h, w) is (h * strideH + a * dilationH, ...).
struct ConvolutionShape {
  int64_t batch, outHeight, outWidth, outChannels;
  int64_t sourceHeight, sourceWidth, sourceChannels; ///< of the padded source
  int64_t kernelHeight, kernelWidth, groups;
  int64_t strideH, strideW, dilationH, dilationW; ///< of the result over the source
  int64_t offsetH, offsetW;                       ///< source position of image pixel (0, 0)
  int64_t spreadH, spreadW;                       ///< source distance of neighbouring image pixels
  int64_t imageHeight, imageWidth;

  int64_t sourceElements() const { return sourceHeight * sourceWidth * sourceChannels; }
  int64_t weightElements() const { return kernelHeight * kernelWidth * (sourceChannels / groups) * outChannels; }
};

/// Of a conv2d or conv2d_input_grad.
ConvolutionShape convolutionShape(mlir::Operation *op);

/// Whether the rows of a matmul's left operand that a tile reads are first brought to f32 in scratch.
bool widensLeft(mlir::Operation *op);

/// Output channels that one tile of a weight gradient owns.
int64_t weightGradientBlock(int64_t outChannels);

} // namespace amp::compiler

#endif
