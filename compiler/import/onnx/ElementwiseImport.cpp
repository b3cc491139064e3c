// Operators that work element by element.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

template <typename Op> static LogicalResult importUnary(NodeImport &node) {
  if (failed(node.requireFloat(0)))
    return failure();
  return node.setOutput(node.make<Op>(node.type(0), node.input(0)));
}

LogicalResult amp::compiler::importExp(NodeImport &node) {
  return importUnary<graph::ExpOp>(node);
}
LogicalResult amp::compiler::importLog(NodeImport &node) {
  return importUnary<graph::LogOp>(node);
}
LogicalResult amp::compiler::importSqrt(NodeImport &node) {
  return importUnary<graph::SqrtOp>(node);
}
LogicalResult amp::compiler::importRelu(NodeImport &node) {
  return importUnary<graph::ReluOp>(node);
}
LogicalResult amp::compiler::importTanh(NodeImport &node) {
  return importUnary<graph::TanhOp>(node);
}
LogicalResult amp::compiler::importSigmoid(NodeImport &node) {
  return importUnary<graph::SigmoidOp>(node);
}

LogicalResult amp::compiler::importErf(NodeImport &node) {
  return importUnary<graph::ErfOp>(node);
}
LogicalResult amp::compiler::importReciprocal(NodeImport &node) {
  return importUnary<graph::ReciprocalOp>(node);
}

LogicalResult amp::compiler::importGelu(NodeImport &node) {
  FailureOr<std::string> form = node.text("approximate", "none");
  if (failed(form) || failed(node.requireFloat(0)))
    return failure();
  if (*form != "none" && *form != "tanh")
    return node.fail("attribute 'approximate' is " + quotedName(*form) + "; wants 'none' or 'tanh'");
  return node.setOutput(node.make<graph::GeluOp>(node.type(0), node.input(0), *form == "tanh"));
}

LogicalResult amp::compiler::importAbs(NodeImport &node) {
  return node.setOutput(node.make<graph::AbsOp>(node.type(0), node.input(0)));
}

LogicalResult amp::compiler::importNeg(NodeImport &node) {
  return node.setOutput(node.make<graph::NegOp>(node.type(0), node.input(0)));
}

template <typename Op> static LogicalResult importBinary(NodeImport &node) {
  if (node.type(0).getElementType().isInteger(1))
    return node.fail("input 0 has bool elements; wants numbers: put a Cast before it");
  return node.setOutput(node.make<Op>(node.type(0), node.input(0), node.input(1)));
}

LogicalResult amp::compiler::importSub(NodeImport &node) {
  return importBinary<graph::SubOp>(node);
}
LogicalResult amp::compiler::importMul(NodeImport &node) {
  return importBinary<graph::MulOp>(node);
}
LogicalResult amp::compiler::importDiv(NodeImport &node) {
  return importBinary<graph::DivOp>(node);
}

/// A matmul, and a constant vector along its last axis.
static bool isBias(Value product, NodeImport &node, unsigned bias) {
  if (!product.getDefiningOp<graph::MatMulOp>() || !node.isConstant(bias))
    return false;
  auto type = cast<RankedTensorType>(product.getType());
  RankedTensorType vector = node.type(bias);
  return vector.getRank() == 1 && !type.isDynamicDim(type.getRank() - 1) &&
         vector.getDimSize(0) == type.getShape().back() && vector.getElementType() == type.getElementType();
}

LogicalResult amp::compiler::importAdd(NodeImport &node) {
  for (unsigned product : {0u, 1u}) {
    if (node.isConstant(product) || !isBias(node.input(product), node, 1 - product))
      continue;
    RankedTensorType type = node.type(product);
    return node.setOutput(
        node.make<graph::BiasAddOp>(type, node.input(product), node.input(1 - product), type.getRank() - 1));
  }
  return importBinary<graph::AddOp>(node);
}

/// One input is itself; more are taken two by two, from the left.
template <typename Op> static LogicalResult importVariadic(NodeImport &node) {
  if (node.inputCount() == 1)
    return node.forward();
  Value result = node.input(0);
  for (unsigned at = 1; result && at < node.inputCount(); ++at) {
    if (!node.hasInput(at))
      return node.fail("input " + Twine(at) + " is left out; wants all of them");
    result = node.make<Op>(result.getType(), result, node.input(at));
  }
  return node.setOutput(result);
}

