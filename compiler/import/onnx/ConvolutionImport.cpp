// Conv.
#include "compiler/import/onnx/Operators.h"
#include "compiler/import/onnx/Window.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

LogicalResult amp::compiler::importConv(NodeImport &node) {
  if (failed(node.requireFloat(0)) || failed(node.requireFloat(1)) || failed(node.requireRank(1, 4)))
    return failure();
  ArrayRef<int64_t> weight = node.type(1).getShape();
  if (ShapedType::isDynamic(weight[2]) || ShapedType::isDynamic(weight[3]))
    return node.fail("the weight's kernel has no known size (" + shapeText(weight) + "); wants an initializer");
  FailureOr<Window> window = readWindow(node, node.type(0).getShape(), weight.drop_front(2));
  FailureOr<int64_t> groups = node.integer("group", 1);
  if (failed(window) || failed(groups))
    return failure();
  if (*groups < 1 || *groups >= int64_t(1) << 31)
    return node.fail("attribute 'group' is " + Twine(*groups) + "; wants a number in [1, 2^31)");
  Value y = node.make<graph::Conv2dOp>(node.type(0), node.input(0), node.input(1), window->strides, window->pads,
                                       window->dilations, *groups);
  if (!y || !node.hasInput(2))
    return node.setOutput(y);
  if (failed(node.requireFloat(2)) || failed(node.requireRank(2, 1)))
    return failure();
  return node.setOutput(node.make<graph::BiasAddOp>(y.getType(), y, node.input(2), int64_t(1)));
}
