// Operators that compare, join conditions, and choose.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

static LogicalResult requireBool(NodeImport &node, unsigned at) {
  if (node.type(at).getElementType().isInteger(1))
    return success();
  return node.fail("input " + Twine(at) + " " + quotedName(node.inputName(at)) +
                   " has elements that are no bool; wants bool: compare it first");
}

static LogicalResult importCompare(NodeImport &node, graph::CompareKind kind) {
  return node.setOutput(node.make<graph::CompareOp>(node.type(0), node.input(0), node.input(1), kind));
}

LogicalResult amp::compiler::importEqual(NodeImport &node) {
  return importCompare(node, graph::CompareKind::Equal);
}
LogicalResult amp::compiler::importGreater(NodeImport &node) {
  return importCompare(node, graph::CompareKind::Greater);
}
LogicalResult amp::compiler::importGreaterOrEqual(NodeImport &node) {
  return importCompare(node, graph::CompareKind::GreaterOrEqual);
}
LogicalResult amp::compiler::importLess(NodeImport &node) {
  return importCompare(node, graph::CompareKind::Less);
}
LogicalResult amp::compiler::importLessOrEqual(NodeImport &node) {
  return importCompare(node, graph::CompareKind::LessOrEqual);
}

template <typename Op> static LogicalResult importLogical(NodeImport &node) {
  if (failed(requireBool(node, 0)) || failed(requireBool(node, 1)))
    return failure();
  return node.setOutput(node.make<Op>(node.type(0), node.input(0), node.input(1)));
}

LogicalResult amp::compiler::importAnd(NodeImport &node) {
  return importLogical<graph::LogicalAndOp>(node);
}
LogicalResult amp::compiler::importOr(NodeImport &node) {
  return importLogical<graph::LogicalOrOp>(node);
}

LogicalResult amp::compiler::importNot(NodeImport &node) {
  if (failed(requireBool(node, 0)))
    return failure();
  return node.setOutput(node.make<graph::LogicalNotOp>(node.type(0), node.input(0)));
}

LogicalResult amp::compiler::importIsNaN(NodeImport &node) {
  if (failed(node.requireFloat(0)))
    return failure();
  return node.setOutput(node.make<graph::IsNanOp>(node.type(0), node.input(0)));
}

LogicalResult amp::compiler::importWhere(NodeImport &node) {
  if (failed(requireBool(node, 0)))
    return failure();
  return node.setOutput(node.make<graph::SelectOp>(node.type(1), node.input(0), node.input(1), node.input(2)));
}
