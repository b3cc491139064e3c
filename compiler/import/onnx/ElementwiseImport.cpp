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
