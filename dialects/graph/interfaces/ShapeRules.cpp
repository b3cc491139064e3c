// What the shape rules of the families share.
#include "dialects/graph/Graph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;

namespace amp::graph {

static LogicalResult compareResult(Operation *op, unsigned index, Type wanted) {
  Type seen = op->getResult(index).getType();
  if (isa<NoneType>(seen) || seen == wanted)
    return success();
  auto seenTensor = dyn_cast<RankedTensorType>(seen);
  auto wantedTensor = dyn_cast<RankedTensorType>(wanted);
  if (seenTensor && wantedTensor && seenTensor.getElementType() == wantedTensor.getElementType() &&
      compatibleShapes(seenTensor.getShape(), wantedTensor.getShape()))
    return success();
  return op->emitOpError() << "gives " << seen << ", but its operands and attributes make " << wanted;
}

LogicalResult verifyResultTypes(Operation *op) {
  SmallVector<Type> wanted;
  if (failed(cast<ShapeOpInterface>(op).inferResultTypes(wanted)))
    return failure();
  for (auto [index, type] : llvm::enumerate(wanted))
    if (failed(compareResult(op, index, type)))
      return failure();
  return success();
}

ImageAxes::ImageAxes(ChannelLayout layout)
    : channels(layout == ChannelLayout::ChannelsFirst ? 1 : 3), height(layout == ChannelLayout::ChannelsFirst ? 2 : 1),
      width(layout == ChannelLayout::ChannelsFirst ? 3 : 2) {}

SmallVector<int64_t> toChannelsLast(ArrayRef<int64_t> shape) {
  return {shape[0], shape[2], shape[3], shape[1]};
}

int64_t toChannelsLastAxis(int64_t axis) {
  static constexpr int64_t positions[] = {0, 3, 1, 2};
  return axis >= 0 && axis < 4 ? positions[axis] : axis;
}

std::optional<int64_t> WindowAxis::count() const {
  if (ShapedType::isDynamic(length))
    return ShapedType::kDynamic;
  int64_t span = dilation * (kernel - 1) + 1;
  int64_t room = length + padBegin + padEnd - span;
  if (room < 0)
    return std::nullopt;
  int64_t windows = room / stride + 1;
  // A window that ceil mode adds must start inside the input or its start padding, as in PyTorch.
  if (ceilMode && room % stride != 0 && windows * stride < length + padBegin)
    ++windows;
  return windows;
}

SliceRange SliceRange::along(int64_t length, int64_t start, int64_t end, int64_t step) {
  auto clampTo = [&](int64_t position, int64_t low, int64_t high) {
    // Positions below -length come out negative whatever is added; a far negative one must not overflow on the way.
    int64_t counted = position < 0 && position >= -length ? position + length : position;
    return std::clamp(counted, low, high);
  };
  if (step > 0) {
    int64_t from = clampTo(start, 0, length), to = clampTo(end, 0, length);
    return {from, to > from ? (to - from - 1) / step + 1 : 0};
  }
  int64_t from = clampTo(start, -1, length - 1), to = clampTo(end, -1, length - 1);
  // Dividing two negatives, since the least 64-bit step has no positive counterpart.
  return {from, from > to ? (to - from + 1) / step + 1 : 0};
}

Type wideOrSame(Operation *op, Type operand) {
  Type seen = getElementTypeOrSelf(op->getResult(0).getType());
  return seen.isF32() && isa<FloatType>(operand) && operand.getIntOrFloatBitWidth() < 32 ? seen : operand;
}

std::string shapeText(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(
      shape, stream,
      [&](int64_t length) {
        if (ShapedType::isDynamic(length))
          stream << '?';
        else
          stream << length;
      },
      "x");
  return text;
}

bool compatibleShapes(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  return lhs.size() == rhs.size() && llvm::all_of(llvm::zip(lhs, rhs), [](auto pair) {
           auto [left, right] = pair;
           return ShapedType::isDynamic(left) || ShapedType::isDynamic(right) || left == right;
         });
}

LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis < 0 || axis >= rank)
    return op->emitOpError() << "names axis " << axis << ", which lies outside rank " << rank;
  return success();
}

LogicalResult verifyAxes(Operation *op, ArrayRef<int64_t> axes, int64_t rank) {
  for (auto [position, axis] : llvm::enumerate(axes)) {
    if (failed(verifyAxis(op, axis, rank)))
      return failure();
    if (position > 0 && axes[position - 1] >= axis)
      return op->emitOpError() << "names axis " << axis << " after axis " << axes[position - 1]
                               << "; wants them sorted and unique";
  }
  return success();
}

LogicalResult verifySameElementType(Operation *op, Type lhs, Type rhs) {
  if (getElementTypeOrSelf(lhs) != getElementTypeOrSelf(rhs))
    return op->emitOpError() << "mixes element types " << getElementTypeOrSelf(lhs) << " and "
                             << getElementTypeOrSelf(rhs) << "; wants one";
  return success();
}

} // namespace amp::graph
