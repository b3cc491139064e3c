// Slice and Split.
#include "compiler/import/onnx/Operators.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {
struct Ranges {
  Integers starts, ends, axes, steps;
};
} // namespace

/// Attributes before opset 10, inputs since then; here they are constants.
static FailureOr<Ranges> readRanges(NodeImport &node) {
  const bool isOld = node.opset() < 10;
  auto read = [&](unsigned at, StringRef name) -> FailureOr<Integers> {
    if (isOld)
      return node.integers(name, {});
    return node.hasInput(at) ? node.constantIntegers(at) : FailureOr<Integers>(Integers());
  };
  FailureOr<Integers> starts = read(1, "starts"), ends = read(2, "ends"), axes = read(3, "axes");
  FailureOr<Integers> steps = isOld ? FailureOr<Integers>(Integers()) : read(4, "steps");
  if (failed(starts) || failed(ends) || failed(axes) || failed(steps))
    return failure();
  return Ranges{*starts, *ends, *axes, *steps};
}

static LogicalResult countFromStart(NodeImport &node, Integers &axes) {
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t &given : axes) {
    FailureOr<int64_t> axis = node.axis(given, node.type(0).getRank());
    if (failed(axis))
      return failure();
    if (!seen.insert(*axis).second)
      return node.fail("names axis " + Twine(*axis) + " twice; wants each axis once");
    given = *axis;
  }
  return success();
}

static LogicalResult importConstantSlice(NodeImport &node) {
  FailureOr<Ranges> ranges = readRanges(node);
  if (failed(ranges))
    return failure();
  const size_t count = ranges->starts.size();
  if (ranges->axes.empty())
    ranges->axes = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(count)));
  if (ranges->steps.empty())
    ranges->steps.assign(count, 1);
  if (count == 0 || ranges->ends.size() != count || ranges->axes.size() != count || ranges->steps.size() != count)
    return node.fail("has " + Twine(count) + " starts, " + Twine(ranges->ends.size()) + " ends, " +
                     Twine(ranges->axes.size()) + " axes and " + Twine(ranges->steps.size()) +
                     " steps; wants as many of each");
  if (failed(countFromStart(node, ranges->axes)))
    return failure();
  if (llvm::is_contained(ranges->steps, 0))
    return node.fail("steps " + listText(ranges->steps) + " hold a 0; wants steps forward or backward");
  return node.setOutput(node.make<graph::SliceOp>(node.type(0), node.input(0), ranges->axes, ranges->starts,
                                                  ranges->ends, ranges->steps));
}

/// Bounds that the shape stage will know: their axes must be constants all the same.
static LogicalResult importDynamicSlice(NodeImport &node) {
  FailureOr<Integers> axes = node.hasInput(3) ? node.constantIntegers(3) : FailureOr<Integers>(Integers());
  if (failed(axes))
    return failure();
  for (unsigned at : {1u, 2u, 4u})
    if (node.hasInput(at) && failed(node.requireRank(at, 1)))
      return failure();
  if (!node.hasInput(3)) {
    if (node.type(1).isDynamicDim(0))
      return node.fail("the starts " + quotedName(node.inputName(1)) + " are a list of unknown length; wants axes");
    *axes = llvm::to_vector(llvm::seq<int64_t>(0, node.type(1).getDimSize(0)));
  }
  if (failed(countFromStart(node, *axes)))
    return failure();
  Value steps = node.hasInput(4) ? node.input(4) : Value();
  return node.setOutput(
      node.make<graph::DynamicSliceOp>(node.type(0), node.input(0), node.input(1), node.input(2), steps, *axes));
}

LogicalResult amp::compiler::importSlice(NodeImport &node) {
  auto isKnown = [&](unsigned at) { return !node.hasInput(at) || node.isConstant(at); };
  if (node.opset() < 10 || (isKnown(1) && isKnown(2) && isKnown(4)))
    return importConstantSlice(node);
  return importDynamicSlice(node);
}

/// How long the parts are: input 1 since opset 13, an attribute before; empty where they are equal.
static FailureOr<Integers> readSizes(NodeImport &node, unsigned count) {
  FailureOr<Integers> sizes = node.hasInput(1) ? node.constantIntegers(1) : node.integers("split", {});
  if (failed(sizes) || sizes->empty())
    return sizes;
  for (int64_t size : *sizes)
    if (size < 0)
      return node.fail("the sizes " + listText(*sizes) + " hold a negative one; wants 0 or more");
  if (sizes->size() != count)
    return node.fail("has " + Twine(sizes->size()) + " sizes " + listText(*sizes) + " for " + Twine(count) +
                     " outputs; wants as many");
  return sizes;
}

/// Equal parts, the last one shorter where the length does not divide (opset 18).
static FailureOr<Integers> equalSizes(NodeImport &node, int64_t axis, unsigned count) {
  const int64_t length = node.type(0).getDimSize(unsigned(axis));
  if (ShapedType::isDynamic(length))
    return node.fail("splits axis " + Twine(axis) + " of " + shapeText(node.type(0).getShape()) +
                     " into equal parts, and its length is not known; bind it with --batch or --shape, or export "
                     "with the sizes of the parts");
  if (length % count != 0 && node.opset() < 18)
    return node.fail("splits an axis of length " + Twine(length) + " into " + Twine(count) +
                     " equal parts; wants a length that divides");
  const int64_t most = (length + count - 1) / count;
  Integers sizes;
  for (int64_t rest = length; sizes.size() < count; rest -= sizes.back())
    sizes.push_back(std::min(most, rest));
  return sizes;
}

LogicalResult amp::compiler::importSplit(NodeImport &node) {
  const unsigned count = node.outputCount();
  FailureOr<int64_t> given = node.integer("axis", 0), announced = node.integer("num_outputs", count);
  FailureOr<Integers> sizes = readSizes(node, count);
  if (failed(given) || failed(announced) || failed(sizes))
    return failure();
  FailureOr<int64_t> axis = node.axis(*given, node.type(0).getRank());
  if (failed(axis))
    return failure();
  if (*announced != int64_t(count))
    return node.fail("attribute 'num_outputs' is " + Twine(*announced) + ", but the node has " + Twine(count) +
                     " outputs; wants as many");
  if (sizes->empty() && count != 0)
    sizes = equalSizes(node, *axis, count);
  if (failed(sizes))
    return failure();
  int64_t sum = 0, start = 0;
  for (int64_t size : *sizes)
    if (__builtin_add_overflow(sum, size, &sum))
      return node.fail("the sizes " + listText(*sizes) + " are more than any axis has");
  const int64_t length = node.type(0).getDimSize(unsigned(*axis));
  if (!ShapedType::isDynamic(length) && sum != length)
    return node.fail("the sizes " + listText(*sizes) + " add up to " + Twine(sum) + "; the axis has length " +
                     Twine(length));
  for (unsigned at = 0; at < count; start += (*sizes)[at++]) {
    Value part =
        node.make<graph::SliceOp>(node.type(0), node.input(0), ArrayRef<int64_t>(*axis), ArrayRef<int64_t>(start),
                                  ArrayRef<int64_t>(start + (*sizes)[at]), ArrayRef<int64_t>(1));
    if (failed(node.setOutput(part, at)))
      return failure();
  }
  return success();
}
