// Softmax, LogSoftmax, ReduceSum, ReduceMean.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// Before opset 13 all axes from `axis` on are normalised together: a matrix, normalised along its second axis.
template <typename Op> static LogicalResult importFlattened(NodeImport &node, int64_t axis) {
  RankedTensorType type = node.type(0);
  Value matrix = node.make<graph::FlattenOp>(type, node.input(0), axis);
  Value normal = matrix ? node.make<Op>(matrix.getType(), matrix, int64_t(1)) : Value();
  if (!normal)
    return failure();
  Value shape = node.make<graph::ShapeOp>(type, node.input(0), int64_t(0), type.getRank());
  return node.setOutput(shape ? node.make<graph::DynamicReshapeOp>(type, normal, shape, true) : Value());
}

template <typename Op> static LogicalResult importNormalising(NodeImport &node) {
  const bool isOld = node.opset() < 13;
  const int64_t rank = node.type(0).getRank();
  FailureOr<int64_t> given = node.integer("axis", isOld ? 1 : -1);
  if (failed(given) || failed(node.requireFloat(0)))
    return failure();
  FailureOr<int64_t> axis = node.axis(*given, rank);
  if (failed(axis))
    return failure();
  if (isOld && *axis != rank - 1)
    return importFlattened<Op>(node, *axis);
  return node.setOutput(node.make<Op>(node.type(0), node.input(0), *axis));
}

LogicalResult amp::compiler::importSoftmax(NodeImport &node) {
  return importNormalising<graph::SoftmaxOp>(node);
}
LogicalResult amp::compiler::importLogSoftmax(NodeImport &node) {
  return importNormalising<graph::LogSoftmaxOp>(node);
}

template <typename Op> static LogicalResult importReduction(NodeImport &node) {
  FailureOr<int64_t> keepDims = node.integer("keepdims", 1), noop = node.integer("noop_with_empty_axes", 0);
  FailureOr<Integers> given = node.hasInput(1) ? node.constantIntegers(1) : node.integers("axes", {});
  if (failed(keepDims) || failed(noop) || failed(given))
    return failure();
  const int64_t rank = node.type(0).getRank();
  if (given->empty() && *noop != 0)
    return node.forward();
  FailureOr<Integers> axes = node.axes(*given, rank);
  if (failed(axes))
    return failure();
  if (axes->empty())
    *axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return node.setOutput(node.make<Op>(node.type(0), node.input(0), *axes, *keepDims != 0));
}

LogicalResult amp::compiler::importReduceSum(NodeImport &node) {
  return importReduction<graph::ReduceSumOp>(node);
}

LogicalResult amp::compiler::importReduceMean(NodeImport &node) {
  if (failed(node.requireFloat(0)))
    return failure();
  return importReduction<graph::ReduceMeanOp>(node);
}
