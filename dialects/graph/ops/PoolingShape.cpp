// Family Pooling: shape rules. One rule for all four ops.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

/// Attributes stay below this, so that no product of two overflows 64 bits.
static constexpr int64_t kLargest = int64_t(1) << 31;

static LogicalResult verifyPositive(Operation *op, StringRef name, ArrayRef<int64_t> numbers) {
  if (numbers.size() != 2)
    return op->emitOpError() << "has " << numbers.size() << " " << name << "; wants 2";
  for (int64_t number : numbers)
    if (number < 1 || number >= kLargest)
      return op->emitOpError() << "has " << number << " among its " << name << "; wants at least 1 and less than 2^31";
  return success();
}

template <class PoolOp> static LogicalResult verifyWindow(PoolOp op) {
  if (failed(verifyPositive(op, "kernel lengths", op.getKernel())) ||
      failed(verifyPositive(op, "strides", op.getStrides())) ||
      failed(verifyPositive(op, "dilations", op.getDilations())))
    return failure(); // C2
  if (op.getPads().size() != 4)
    return op.emitOpError() << "has " << op.getPads().size() << " pads; wants 4";
  for (auto [index, pad] : llvm::enumerate(op.getPads()))
    if (pad < 0 || pad >= op.getKernel()[index % 2])
      return op.emitOpError() << "has a pad of " << pad << " for a kernel of " << op.getKernel()[index % 2]
                              << "; wants 0 or more and less than the kernel"; // C3
  return success();
}

/// The pooled shape, in result_layout, of images in layout.
template <class PoolOp> static FailureOr<SmallVector<int64_t>> pooledShape(PoolOp op, ArrayRef<int64_t> image) {
  if (image.size() != 4)
    return op.emitOpError() << "pools rank " << image.size() << "; wants 4"; // C1
  if (failed(verifyWindow(op)))
    return failure();
  ImageAxes from(op.getLayout()), to(op.getResultLayout());
  SmallVector<int64_t> result(4, image[0]);
  result[to.channels] = image[from.channels];
  for (unsigned spatial : {0u, 1u}) {
    WindowAxis window{image[spatial == 0 ? from.height : from.width],
                      op.getKernel()[spatial],
                      op.getStrides()[spatial],
                      op.getPads()[spatial],
                      op.getPads()[spatial + 2],
                      op.getDilations()[spatial],
                      op.getCeilMode()};
    std::optional<int64_t> count = window.count();
    if (!count)
      return op.emitOpError() << "has a kernel of " << shapeText(op.getKernel()) << ", which does not fit into "
                              << shapeText(image) << " with pads " << op.getPads(); // C4
    result[spatial == 0 ? to.height : to.width] = *count;
  }
  return result;
}

template <class PoolOp> static LogicalResult inferPool(PoolOp op, SmallVectorImpl<Type> &types) {
  RankedTensorType x = op.getX().getType();
  FailureOr<SmallVector<int64_t>> shape = pooledShape(op, x.getShape());
  if (failed(shape))
    return failure();
  types.push_back(RankedTensorType::get(*shape, x.getElementType())); // C4
  return success();
}

template <class GradOp> static LogicalResult verifyGradient(GradOp op, StringRef pool, ArrayRef<int64_t> image) {
  FailureOr<SmallVector<int64_t>> wanted = pooledShape(op, image);
  if (failed(wanted))
    return failure();
  ArrayRef<int64_t> dy = op.getDy().getType().getShape();
  if (!compatibleShapes(dy, *wanted))
    return op.emitOpError() << "has dy of " << shapeText(dy) << "; " << pool << " gives " << shapeText(*wanted)
                            << " for " << shapeText(image); // C1
  return success();
}

LogicalResult MaxPool2dOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferPool(*this, types);
}
LogicalResult AveragePool2dOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  return inferPool(*this, types);
}

LogicalResult MaxPool2dGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType();
  if (failed(verifyGradient(*this, "max_pool2d", x.getShape())) ||
      failed(verifySameElementType(*this, getDy().getType(), x)))
    return failure(); // C2
  types.push_back(x);
  return success();
}

LogicalResult AveragePool2dGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (failed(verifyGradient(*this, "average_pool2d", getInputShape())))
    return failure();
  types.push_back(RankedTensorType::get(getInputShape(), getDy().getType().getElementType()));
  return success();
}
