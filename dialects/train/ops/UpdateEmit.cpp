// Emit rules of the update family. Factors made of scalars alone are computed once, in fp64, and rounded to fp32, as
// PyTorch's Python code does with its floats; elements are computed in fp32.
#include "dialects/graph/interfaces/Lanes.h"
#include "dialects/train/Train.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace amp::train;
using amp::graph::Lanes;
using Predicate = arith::CmpFPredicate;

namespace {

/// 1 if the value is neither infinite nor NaN.
Value isFinite(Lanes &lanes, Value x) {
  Value magnitude = math::AbsFOp::create(lanes.builder, lanes.loc, x);
  return lanes.compare(Predicate::OLT, magnitude, lanes.real(x, std::numeric_limits<double>::infinity()));
}

} // namespace

SmallVector<Value> UnscaleOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value scale = lanes.widen(operands[1]);
  Value inverse = lanes.narrow(lanes.div(lanes.real(scale, 1.0), scale));
  return {lanes.mul(operands[0], inverse)};
}

SmallVector<Value> SgdOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value parameter = operands[0], gradient = operands[1], lr = operands[2], steps = operands[3];
  double decay = getWeightDecay().convertToDouble(), momentum = getMomentum().convertToDouble();
  double dampening = getDampening().convertToDouble();
  if (decay != 0)
    gradient = lanes.fma(lanes.real(parameter, decay), parameter, gradient);
  Value minusLr = arith::NegFOp::create(builder, getLoc(), lr);
  if (!getBuffer())
    return {lanes.fma(minusLr, gradient, parameter)};

  Value factor = lanes.real(parameter, momentum);
  Value fresh = dampening == 0 ? gradient : lanes.mul(lanes.real(parameter, 1 - dampening), gradient);
  Value moved = lanes.fma(factor, operands[4], fresh);
  Value first = lanes.compare(arith::CmpIPredicate::eq, steps, lanes.integer(steps, 0));
  Value buffer = lanes.select(first, gradient, moved);
  Value direction = getNesterov() ? lanes.fma(factor, buffer, gradient) : buffer;
  return {lanes.fma(minusLr, direction, parameter), buffer};
}

SmallVector<Value> AdamOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value parameter = operands[0], gradient = operands[1], m = operands[2], v = operands[3];
  Value lr = lanes.widen(operands[4]), power1 = operands[5], power2 = operands[6];
  double beta1 = getBeta1().convertToDouble(), beta2 = getBeta2().convertToDouble();
  double decay = getWeightDecay().convertToDouble();
  Value one = lanes.real(lr, 1.0);
  if (decay != 0 && getDecoupled()) {
    Value shrink = lanes.sub(one, lanes.mul(lr, lanes.real(lr, decay)));
    parameter = lanes.mul(parameter, lanes.narrow(shrink));
  } else if (decay != 0) {
    gradient = lanes.fma(lanes.real(parameter, decay), parameter, gradient);
  }
  m = lanes.fma(lanes.real(m, beta1), m, lanes.mul(lanes.real(m, 1 - beta1), gradient));
  v = lanes.fma(lanes.real(v, beta2), v, lanes.mul(lanes.real(v, 1 - beta2), lanes.mul(gradient, gradient)));

  Value step = lanes.narrow(lanes.div(lr, lanes.sub(one, power1)));
  Value correction = lanes.narrow(lanes.sqrt(lanes.sub(lanes.real(power2, 1.0), power2)));
  Value root = lanes.div(lanes.sqrt(v), correction);
  Value denominator = lanes.add(root, lanes.real(root, getEps().convertToDouble()));
  Value direction = lanes.div(m, denominator);
  Value minusStep = arith::NegFOp::create(builder, getLoc(), step);
  return {lanes.fma(minusStep, direction, parameter), m, v};
}

// Growth is tested after rounding to fp32, as in PyTorch's amp_update_scale kernel.
SmallVector<Value> UpdateScaleOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value scale = operands[0], tracker = operands[1], finite = operands[2], loss = operands[3];
  double lowest = getMin().convertToDouble(), highest = getMax().convertToDouble();
  Value wide = lanes.widen(scale);

  Value less = lanes.narrow(lanes.mul(wide, lanes.real(wide, getBackoff().convertToDouble())));
  Value bound = lanes.real(scale, lowest);
  less = lanes.select(lanes.compare(Predicate::OLT, less, bound), bound, less);

  Value more = lanes.narrow(lanes.mul(wide, lanes.real(wide, getGrowth().convertToDouble())));
  bound = lanes.real(scale, highest);
  Value capped = lanes.select(lanes.compare(Predicate::OGT, more, bound), bound, more);
  more = lanes.select(isFinite(lanes, more), capped, scale);

  Value zero = lanes.integer(tracker, 0);
  Value counted = lanes.add(tracker, lanes.integer(tracker, 1));
  Value full = lanes.compare(arith::CmpIPredicate::sge, counted, lanes.integer(tracker, getInterval()));
  Value goodScale = lanes.select(full, more, scale), goodTracker = lanes.select(full, zero, counted);

  Value newScale = lanes.select(finite, goodScale, less), newTracker = lanes.select(finite, goodTracker, zero);
  // A loss that is not finite tells nothing of the scale.
  Value told = isFinite(lanes, loss);
  return {lanes.select(told, newScale, scale), lanes.select(told, newTracker, tracker)};
}
