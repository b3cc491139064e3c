// Emit rules of the normalization family: all in fp32, whatever is read and written.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/Lanes.h"

using namespace mlir;
using namespace amp::graph;

SmallVector<Value> NormalizeOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value x = operands[0], mean = operands[1], deviation = operands[2], scale = operands[3], bias = operands[4];
  return {lanes.fma(lanes.sub(x, mean), lanes.mul(deviation, scale), bias)};
}

// The factors that belong to a channel alone come first: a loop along other axes then computes them once.
SmallVector<Value> NormalizeGradOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value dy = operands[0], x = operands[1], mean = operands[2], deviation = operands[3];
  Value share = lanes.real(operands[5], 1.0 / double(getCount()));
  Value slope = lanes.mul(lanes.mul(operands[5], share), deviation);
  Value offset = lanes.mul(operands[6], share);
  Value part = lanes.fma(lanes.sub(x, mean), slope, offset);
  return {lanes.mul(lanes.sub(dy, part), lanes.mul(deviation, operands[4]))};
}

SmallVector<Value> UpdateStatisticsOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  double momentum = getMomentum().convertToDouble(), rest = 1 - momentum;
  auto move = [&](Value batch, Value running, double weight) {
    Value kept = lanes.mul(running, lanes.real(running, momentum));
    return lanes.fma(batch, lanes.real(batch, weight), kept);
  };
  return {move(operands[0], operands[2], rest),
          move(operands[1], operands[3], rest * getCorrection().convertToDouble())};
}
