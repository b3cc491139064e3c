// Family Convolution: its ops' definitions and layout facts.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

#define GET_OP_CLASSES
#include "dialects/graph/ops/Convolution.cpp.inc"

void Conv2dOp::convertToChannelsLast() {
  setLayout(ChannelLayout::ChannelsLast);
}

void Conv2dInputGradOp::convertToChannelsLast() {
  if (getLayout() == ChannelLayout::ChannelsFirst)
    setInputShape(toChannelsLast(getInputShape()));
  setLayout(ChannelLayout::ChannelsLast);
}

void Conv2dWeightGradOp::convertToChannelsLast() {
  setLayout(ChannelLayout::ChannelsLast);
}
