// Operands, attributes, checks and results of one node.
#include "compiler/import/onnx/NodeImport.h"

#include "compiler/import/onnx/CheckModel.h"
#include "compiler/import/onnx/ConstantFolding.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;
using onnx::AttributeProto;

NodeImport::NodeImport(GraphImport &graph, const onnx::NodeProto &node, int index)
    : graph(graph), node(node), index(index), place(NameLoc::get(graph.builder.getStringAttr(nodeName(node, index)))) {}

int64_t NodeImport::opset() const {
  return graph.file.opset();
}

LogicalResult NodeImport::fail(const Twine &problem) {
  graph.problems.add(nodeText(node, index, opset()) + ": " + problem);
  return failure();
}

Value NodeImport::input(unsigned at) {
  return graph.materialise(*graph.lookup(node.input(int(at))), place);
}

RankedTensorType NodeImport::type(unsigned at) {
  NamedValue &named = *graph.lookup(node.input(int(at)));
  if (named.value)
    return cast<RankedTensorType>(named.value.getType());
  return cast<RankedTensorType>(named.state ? named.state.getType() : named.constant.getType());
}

bool NodeImport::isConstant(unsigned at) {
  NamedValue &named = *graph.lookup(node.input(int(at)));
  if (!named.constant && !named.state && named.value)
    named.constant = foldConstant(named.value);
  return named.constant || named.state;
}

bool NodeImport::isWeight(unsigned at) {
  return bool(graph.lookup(node.input(int(at)))->state);
}

FailureOr<DenseElementsAttr> NodeImport::constant(unsigned at) {
  NamedValue &named = *graph.lookup(node.input(int(at)));
  if (named.state && named.tensor.elements <= mostConstantElements) {
    named.constant = toAttribute(builder().getContext(), named.tensor);
    named.readAsConstant = true;
  }
  if (isConstant(at) && named.constant)
    return named.constant;
  return fail("input " + Twine(at) + " " + quotedName(inputName(at)) +
              " is computed; amp wants a constant there (an initializer or a Constant node); simplify the model "
              "(onnxsim), or make an input that it depends on an initializer");
}

FailureOr<Integers> NodeImport::constantIntegers(unsigned at) {
  FailureOr<DenseElementsAttr> value = constant(at);
  if (failed(value))
    return failure();
  if (!isa<IntegerType>(value->getElementType()) || value->getType().getRank() > 1)
    return fail("input " + Twine(at) + " " + quotedName(inputName(at)) +
                " is no list of integers; wants int64 of rank 1");
  Integers numbers;
  for (const APInt &number : value->getValues<APInt>())
    numbers.push_back(number.getSExtValue());
  return numbers;
}

const AttributeProto *NodeImport::attribute(StringRef name) {
  asked.insert(name);
  for (const AttributeProto &attribute : node.attribute())
    if (attribute.name() == name)
      return &attribute;
  return nullptr;
}

bool NodeImport::hasAttribute(StringRef name) {
  return attribute(name) != nullptr;
}

/// Exporters of the first IR versions left `type` out; the field that is set says it then.
static bool isOfType(const AttributeProto &attribute, AttributeProto::AttributeType type, bool isSet) {
  return attribute.has_type() ? attribute.type() == type : isSet;
}

static std::string wrongType(StringRef name, StringRef wanted, const AttributeProto &attribute) {
  std::string seen = AttributeProto::AttributeType_Name(attribute.type());
  return "attribute '" + name.str() + "' is of type " + (seen.empty() ? "?" : seen) + "; wants " + wanted.str();
}

FailureOr<int64_t> NodeImport::integer(StringRef name, int64_t otherwise) {
  const AttributeProto *found = attribute(name);
  if (!found)
    return otherwise;
  if (!isOfType(*found, AttributeProto::INT, found->has_i()))
    return fail(wrongType(name, "INT", *found));
  return found->i();
}

FailureOr<double> NodeImport::real(StringRef name, double otherwise) {
  const AttributeProto *found = attribute(name);
  if (!found)
    return otherwise;
  if (!isOfType(*found, AttributeProto::FLOAT, found->has_f()))
    return fail(wrongType(name, "FLOAT", *found));
  return double(found->f());
}

