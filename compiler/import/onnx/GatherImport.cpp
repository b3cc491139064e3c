// Gather, GatherElements, GatherND.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

static LogicalResult requireIndices(NodeImport &node) {
  if (isa<IntegerType>(node.type(1).getElementType()))
    return success();
  return node.fail("the indices " + quotedName(node.inputName(1)) + " are floating; wants int32 or int64");
}

template <typename Op> static LogicalResult importAlongAxis(NodeImport &node) {
  FailureOr<int64_t> given = node.integer("axis", 0);
  if (failed(given))
    return failure();
  FailureOr<int64_t> axis = node.axis(*given, node.type(0).getRank());
  if (failed(axis) || failed(requireIndices(node)))
    return failure();
  return node.setOutput(node.make<Op>(node.type(0), node.input(0), node.input(1), *axis));
}

LogicalResult amp::compiler::importGather(NodeImport &node) {
  return importAlongAxis<graph::GatherOp>(node);
}
LogicalResult amp::compiler::importGatherElements(NodeImport &node) {
  return importAlongAxis<graph::GatherElementsOp>(node);
}

LogicalResult amp::compiler::importGatherND(NodeImport &node) {
  FailureOr<int64_t> batchDims = node.integer("batch_dims", 0);
  if (failed(batchDims) || failed(requireIndices(node)))
    return failure();
  const int64_t rank = std::min(node.type(0).getRank(), node.type(1).getRank());
  if (*batchDims < 0 || *batchDims >= rank)
    return node.fail("attribute 'batch_dims' is " + Twine(*batchDims) + "; wants 0 to " + Twine(rank - 1));
  if (node.type(1).isDynamicDim(unsigned(node.type(1).getRank() - 1)))
    return node.fail("the indices " + quotedName(node.inputName(1)) + " have the shape " +
                     shapeText(node.type(1).getShape()) + "; wants a last axis of known length");
  return node.setOutput(node.make<graph::GatherNdOp>(node.type(0), node.input(0), node.input(1), *batchDims));
}