LogicalResult amp::compiler::importSum(NodeImport &node) {
  return importVariadic<graph::AddOp>(node);
}
LogicalResult amp::compiler::importMin(NodeImport &node) {
  return importVariadic<graph::MinOp>(node);
}
LogicalResult amp::compiler::importMax(NodeImport &node) {
  return importVariadic<graph::MaxOp>(node);
}

/// The bound that input `at` gives since opset 11, the attribute before; null where there is none.
static FailureOr<Value> readBound(NodeImport &node, unsigned at, StringRef name) {
  if (node.opset() >= 11)
    return node.hasInput(at) ? node.input(at) : Value();
  if (!node.hasAttribute(name))
    return Value();
  FailureOr<double> bound = node.real(name, 0);
  if (failed(bound))
    return failure();
  auto scalar = RankedTensorType::get({}, node.builder().getF32Type());
  return node.makeConstant(DenseElementsAttr::get(scalar, static_cast<float>(*bound)));
}

LogicalResult amp::compiler::importClip(NodeImport &node) {
  FailureOr<Value> least = readBound(node, 1, "min"), most = readBound(node, 2, "max");
  if (failed(least) || failed(most))
    return failure();
  if (!*least && !*most)
    return node.forward();
  Value x = node.input(0);
  if (*least)
    x = node.make<graph::MaxOp>(x.getType(), x, *least);
  if (x && *most)
    x = node.make<graph::MinOp>(x.getType(), x, *most);
  return node.setOutput(x);
}

/// The exponent where it is one number that does not train: a Constant node, or an initializer of rank 0.
static std::optional<double> constantExponent(NodeImport &node) {
  RankedTensorType type = node.type(1);
  if (!node.isConstant(1) || (node.isWeight(1) && type.getRank() != 0) || !type.hasStaticShape() ||
      type.getNumElements() != 1 || type.getRank() > node.type(0).getRank())
    return std::nullopt;
  FailureOr<DenseElementsAttr> value = node.constant(1);
  if (failed(value))
    return std::nullopt;
  if (isa<FloatType>(value->getElementType()))
    return (*value->getValues<APFloat>().begin()).convertToDouble();
  return double((*value->getValues<APInt>().begin()).getSExtValue());
}

/// Whole and half powers without a power: cheaper, and their gradients need no logarithm.
static Value makePower(NodeImport &node, Value x, double exponent) {
  Type type = x.getType();
  if (exponent == 0.5)
    return node.make<graph::SqrtOp>(type, x);
  if (exponent == -1)
    return node.make<graph::ReciprocalOp>(type, x);
  Value square = node.make<graph::MulOp>(type, x, x);
  return square && exponent == 3 ? node.make<graph::MulOp>(type, square, x) : square;
}

LogicalResult amp::compiler::importPow(NodeImport &node) {
  const Type element = node.type(0).getElementType();
  const bool isFloat = isa<FloatType>(element);
  if (std::optional<double> exponent = constantExponent(node); exponent && isFloat) {
    if (*exponent == 1)
      return node.forward();
    if (llvm::is_contained({-1.0, 0.5, 2.0, 3.0}, *exponent))
      return node.setOutput(makePower(node, node.input(0), *exponent));
  }
  // The result has the base's type, whatever the exponent's; powers of integers are taken of floats.
  auto cast = [&](Value x, Type to) {
    auto type = x ? mlir::cast<RankedTensorType>(x.getType()) : RankedTensorType();
    if (!x || type.getElementType() == to)
      return x;
    return node.make<graph::CastOp>(RankedTensorType::get(type.getShape(), to), x);
  };
  const Type inside = node.builder().getF32Type();
  Value base = cast(node.input(0), inside), exponent = cast(node.input(1), inside);
  Value power = base && exponent ? node.make<graph::PowOp>(base.getType(), base, exponent) : Value();
  return node.setOutput(cast(power, element));
}