FailureOr<std::string> NodeImport::text(StringRef name, StringRef otherwise) {
  const AttributeProto *found = attribute(name);
  if (!found)
    return otherwise.str();
  if (!isOfType(*found, AttributeProto::STRING, found->has_s()))
    return fail(wrongType(name, "STRING", *found));
  return found->s();
}

FailureOr<Integers> NodeImport::integers(StringRef name, ArrayRef<int64_t> otherwise) {
  const AttributeProto *found = attribute(name);
  if (!found)
    return Integers(otherwise);
  if (!isOfType(*found, AttributeProto::INTS, found->ints_size() != 0))
    return fail(wrongType(name, "INTS", *found));
  return Integers(found->ints().begin(), found->ints().end());
}

LogicalResult NodeImport::checkAttributes() {
  LogicalResult result = success();
  for (const AttributeProto &attribute : node.attribute())
    if (!asked.contains(attribute.name()))
      result =
          fail("attribute " + quotedName(attribute.name()) + " means nothing to amp in this operator; leave it out");
  return result;
}

FailureOr<int64_t> NodeImport::axis(int64_t axis, int64_t rank, StringRef what, bool atEnd) {
  const int64_t end = rank + (atEnd ? 1 : 0);
  if (axis < -rank || axis >= end)
    return fail(what + " " + Twine(axis) + " is outside rank " + Twine(rank) + "; wants " + Twine(-rank) + " to " +
                Twine(end - 1));
  return axis < 0 ? axis + rank : axis;
}

FailureOr<Integers> NodeImport::axes(ArrayRef<int64_t> axes, int64_t rank) {
  Integers sorted;
  for (int64_t one : axes) {
    FailureOr<int64_t> counted = axis(one, rank);
    if (failed(counted))
      return failure();
    sorted.push_back(*counted);
  }
  llvm::sort(sorted);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return fail("axes " + listText(axes) + " name an axis twice");
  return sorted;
}

LogicalResult NodeImport::requireFloat(unsigned at) {
  if (isa<FloatType>(type(at).getElementType()))
    return success();
  return fail("input " + Twine(at) + " " + quotedName(inputName(at)) +
              " has integer elements; wants floating ones: put a Cast before it");
}

LogicalResult NodeImport::requireRank(unsigned at, int64_t rank) {
  if (type(at).getRank() == rank)
    return success();
  return fail("input " + Twine(at) + " " + quotedName(inputName(at)) + " has the shape " +
              shapeText(type(at).getShape()) + " of rank " + Twine(type(at).getRank()) + "; wants rank " + Twine(rank));
}

Value NodeImport::complete(Operation *op) {
  SmallVector<Type> types;
  (void)graph.takeDiagnostics();
  bool isFine = succeeded(cast<graph::ShapeOpInterface>(op).inferResultTypes(types));
  if (isFine) {
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      result.setType(type);
    isFine = succeeded(mlir::verify(op));
  }
  if (isFine)
    return op->getResult(0);
  (void)fail(graph.takeDiagnostics() + graph.bindingHint());
  op->erase();
  return Value();
}

Value NodeImport::makeConstant(DenseElementsAttr value) {
  return graph::ConstantOp::create(builder(), place, value.getType(), value);
}

LogicalResult NodeImport::setOutput(Value value, unsigned at) {
  if (!value)
    return failure();
  NamedValue named;
  named.value = value;
  if (hasOutput(at))
    graph.define(node.output(int(at)), std::move(named));
  return success();
}

LogicalResult NodeImport::setConstant(DenseElementsAttr value) {
  NamedValue named;
  named.constant = value;
  if (hasOutput(0))
    graph.define(node.output(0), std::move(named));
  return success();
}

LogicalResult NodeImport::forward(unsigned at) {
  // A constant keeps what it is under its other name; so does a weight, which counts as read.
  if (!graph.lookup(node.input(int(at)))->constant)
    (void)input(at);
  NamedValue named = *graph.lookup(node.input(int(at)));
  if (named.state)
    named.value = input(at);
  if (hasOutput(0))
    graph.define(node.output(0), std::move(named));
  return success();
}
