// Identity, Constant, Cast, CastLike.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;
using onnx::AttributeProto;

LogicalResult amp::compiler::importIdentity(NodeImport &node) {
  return node.forward();
}

static LogicalResult importTensor(NodeImport &node, const onnx::TensorProto &proto) {
  TensorData tensor;
  if (std::optional<std::string> problem = readTensor(proto, PayloadSpan(), node.graph.file, tensor))
    return node.fail("the value " + *problem);
  return node.setConstant(toAttribute(node.builder().getContext(), tensor));
}

LogicalResult amp::compiler::importConstant(NodeImport &node) {
  Builder &builder = node.builder();
  auto shaped = [&](Type element, int64_t count, bool isList) {
    return RankedTensorType::get(isList ? ArrayRef<int64_t>(count) : ArrayRef<int64_t>(), element);
  };
  if (const AttributeProto *value = node.attribute("value")) {
    if (!value->has_t())
      return node.fail("attribute 'value' holds no tensor; wants one");
    return importTensor(node, value->t());
  }
  for (StringRef name : {"value_float", "value_floats"}) {
    if (const AttributeProto *value = node.attribute(name)) {
      std::vector<float> numbers(value->floats().begin(), value->floats().end());
      const bool isList = name == "value_floats";
      if (!isList)
        numbers.assign(1, value->f());
      return node.setConstant(DenseElementsAttr::get(shaped(builder.getF32Type(), int64_t(numbers.size()), isList),
                                                     ArrayRef<float>(numbers)));
    }
  }
  for (StringRef name : {"value_int", "value_ints"}) {
    if (const AttributeProto *value = node.attribute(name)) {
      Integers numbers(value->ints().begin(), value->ints().end());
      const bool isList = name == "value_ints";
      if (!isList)
        numbers.assign(1, value->i());
      return node.setConstant(DenseElementsAttr::get(shaped(builder.getI64Type(), int64_t(numbers.size()), isList),
                                                     ArrayRef<int64_t>(numbers)));
    }
  }
  return node.fail(
      "has none of the attributes value, value_float, value_floats, value_int, value_ints; amp reads no others");
}

/// Every float is an fp32 here: autocast decides anew which narrow ones there are.
static LogicalResult castTo(NodeImport &node, Type element) {
  if (element == node.type(0).getElementType())
    return node.forward();
  return node.setOutput(
      node.make<graph::CastOp>(RankedTensorType::get(node.type(0).getShape(), element), node.input(0)));
}

LogicalResult amp::compiler::importCast(NodeImport &node) {
  FailureOr<int64_t> to = node.integer("to", 0);
  (void)node.hasAttribute("saturate");   // says something of 8-bit floats only
  (void)node.hasAttribute("round_mode"); // likewise
  if (failed(to))
    return failure();
  Type element = *to >= 0 && *to <= 64 ? elementTypeOf(node.builder().getContext(), int32_t(*to)) : Type();
  if (!element)
    return node.fail("attribute 'to' is " + (*to >= 0 && *to <= 64 ? dataTypeName(int32_t(*to)) : std::to_string(*to)) +
                     "; amp casts to float32, float16, bfloat16, float64, int64, int32, int8 and bool");
  return castTo(node, element);
}

LogicalResult amp::compiler::importCastLike(NodeImport &node) {
  (void)node.hasAttribute("saturate");
  (void)node.hasAttribute("round_mode");
  return castTo(node, node.type(1).getElementType());
}
