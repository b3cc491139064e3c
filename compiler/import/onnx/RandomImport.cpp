// Dropout.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// Input 1 since opset 12, an attribute before.
static FailureOr<double> readRatio(NodeImport &node) {
  if (!node.hasInput(1))
    return node.real("ratio", 0.5);
  FailureOr<DenseElementsAttr> value = node.constant(1);
  if (failed(value))
    return failure();
  if (value->getNumElements() != 1 || !value->getElementType().isF32())
    return node.fail("the ratio " + quotedName(node.inputName(1)) + " is no floating scalar; wants a number in [0, 1]");
  return double((*value->getValues<APFloat>().begin()).convertToFloat());
}

/// Before opset 12 whoever runs the model decides, and amp trains it; since then the file says it.
static FailureOr<bool> readTrainingMode(NodeImport &node) {
  if (node.opset() < 12)
    return true;
  if (!node.hasInput(2))
    return false;
  FailureOr<DenseElementsAttr> value = node.constant(2);
  if (failed(value))
    return failure();
  if (value->getNumElements() != 1 || !value->getElementType().isInteger(1))
    return node.fail("training_mode " + quotedName(node.inputName(2)) + " is no bool scalar; wants true or false");
  return *value->getValues<bool>().begin();
}

LogicalResult amp::compiler::importDropout(NodeImport &node) {
  FailureOr<double> ratio = readRatio(node);
  FailureOr<bool> isTraining = readTrainingMode(node);
  // The runtime's seed rules every random number, so that a run can be repeated; the file's own changes nothing.
  (void)node.hasAttribute("seed");
  if (failed(ratio) || failed(isTraining) || failed(node.requireFloat(0)))
    return failure();
  if (!(*ratio >= 0 && *ratio <= 1))
    return node.fail("the ratio is " + std::to_string(*ratio) + "; wants a number in [0, 1]");
  if (!*isTraining || *ratio == 0)
    return node.forward();
  return node.setOutput(node.make<graph::DropoutOp>(node.type(0), node.input(0), Value(), Value(),
                                                    node.builder().getF64FloatAttr(*ratio),
                                                    node.builder().getI64IntegerAttr(node.graph.dropoutCount++)));
}
