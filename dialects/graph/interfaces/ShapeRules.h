// What the shape rules of the families share: windows, broadcasts, image axes, and the check of result types.
#ifndef AMP_DIALECTS_GRAPH_INTERFACES_SHAPERULES_H
#define AMP_DIALECTS_GRAPH_INTERFACES_SHAPERULES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <cstdint>
#include <optional>

namespace amp::graph {

enum class ChannelLayout : uint32_t;

/// The verifier of every graph op: runs the shape rule and compares. A length that one side does not know agrees with
/// any; a placeholder type (none), which createInferred() uses, does too.
llvm::LogicalResult verifyResultTypes(mlir::Operation *op);

/// The positions of an image's axes in its physical shape.
struct ImageAxes {
  int64_t channels, height, width;
  explicit ImageAxes(ChannelLayout layout);
};

/// NxCxHxW to NxHxWxC, for a shape, and the new position of axis `axis`.
llvm::SmallVector<int64_t> toChannelsLast(llvm::ArrayRef<int64_t> shape);
int64_t toChannelsLastAxis(int64_t axis);

/// One spatial axis of a sliding window. `length` is that of the input, without padding.
struct WindowAxis {
  int64_t length, kernel, stride, padBegin, padEnd, dilation;
  bool ceilMode;
  /// Number of windows: dynamic if the length is; none if the kernel does not fit into the padded input.
  std::optional<int64_t> count() const;
};

/// The elements that a slice takes of an axis: `count` of them from `start`, with ONNX's clamping of start and end.
struct SliceRange {
  int64_t start, count;
  static SliceRange along(int64_t length, int64_t start, int64_t end, int64_t step);
};

/// The element type of a result that may leave in f32 although operands have 16 bits: f32 where the op has it already,
/// otherwise `operand`.
mlir::Type wideOrSame(mlir::Operation *op, mlir::Type operand);

/// "2x3", with ? for dynamic lengths; "scalar" for rank 0.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Whether two shapes agree where both are known.
bool compatibleShapes(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs);

/// Checks that axes are sorted, unique and inside the rank.
llvm::LogicalResult verifyAxes(mlir::Operation *op, llvm::ArrayRef<int64_t> axes, int64_t rank);
llvm::LogicalResult verifyAxis(mlir::Operation *op, int64_t axis, int64_t rank);
llvm::LogicalResult verifySameElementType(mlir::Operation *op, mlir::Type lhs, mlir::Type rhs);

} // namespace amp::graph

#endif
