// Operators that move values or change shapes.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

LogicalResult amp::compiler::importFlatten(NodeImport &node) {
  FailureOr<int64_t> given = node.integer("axis", 1);
  if (failed(given))
    return failure();
  FailureOr<int64_t> axis = node.axis(*given, node.type(0).getRank(), "axis", true);
  if (failed(axis))
    return failure();
  return node.setOutput(node.make<graph::FlattenOp>(node.type(0), node.input(0), *axis));
}

LogicalResult amp::compiler::importReshape(NodeImport &node) {
  FailureOr<int64_t> allowZero = node.integer("allowzero", 0);
  if (failed(allowZero))
    return failure();
  Value shape;
  if (node.hasInput(1)) {
    if (failed(requireShapeList(node, 1)))
      return failure();
    shape = node.input(1);
  } else {
    FailureOr<Integers> given = node.integers("shape", {});
    if (failed(given))
      return failure();
    if (!node.hasAttribute("shape") || given->size() > 32)
      return node.fail("has no shape of at most 32 axes; wants input 1 or the attribute 'shape'");
    auto type = RankedTensorType::get({int64_t(given->size())}, node.builder().getI64Type());
    shape = node.makeConstant(DenseElementsAttr::get(type, ArrayRef<int64_t>(*given)));
  }
  return node.setOutput(node.make<graph::DynamicReshapeOp>(node.type(0), node.input(0), shape, *allowZero != 0));
}

LogicalResult amp::compiler::importTranspose(NodeImport &node) {
  const int64_t rank = node.type(0).getRank();
  Integers reversed(llvm::reverse(llvm::to_vector(llvm::seq<int64_t>(0, rank))));
  FailureOr<Integers> permutation = node.integers("perm", reversed);
  if (failed(permutation))
    return failure();
  Integers sorted = *permutation;
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, rank)))
    return node.fail("attribute 'perm' is " + listText(*permutation) + "; wants each axis of rank " + Twine(rank) +
                     " once");
  return node.setOutput(node.make<graph::TransposeOp>(node.type(0), node.input(0), *permutation));
}

/// The axes of Squeeze, Unsqueeze: an attribute before opset 13, a constant input since then. Empty where none is
/// given.
static FailureOr<Integers> givenAxes(NodeImport &node) {
  if (node.hasInput(1))
    return node.constantIntegers(1);
  return node.integers("axes", {});
}

LogicalResult amp::compiler::importUnsqueeze(NodeImport &node) {
  FailureOr<Integers> given = givenAxes(node);
  if (failed(given))
    return failure();
  if (!node.hasInput(1) && !node.hasAttribute("axes"))
    return node.fail("has no axes; wants input 1, or the attribute 'axes' before opset 13");
  const int64_t rank = node.type(0).getRank() + int64_t(given->size());
  if (rank > 32)
    return node.fail("gives rank " + Twine(rank) + "; wants at most 32");
  FailureOr<Integers> axes = node.axes(*given, rank);
  if (failed(axes))
    return failure();
  return node.setOutput(node.make<graph::UnsqueezeOp>(node.type(0), node.input(0), *axes));
}

LogicalResult amp::compiler::importSqueeze(NodeImport &node) {
  FailureOr<Integers> given = givenAxes(node);
  if (failed(given))
    return failure();
  if (given->empty() && !node.type(0).hasStaticShape())
    return node.fail("removes every axis of length 1, but the shape " + shapeText(node.type(0).getShape()) +
                     " is not fully known; name the axes, or bind it with --batch and --shape");
  FailureOr<Integers> axes = node.axes(*given, node.type(0).getRank());
  if (failed(axes))
    return failure();
  return node.setOutput(node.make<graph::SqueezeOp>(node.type(0), node.input(0), *axes));
}

LogicalResult amp::compiler::requireShapeList(NodeImport &node, unsigned at) {
  RankedTensorType type = node.type(at);
  if (!type.getElementType().isInteger(64) || type.getRank() != 1 || type.isDynamicDim(0))
    return node.fail("the shape " + quotedName(node.inputName(at)) +
                     " is no list of int64 of known length; wants one number an axis");
  if (type.getDimSize(0) > 32)
    return node.fail("the shape names " + Twine(type.getDimSize(0)) + " axes; wants at most 32");
  return success();
}

LogicalResult amp::compiler::importExpand(NodeImport &node) {
  if (!node.isConstant(1) || !node.type(0).hasStaticShape()) {
    if (failed(requireShapeList(node, 1)))
      return failure();
    return node.setOutput(node.make<graph::DynamicExpandOp>(node.type(0), node.input(0), node.input(1)));
  }
  FailureOr<Integers> shape = node.constantIntegers(1);
  if (failed(shape))
    return failure();
  ArrayRef<int64_t> from = node.type(0).getShape();
  if (shape->size() > 32)
    return node.fail("the shape names " + Twine(shape->size()) + " axes; wants at most 32");
  Integers result(std::max(from.size(), shape->size()), 1);
  for (size_t back = 1; back <= result.size(); ++back) {
    const int64_t given = back <= shape->size() ? (*shape)[shape->size() - back] : 1;
    const int64_t own = back <= from.size() ? from[from.size() - back] : 1;
    if (given < 0 || given > int64_t(1) << 31)
      return node.fail("the shape " + listText(*shape) + " has the length " + Twine(given) + "; wants 0 to 2^31");
    if (own != given && own != 1 && given != 1)
      return node.fail(shapeText(from) + " does not broadcast to " + listText(*shape));
    result[result.size() - back] = own == 1 ? given : own;
  }
  auto type = RankedTensorType::get(result, node.type(0).getElementType());
  return node.setOutput(node.make<graph::ExpandOp>(type, node.input(0)));
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

LogicalResult amp::compiler::importTrilu(NodeImport &node) {
  FailureOr<int64_t> upper = node.integer("upper", 1);
  FailureOr<Integers> diagonal = node.hasInput(1) ? node.constantIntegers(1) : FailureOr<Integers>(Integers{0});
  if (failed(upper) || failed(diagonal))
    return failure();
  if (diagonal->size() != 1)
    return node.fail("the diagonal " + quotedName(node.inputName(1)) + " has " + Twine(diagonal->size()) +
                     " elements; wants one");
  Builder &builder = node.builder();
  return node.setOutput(node.make<graph::TriluOp>(node.type(0), node.input(0), builder.getBoolAttr(*upper != 0),
                                                  builder.getI64IntegerAttr(diagonal->front())));
}
