// Emit rules of the elementwise family: functions, powers, extrema and conditions.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/Lanes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace amp::graph;
using Predicate = arith::CmpFPredicate;

namespace {

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

bool isUnsigned(Value value) {
  Type type = getElementTypeOrSelf(value);
  return type.isUnsignedInteger() || type.isInteger(1);
}

Value erf(Lanes &lanes, Value x) {
  if (getElementTypeOrSelf(x).isF64())
    return math::ErfOp::create(lanes.builder, lanes.loc, x);
  return lanes.erf(x);
}

Value exp(Lanes &lanes, Value x) {
  if (getElementTypeOrSelf(x).isF64())
    return math::ExpOp::create(lanes.builder, lanes.loc, x);
  return lanes.exp(x);
}

/// 1 / (1 + exp(-x)) and 1 minus that. exp never overflows here, and both tails keep their relative precision.
std::pair<Value, Value> sigmoid(Lanes &lanes, Value x) {
  Value one = lanes.real(x, 1.0), zero = lanes.real(x, 0.0);
  Value decay = exp(lanes, lanes.sub(zero, lanes.absolute(x)));
  Value large = lanes.div(one, lanes.add(one, decay)), small = lanes.mul(decay, large);
  Value isNegative = lanes.compare(Predicate::OLT, x, zero);
  return {lanes.select(isNegative, small, large), lanes.select(isNegative, large, small)};
}

} // namespace

SmallVector<Value> SigmoidOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  return {sigmoid(lanes, operands[0]).first};
}

SmallVector<Value> ErfOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  return {erf(lanes, operands[0])};
}

SmallVector<Value> AbsOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value x = operands[0];
  if (isFloat(x))
    return {lanes.absolute(x)};
  if (isUnsigned(getX()))
    return {x};
  Value zero = lanes.integer(x, 0);
  return {lanes.select(lanes.compare(arith::CmpIPredicate::slt, x, zero), lanes.sub(zero, x), x)};
}

SmallVector<Value> ReciprocalOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  return {lanes.div(lanes.real(operands[0], 1.0), operands[0])};
}

namespace {

/// x to an exponent known here, in a few instructions; null where there is no short way.
Value shortPower(Lanes &lanes, Value x, double exponent) {
  Value one = lanes.real(x, 1.0);
  auto root = [&] { return lanes.sqrt(lanes.add(x, lanes.real(x, 0.0))); }; // of -0 it is 0, as pow's
  if (exponent == 0)
    return one;
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return lanes.mul(x, x);
  if (exponent == 3)
    return lanes.mul(lanes.mul(x, x), x);
  if (exponent == 0.5)
    return root();
  if (exponent == -0.5)
    return lanes.div(one, root());
  if (exponent == -1)
    return lanes.div(one, x);
  return exponent == -2 ? lanes.div(one, lanes.mul(x, x)) : Value();
}

/// Square and multiply over the bits of the exponent; what wraps, wraps. A negative exponent leaves a fraction, which
/// truncates to 0, of all bases but 1 and -1.
Value integerPower(Lanes &lanes, Value base, Value exponent, bool exponentIsUnsigned) {
  Value values[] = {base, exponent};
  lanes.match(values);
  base = values[0], exponent = values[1];
  Value zero = lanes.integer(base, 0), one = lanes.integer(base, 1), minusOne = lanes.integer(base, -1);
  auto bit = [&](int64_t position) -> Value {
    Value shifted = arith::ShRUIOp::create(lanes.builder, lanes.loc, exponent, lanes.integer(exponent, position));
    Value last = arith::AndIOp::create(lanes.builder, lanes.loc, shifted, one);
    return lanes.compare(arith::CmpIPredicate::ne, last, zero);
  };
  Value power = one, square = base;
  int64_t width = getElementTypeOrSelf(exponent).getIntOrFloatBitWidth();
  for (int64_t position = 0; position < width; ++position) {
    power = lanes.select(bit(position), lanes.mul(power, square), power);
    square = lanes.mul(square, square);
  }
  if (exponentIsUnsigned)
    return power;
  Value sign = lanes.select(bit(0), minusOne, one);
  Value fraction = lanes.select(lanes.compare(arith::CmpIPredicate::eq, base, minusOne), sign, zero);
  fraction = lanes.select(lanes.compare(arith::CmpIPredicate::eq, base, one), one, fraction);
  return lanes.select(lanes.compare(arith::CmpIPredicate::slt, exponent, zero), fraction, power);
}

} // namespace

SmallVector<Value> PowOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value x = operands[0], y = operands[1];
  if (!isFloat(x))
    return {integerPower(lanes, x, y, isUnsigned(getRhs()))};
  DenseElementsAttr constant;
  if (matchPattern(getRhs(), m_Constant(&constant)) && constant.isSplat())
    if (Value power = shortPower(lanes, x, ReferenceTensor(constant).floats.front()))
      return {power};
  if (!getElementTypeOrSelf(x).isF64())
    return {lanes.pow(x, y)};
  Value values[] = {x, y};
  lanes.match(values);
  return {math::PowFOp::create(builder, getLoc(), values[0], values[1])};
}

