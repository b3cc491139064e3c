// Shape, ConstantOfShape, Range: tensors made of shapes and numbers. The shape stage folds what these make.
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

LogicalResult amp::compiler::importConstantOfShape(NodeImport &node) {
  auto scalar = RankedTensorType::get({1}, node.builder().getF32Type());
  DenseElementsAttr value = DenseElementsAttr::get(scalar, 0.0f);
  if (const onnx::AttributeProto *given = node.attribute("value")) {
    TensorData tensor;
    if (!given->has_t())
      return node.fail("attribute 'value' holds no tensor; wants one");
    if (std::optional<std::string> problem = readTensor(given->t(), PayloadSpan(), node.graph.file, tensor))
      return node.fail("the value " + *problem);
    if (tensor.elements != 1)
      return node.fail("attribute 'value' has " + Twine(tensor.elements) + " elements; wants one");
    value = toAttribute(node.builder().getContext(), tensor);
  }
  if (failed(requireShapeList(node, 0)))
    return failure();
  return node.setOutput(node.make<graph::FillOp>(value.getType(), node.input(0), ElementsAttr(value)));
}

LogicalResult amp::compiler::importRange(NodeImport &node) {
  Value bounds[3];
  for (unsigned at : {0u, 1u, 2u}) {
    if (node.type(at).getRank() != 0)
      return node.fail("input " + Twine(at) + " " + quotedName(node.inputName(at)) + " has the shape " +
                       shapeText(node.type(at).getShape()) + "; wants a scalar");
    // A floating initializer is a number here, and no weight.
    FailureOr<DenseElementsAttr> known = node.isConstant(at) ? node.constant(at) : FailureOr<DenseElementsAttr>();
    bounds[at] = succeeded(known) ? node.makeConstant(*known) : node.input(at);
  }
  return node.setOutput(node.make<graph::RangeOp>(node.type(0), bounds[0], bounds[1], bounds[2]));
}
