// Family Convolution: shape rules. One rule for all three ops: image, kernel and result shape belong together.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

/// Attributes stay below this, so that no product of two overflows 64 bits.
static constexpr int64_t kLargest = int64_t(1) << 31;

static LogicalResult verifyNumbers(Operation *op, StringRef name, ArrayRef<int64_t> numbers, size_t count,
                                   int64_t least) {
  if (numbers.size() != count)
    return op->emitOpError() << "has " << numbers.size() << " " << name << "; wants " << count;
  for (int64_t number : numbers)
    if (number < least || number >= kLargest)
      return op->emitOpError() << "has " << number << " among its " << name << "; wants at least " << least
                               << " and less than 2^31";
  return success();
}

template <class ConvolutionOp> static LogicalResult verifyGeometry(ConvolutionOp op) {
  if (failed(verifyNumbers(op, "strides", op.getStrides(), 2, 1)) ||
      failed(verifyNumbers(op, "pads", op.getPads(), 4, 0)) ||
      failed(verifyNumbers(op, "dilations", op.getDilations(), 2, 1)) ||
      failed(verifyNumbers(op, "groups", int64_t(op.getGroups()), 1, 1)))
    return failure(); // C4
  return success();
}

static LogicalResult verifyChannels(Operation *op, int64_t channels, ArrayRef<int64_t> weight, int64_t groups) {
  if (!compatibleShapes(channels, ShapedType::isDynamic(weight[1]) ? weight[1] : weight[1] * groups))
    return op->emitOpError() << "has " << channels << " input channels, but " << groups << " groups of " << weight[1]
                             << " in its weight"; // C2
  if (!ShapedType::isDynamic(weight[0]) && weight[0] % groups != 0)
    return op->emitOpError() << "has " << weight[0] << " output channels, which do not divide into " << groups
                             << " groups"; // C3
  return success();
}

/// The shape of the result images, or failure with an error on the op.
template <class ConvolutionOp>
static FailureOr<SmallVector<int64_t>> resultShape(ConvolutionOp op, ArrayRef<int64_t> image,
                                                   ArrayRef<int64_t> weight) {
  if (image.size() != 4 || weight.size() != 4)
    return op.emitOpError() << "convolves ranks " << image.size() << " and " << weight.size()
                            << "; wants 4 and 4"; // C1
  if (failed(verifyGeometry(op)))
    return failure();
  ImageAxes axes(op.getLayout());
  if (failed(verifyChannels(op, image[axes.channels], weight, op.getGroups())))
    return failure();
  SmallVector<int64_t> result(4, image[0]);
  result[axes.channels] = weight[0];
  for (unsigned spatial : {0u, 1u}) {
    int64_t axis = spatial == 0 ? axes.height : axes.width;
    int64_t kernel = weight[2 + spatial];
    if (ShapedType::isDynamic(kernel)) {
      result[axis] = ShapedType::kDynamic;
      continue;
    }
    WindowAxis window{image[axis],
                      kernel,
                      op.getStrides()[spatial],
                      op.getPads()[spatial],
                      op.getPads()[spatial + 2],
                      op.getDilations()[spatial],
                      false};
    std::optional<int64_t> count = kernel > 0 && kernel < kLargest ? window.count() : std::nullopt;
    if (!count)
      return op.emitOpError() << "has a kernel of " << shapeText(weight.drop_front(2)) << ", which does not fit into "
                              << shapeText(image) << " with pads " << op.getPads(); // C5
    result[axis] = *count;
  }
  return result;
}

template <class ConvolutionOp>
static LogicalResult verifyGradient(ConvolutionOp op, RankedTensorType dy, ArrayRef<int64_t> image,
                                    ArrayRef<int64_t> weight) {
  FailureOr<SmallVector<int64_t>> wanted = resultShape(op, image, weight);
  if (failed(wanted))
    return failure();
  if (!compatibleShapes(dy.getShape(), *wanted))
    return op.emitOpError() << "has dy of " << shapeText(dy.getShape()) << "; the convolution gives "
                            << shapeText(*wanted);                                            // C1
  return verifySameElementType(op, op->getOperand(0).getType(), op->getOperand(1).getType()); // C2
}

LogicalResult Conv2dOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType x = getX().getType(), weight = getWeight().getType();
  FailureOr<SmallVector<int64_t>> shape = resultShape(*this, x.getShape(), weight.getShape());
  if (failed(shape) || failed(verifySameElementType(*this, x, weight)))
    return failure();                                                                    // C6
  types.push_back(RankedTensorType::get(*shape, wideOrSame(*this, x.getElementType()))); // C7
  return success();
}

LogicalResult Conv2dInputGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType dy = getDy().getType();
  if (failed(verifyGradient(*this, dy, getInputShape(), getWeight().getType().getShape())))
    return failure();
  types.push_back(RankedTensorType::get(getInputShape(), wideOrSame(*this, dy.getElementType())));
  return success();
}

LogicalResult Conv2dWeightGradOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType dy = getDy().getType();
  if (failed(verifyGradient(*this, dy, getX().getType().getShape(), getWeightShape())))
    return failure();
  types.push_back(RankedTensorType::get(getWeightShape(), wideOrSame(*this, dy.getElementType())));
  return success();
}
