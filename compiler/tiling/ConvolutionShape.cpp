// What the loops of a convolution run over, forward and for the gradient of its input.
#include "compiler/tiling/Tiling.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/ShapeRules.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static ConvolutionShape forwardShape(graph::Conv2dOp op) {
  graph::ImageAxes axes(op.getLayout());
  auto x = tensorType(op.getX()).getShape(), w = tensorType(op.getWeight()).getShape();
  auto y = tensorType(op.getY()).getShape();
  auto strides = op.getStrides(), dilations = op.getDilations(), pads = op.getPads();
  ConvolutionShape s{};
  s.batch = x[0];
  s.outHeight = y[axes.height], s.outWidth = y[axes.width], s.outChannels = y[axes.channels];
  s.imageHeight = x[axes.height], s.imageWidth = x[axes.width], s.sourceChannels = x[axes.channels];
  s.kernelHeight = w[2], s.kernelWidth = w[3], s.groups = op.getGroups();
  s.strideH = strides[0], s.strideW = strides[1], s.dilationH = dilations[0], s.dilationW = dilations[1];
  s.offsetH = pads[0], s.offsetW = pads[1], s.spreadH = s.spreadW = 1;
  s.sourceHeight = (s.outHeight - 1) * s.strideH + (s.kernelHeight - 1) * s.dilationH + 1;
  s.sourceWidth = (s.outWidth - 1) * s.strideW + (s.kernelWidth - 1) * s.dilationW + 1;
  return s;
}

// dx = dy, spread by the stride and padded, convolved at stride 1 with the kernel turned by half a turn.
static ConvolutionShape inputGradientShape(graph::Conv2dInputGradOp op) {
  graph::ImageAxes axes(op.getLayout());
  auto dy = tensorType(op.getDy()).getShape(), w = tensorType(op.getWeight()).getShape();
  auto dx = tensorType(op.getDx()).getShape();
  auto strides = op.getStrides(), dilations = op.getDilations(), pads = op.getPads();
  ConvolutionShape s{};
  s.batch = dx[0];
  s.outHeight = dx[axes.height], s.outWidth = dx[axes.width], s.outChannels = dx[axes.channels];
  s.imageHeight = dy[axes.height], s.imageWidth = dy[axes.width], s.sourceChannels = dy[axes.channels];
  s.kernelHeight = w[2], s.kernelWidth = w[3], s.groups = op.getGroups();
  s.strideH = s.strideW = 1, s.dilationH = dilations[0], s.dilationW = dilations[1];
  s.offsetH = (w[2] - 1) * dilations[0] - pads[0], s.offsetW = (w[3] - 1) * dilations[1] - pads[1];
  s.spreadH = strides[0], s.spreadW = strides[1];
  s.sourceHeight = s.outHeight + (s.kernelHeight - 1) * s.dilationH;
  s.sourceWidth = s.outWidth + (s.kernelWidth - 1) * s.dilationW;
  return s;
}

ConvolutionShape amp::compiler::convolutionShape(Operation *op) {
  if (auto forward = dyn_cast<graph::Conv2dOp>(op))
    return forwardShape(forward);
  return inputGradientShape(cast<graph::Conv2dInputGradOp>(op));
}
