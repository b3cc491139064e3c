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
    if (!node.type(1).getElementType().isInteger(64) || node.type(1).getRank() != 1 || node.type(1).isDynamicDim(0))
      return node.fail("the shape " + quotedName(node.inputName(1)) +
                       " is no list of int64 of known length; wants one number an axis");
    if (node.type(1).getDimSize(0) > 32)
      return node.fail("the shape names " + Twine(node.type(1).getDimSize(0)) + " axes; wants at most 32");
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

LogicalResult amp::compiler::importExpand(NodeImport &node) {
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
    if (own != given && own != 1 && given != 1 && !ShapedType::isDynamic(own))
      return node.fail(shapeText(from) + " does not broadcast to " + listText(*shape));
    result[result.size() - back] = own == 1 || (ShapedType::isDynamic(own) && given != 1) ? given : own;
  }
  auto type = RankedTensorType::get(result, node.type(0).getElementType());
  return node.setOutput(node.make<graph::ExpandOp>(type, node.input(0)));
}
