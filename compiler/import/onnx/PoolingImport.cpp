// MaxPool, AveragePool, GlobalAveragePool.
#include "compiler/import/onnx/Operators.h"
#include "compiler/import/onnx/Window.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {
struct Pool {
  Window window;
  bool ceilMode;
};
} // namespace

static FailureOr<Pool> readPool(NodeImport &node) {
  if (failed(node.requireFloat(0)))
    return failure();
  FailureOr<Window> window = readWindow(node, node.type(0).getShape(), {});
  FailureOr<int64_t> ceilMode = node.integer("ceil_mode", 0);
  if (failed(window) || failed(ceilMode))
    return failure();
  return Pool{*window, *ceilMode != 0 && !window->isExact};
}

LogicalResult amp::compiler::importMaxPool(NodeImport &node) {
  FailureOr<Pool> pool = readPool(node);
  FailureOr<int64_t> storageOrder = node.integer("storage_order", 0); // says how indices count, and they are refused
  if (failed(pool) || failed(storageOrder))
    return failure();
  if (node.hasOutput(1))
    return node.fail("output 1 (the indices of the maxima) is used; amp gives the maxima only");
  const Window &window = pool->window;
  return node.setOutput(node.make<graph::MaxPool2dOp>(node.type(0), node.input(0), window.kernel, window.strides,
                                                      window.pads, window.dilations, pool->ceilMode));
}

LogicalResult amp::compiler::importAveragePool(NodeImport &node) {
  FailureOr<Pool> pool = readPool(node);
  FailureOr<int64_t> includePad = node.integer("count_include_pad", 0);
  if (failed(pool) || failed(includePad))
    return failure();
  const Window &window = pool->window;
  return node.setOutput(node.make<graph::AveragePool2dOp>(
      node.type(0), node.input(0), window.kernel, window.strides, window.pads, window.dilations, pool->ceilMode,
      graph::ChannelLayout::ChannelsFirst, graph::ChannelLayout::ChannelsFirst, *includePad != 0));
}

LogicalResult amp::compiler::importGlobalAveragePool(NodeImport &node) {
  const int64_t rank = node.type(0).getRank();
  if (failed(node.requireFloat(0)))
    return failure();
  if (rank < 3)
    return node.fail("pools a tensor of rank " + Twine(rank) + "; wants rank 3 or more");
  const Integers axes = llvm::to_vector(llvm::seq<int64_t>(2, rank));
  return node.setOutput(node.make<graph::ReduceMeanOp>(node.type(0), node.input(0), axes, true));
}
