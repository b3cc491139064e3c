// BatchNormalization and LayerNormalization.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// Training moves the running statistics, so they must be state: initializers of the file.
static LogicalResult requireStatistic(NodeImport &node, unsigned at) {
  if (node.isWeight(at))
    return success();
  return node.fail("input " + Twine(at) + " " + quotedName(node.inputName(at)) +
                   " (a running statistic) is no initializer; export the model with track_running_stats=True");
}

LogicalResult amp::compiler::importBatchNormalization(NodeImport &node) {
  // Whatever mode the file was exported in: each program of the package has its own.
  FailureOr<int64_t> trainingMode = node.integer("training_mode", 0), spatial = node.integer("spatial", 1);
  FailureOr<double> eps = node.real("epsilon", 1e-5), momentum = node.real("momentum", 0.9);
  if (failed(trainingMode) || failed(spatial) || failed(eps) || failed(momentum))
    return failure();
  if (*spatial == 0)
    return node.fail("attribute 'spatial' is 0: statistics for each position; amp has them for each channel only");
  if (!(*momentum >= 0 && *momentum <= 1) || !(*eps >= 0))
    return node.fail("momentum is " + std::to_string(*momentum) + ", epsilon " + std::to_string(*eps) +
                     "; wants a momentum in [0, 1] and an epsilon of 0 or more");
  const int64_t rank = node.type(0).getRank();
  if (rank < 2 || rank > 5)
    return node.fail("normalises a tensor of rank " + Twine(rank) + "; wants rank 2 to 5");
  for (unsigned at = 0; at < 5; ++at)
    if (failed(node.requireFloat(at)) || (at > 0 && failed(node.requireRank(at, 1))) ||
        (at > 2 && failed(requireStatistic(node, at))))
      return failure();
  Builder &builder = node.builder();
  return node.setOutput(node.make<graph::BatchNormOp>(
      node.type(0), node.input(0), node.input(1), node.input(2), node.input(3), node.input(4),
      builder.getI64IntegerAttr(1), builder.getF64FloatAttr(*eps), builder.getF64FloatAttr(*momentum)));
}

LogicalResult amp::compiler::importLayerNormalization(NodeImport &node) {
  FailureOr<int64_t> given = node.integer("axis", -1);
  FailureOr<double> eps = node.real("epsilon", 1e-5);
  (void)node.hasAttribute("stash_type"); // the type of mean and deviation, which are fp32 here in any case
  if (failed(given) || failed(eps))
    return failure();
  FailureOr<int64_t> axis = node.axis(*given, node.type(0).getRank());
  if (failed(axis))
    return failure();
  for (unsigned at = 0; at < node.inputCount(); ++at)
    if (node.hasInput(at) && failed(node.requireFloat(at)))
      return failure();
  if (!(*eps >= 0))
    return node.fail("attribute 'epsilon' is " + std::to_string(*eps) + "; wants 0 or more");
  Value bias = node.hasInput(2) ? node.input(2) : Value();
  Builder &builder = node.builder();
  return node.setOutput(node.make<graph::LayerNormOp>(node.type(0), node.input(0), node.input(1), bias,
                                                      builder.getI64IntegerAttr(*axis), builder.getF64FloatAttr(*eps)));
}
