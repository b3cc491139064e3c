// Family Pooling: its ops' definitions and layout facts.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

#define GET_OP_CLASSES
#include "dialects/graph/ops/Pooling.cpp.inc"

template <class PoolOp> static void useChannelsLast(PoolOp op) {
  op.setLayout(ChannelLayout::ChannelsLast);
  op.setResultLayout(ChannelLayout::ChannelsLast);
}

void MaxPool2dOp::convertToChannelsLast() {
  useChannelsLast(*this);
}
void AveragePool2dOp::convertToChannelsLast() {
  useChannelsLast(*this);
}
void MaxPool2dGradOp::convertToChannelsLast() {
  useChannelsLast(*this);
}

void AveragePool2dGradOp::convertToChannelsLast() {
  if (getLayout() == ChannelLayout::ChannelsFirst)
    setInputShape(toChannelsLast(getInputShape()));
  useChannelsLast(*this);
}

/// The side of the pool's result goes back to channels-first, once.
template <class PoolOp> static bool absorbTranspose(PoolOp op) {
  if (op.getLayout() != ChannelLayout::ChannelsLast || op.getResultLayout() != ChannelLayout::ChannelsLast)
    return false;
  op.setResultLayout(ChannelLayout::ChannelsFirst);
  return true;
}

bool MaxPool2dOp::absorbResultTranspose() {
  return absorbTranspose(*this);
}

bool AveragePool2dOp::absorbResultTranspose() {
  return absorbTranspose(*this);
}

// dy comes in the layout of the pool's result; x and dx share the other one.
bool MaxPool2dGradOp::absorbOperandTranspose(unsigned operand) {
  return operand == 0 && absorbTranspose(*this);
}

bool AveragePool2dGradOp::absorbOperandTranspose(unsigned operand) {
  return absorbTranspose(*this);
}