/// lhs where it wins against rhs or is NaN, else rhs, which may be NaN.
static Value extremum(Operation *op, OpBuilder &builder, ValueRange operands, Predicate wins,
                      arith::CmpIPredicate integerWins, arith::CmpIPredicate unsignedWins) {
  Lanes lanes(builder, op->getLoc());
  Value lhs = operands[0], rhs = operands[1];
  if (!isFloat(lhs)) {
    arith::CmpIPredicate predicate = isUnsigned(op->getOperand(0)) ? unsignedWins : integerWins;
    return lanes.select(lanes.compare(predicate, lhs, rhs), lhs, rhs);
  }
  Value chosen = lanes.either(lanes.compare(wins, lhs, rhs), lanes.compare(Predicate::UNO, lhs, lhs));
  return lanes.select(chosen, lhs, rhs);
}

SmallVector<Value> MinOp::emit(OpBuilder &builder, ValueRange operands) {
  return {extremum(*this, builder, operands, Predicate::OLT, arith::CmpIPredicate::slt, arith::CmpIPredicate::ult)};
}

SmallVector<Value> MaxOp::emit(OpBuilder &builder, ValueRange operands) {
  return {extremum(*this, builder, operands, Predicate::OGT, arith::CmpIPredicate::sgt, arith::CmpIPredicate::ugt)};
}

SmallVector<Value> LogicalAndOp::emit(OpBuilder &builder, ValueRange operands) {
  return {Lanes(builder, getLoc()).both(operands[0], operands[1])};
}

SmallVector<Value> LogicalOrOp::emit(OpBuilder &builder, ValueRange operands) {
  return {Lanes(builder, getLoc()).either(operands[0], operands[1])};
}

SmallVector<Value> LogicalNotOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  return {lanes.compare(arith::CmpIPredicate::eq, operands[0], lanes.integer(operands[0], 0))};
}

SmallVector<Value> IsNanOp::emit(OpBuilder &builder, ValueRange operands) {
  return {Lanes(builder, getLoc()).compare(Predicate::UNO, operands[0], operands[0])};
}

namespace {

const double sqrtHalf = 0.70710678118654752, sqrtTwoOverPi = 0.79788456080286536, cubic = 0.044715;

/// The standard normal distribution at x.
Value normalDistribution(Lanes &lanes, Value x) {
  Value half = lanes.real(x, 0.5);
  return lanes.fma(erf(lanes, lanes.mul(x, lanes.real(x, sqrtHalf))), half, half);
}

/// (1 + tanh(u)) / 2 with u = sqrt(2/pi) (x + 0.044715 x^3), which stands for the distribution, and 1 minus that: as a
/// sigmoid of 2 u, since 1 + tanh has few good digits where x is negative.
std::pair<Value, Value> approximateDistribution(Lanes &lanes, Value x) {
  Value slope = lanes.fma(lanes.mul(x, x), lanes.real(x, 2 * sqrtTwoOverPi * cubic), lanes.real(x, 2 * sqrtTwoOverPi));
  return sigmoid(lanes, lanes.mul(x, slope));
}

Value exactSlope(Lanes &lanes, Value x) {
  const double inverseSqrtTwoPi = 0.39894228040143268;
  Value bell = exp(lanes, lanes.mul(lanes.mul(x, x), lanes.real(x, -0.5)));
  return lanes.fma(x, lanes.mul(bell, lanes.real(x, inverseSqrtTwoPi)), normalDistribution(lanes, x));
}

// Beyond 12 the slope is 0 or 1 to the last bit, and an infinite square must not meet the 0.
Value approximateSlope(Lanes &lanes, Value x) {
  Value high = lanes.real(x, 12.0), low = lanes.real(x, -12.0);
  x = lanes.select(lanes.compare(Predicate::OGT, x, high), high, x);
  x = lanes.select(lanes.compare(Predicate::OLT, x, low), low, x);
  auto [below, above] = approximateDistribution(lanes, x);
  Value inner = lanes.fma(lanes.mul(x, x), lanes.real(x, 6 * cubic * sqrtTwoOverPi), lanes.real(x, 2 * sqrtTwoOverPi));
  return lanes.fma(lanes.mul(x, above), lanes.mul(below, inner), below);
}

} // namespace

SmallVector<Value> GeluOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value x = operands[0];
  return {lanes.mul(x, getApproximate() ? approximateDistribution(lanes, x).first : normalDistribution(lanes, x))};
}

SmallVector<Value> GeluGradOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value slope = getApproximate() ? approximateSlope(lanes, operands[1]) : exactSlope(lanes, operands[1]);
  return {lanes.mul(operands[0], slope)};
}
