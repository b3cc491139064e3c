// Shape arithmetic: Shape, Gather, Concat, Slice. The shape stage folds what these make.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

LogicalResult amp::compiler::importShape(NodeImport &node) {
  const int64_t rank = node.type(0).getRank();
  FailureOr<int64_t> start = node.integer("start", 0), end = node.integer("end", rank);
  if (failed(start) || failed(end))
    return failure();
  auto clamp = [&](int64_t axis) {
    if (axis < 0)
      axis = axis < -rank ? 0 : axis + rank;
    return std::min(axis, rank);
  };
  const int64_t from = clamp(*start), to = std::max(clamp(*end), from);
  return node.setOutput(node.make<graph::ShapeOp>(node.type(0), node.input(0), from, to));
}

LogicalResult amp::compiler::importGather(NodeImport &node) {
  FailureOr<int64_t> given = node.integer("axis", 0);
  if (failed(given))
    return failure();
  FailureOr<int64_t> axis = node.axis(*given, node.type(0).getRank());
  if (failed(axis))
    return failure();
  if (!isa<IntegerType>(node.type(1).getElementType()))
    return node.fail("the indices " + quotedName(node.inputName(1)) + " are floating; wants int32 or int64");
  return node.setOutput(node.make<graph::GatherOp>(node.type(0), node.input(0), node.input(1), *axis));
}

LogicalResult amp::compiler::importConcat(NodeImport &node) {
  if (!node.hasAttribute("axis"))
    return node.fail("attribute 'axis' is missing; wants a number");
  FailureOr<int64_t> given = node.integer("axis", 0);
  if (failed(given))
    return failure();
  FailureOr<int64_t> axis = node.axis(*given, node.type(0).getRank());
  if (failed(axis))
    return failure();
  SmallVector<Value> parts;
  for (unsigned at = 0; at < node.inputCount(); ++at) {
    if (!node.hasInput(at))
      return node.fail("input " + Twine(at) + " is left out; wants all of them");
    parts.push_back(node.input(at));
  }
  return node.setOutput(node.make<graph::ConcatOp>(node.type(0), parts, *axis));
}

namespace {
struct Ranges {
  Integers starts, ends, axes, steps;
};
} // namespace

/// Attributes before opset 10, constant inputs since then.
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

LogicalResult amp::compiler::importSlice(NodeImport &node) {
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
  for (int64_t &given : ranges->axes) {
    FailureOr<int64_t> axis = node.axis(given, node.type(0).getRank());
    if (failed(axis))
      return failure();
    given = *axis;
  }
  if (llvm::is_contained(ranges->steps, 0))
    return node.fail("steps " + listText(ranges->steps) + " hold a 0; wants steps forward or backward");
  return node.setOutput(node.make<graph::SliceOp>(node.type(0), node.input(0), ranges->axes, ranges->starts,
                                                  ranges->ends, ranges->steps));
}
