// Arithmetic on a value that is a scalar or a vector: what one instruction does, and rounding.
#include "dialects/graph/interfaces/Lanes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp::graph;

Type amp::graph::computeType(Type element) {
  if (element.isBF16() || element.isF16())
    return Float32Type::get(element.getContext());
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

Type amp::graph::withElement(Type shape, Type element) {
  if (auto vector = dyn_cast<VectorType>(shape))
    return vector.clone(element);
  return element;
}

void Lanes::match(MutableArrayRef<Value> values) {
  VectorType shape;
  for (Value value : values)
    if (!shape)
      shape = dyn_cast<VectorType>(value.getType());
  if (!shape)
    return;
  for (Value &value : values)
    if (!isa<VectorType>(value.getType()))
      value = vector::BroadcastOp::create(builder, loc, shape.clone(value.getType()), value);
}

Value Lanes::constant(Value like, TypedAttr scalar) {
  if (auto shape = dyn_cast<VectorType>(like.getType()))
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(shape.clone(scalar.getType()), Attribute(scalar)));
  return arith::ConstantOp::create(builder, loc, scalar);
}

Value Lanes::real(Value like, double value) {
  return constant(like, builder.getFloatAttr(getElementTypeOrSelf(like), value));
}

Value Lanes::integer(Value like, int64_t value) {
  return constant(like, builder.getIntegerAttr(getElementTypeOrSelf(like), value));
}

Value Lanes::add(Value a, Value b) {
  Value values[] = {a, b};
  match(values);
  if (isa<FloatType>(getElementTypeOrSelf(a)))
    return arith::AddFOp::create(builder, loc, values[0], values[1]);
  return arith::AddIOp::create(builder, loc, values[0], values[1]);
}

Value Lanes::sub(Value a, Value b) {
  Value values[] = {a, b};
  match(values);
  if (isa<FloatType>(getElementTypeOrSelf(a)))
    return arith::SubFOp::create(builder, loc, values[0], values[1]);
  return arith::SubIOp::create(builder, loc, values[0], values[1]);
}

Value Lanes::mul(Value a, Value b) {
  Value values[] = {a, b};
  match(values);
  if (isa<FloatType>(getElementTypeOrSelf(a)))
    return arith::MulFOp::create(builder, loc, values[0], values[1]);
  return arith::MulIOp::create(builder, loc, values[0], values[1]);
}

Value Lanes::div(Value a, Value b, bool isUnsigned) {
  Value values[] = {a, b};
  match(values);
  if (isa<FloatType>(getElementTypeOrSelf(a)))
    return arith::DivFOp::create(builder, loc, values[0], values[1]);
  // Processors stop the program at a division by 0, and at that of the least number by -1: n / 0 is 0 here, and the
  // other one wraps.
  Value zero = integer(values[1], 0), one = integer(values[1], 1);
  Value byZero = compare(arith::CmpIPredicate::eq, values[1], zero);
  if (isUnsigned) {
    Value quotient = arith::DivUIOp::create(builder, loc, values[0], select(byZero, one, values[1]));
    return select(byZero, zero, quotient);
  }
  Value byMinusOne = compare(arith::CmpIPredicate::eq, values[1], integer(values[1], -1));
  Value divisor = select(either(byZero, byMinusOne), one, values[1]);
  Value quotient = arith::DivSIOp::create(builder, loc, values[0], divisor);
  return select(byZero, zero, select(byMinusOne, sub(zero, values[0]), quotient));
}

Value Lanes::fma(Value a, Value b, Value c) {
  Value values[] = {a, b, c};
  match(values);
  return math::FmaOp::create(builder, loc, values[0], values[1], values[2]);
}

Value Lanes::compare(arith::CmpFPredicate predicate, Value a, Value b) {
  Value values[] = {a, b};
  match(values);
  return arith::CmpFOp::create(builder, loc, predicate, values[0], values[1]);
}

Value Lanes::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  Value values[] = {a, b};
  match(values);
  return arith::CmpIOp::create(builder, loc, predicate, values[0], values[1]);
}

Value Lanes::select(Value condition, Value a, Value b) {
  Value values[] = {condition, a, b};
  match(values);
  return arith::SelectOp::create(builder, loc, values[0], values[1], values[2]);
}

Value Lanes::both(Value a, Value b) {
  Value values[] = {a, b};
  match(values);
  return arith::AndIOp::create(builder, loc, values[0], values[1]);
}

Value Lanes::either(Value a, Value b) {
  Value values[] = {a, b};
  match(values);
  return arith::OrIOp::create(builder, loc, values[0], values[1]);
}

Value Lanes::absolute(Value a) {
  return math::AbsFOp::create(builder, loc, a);
}

Value Lanes::sqrt(Value a) {
  return math::SqrtOp::create(builder, loc, a);
}

Value Lanes::bits(Value a, Type element) {
  return arith::BitcastOp::create(builder, loc, withElement(a.getType(), element), a);
}

Value Lanes::narrow(Value a) {
  if (getElementTypeOrSelf(a).isF32())
    return a;
  return arith::TruncFOp::create(builder, loc, withElement(a.getType(), builder.getF32Type()), a);
}

Value Lanes::widen(Value a) {
  if (getElementTypeOrSelf(a).isF64())
    return a;
  return arith::ExtFOp::create(builder, loc, withElement(a.getType(), builder.getF64Type()), a);
}

// f64 to f32 so that a second rounding, to 16 bits, is right: an inexact result gets an odd last bit.
Value Lanes::roundToOdd(Value a) {
  Value nearest = narrow(a), back = widen(nearest);
  Value word = bits(nearest, builder.getI32Type());
  Value zero = integer(word, 0), one = integer(word, 1);
  Value even = compare(arith::CmpIPredicate::eq, arith::AndIOp::create(builder, loc, word, one), zero);
  // Ordered: NaN is left alone.
  Value inexact = compare(arith::CmpFPredicate::ONE, back, a);
  Value move = arith::AndIOp::create(builder, loc, even, inexact);
  Value grew = compare(arith::CmpFPredicate::OGT, math::AbsFOp::create(builder, loc, back),
                       math::AbsFOp::create(builder, loc, a));
  Value towards = select(grew, integer(word, -1), one);
  return bits(select(move, add(word, towards), word), builder.getF32Type());
}

Value Lanes::roundToBFloat(Value a) {
  Value word = bits(a, builder.getI32Type());
  Value last = arith::AndIOp::create(builder, loc, arith::ShRUIOp::create(builder, loc, word, integer(word, 16)),
                                     integer(word, 1));
  Value rounded = add(word, add(last, integer(word, 0x7fff)));
  Value quiet = arith::OrIOp::create(builder, loc, word, integer(word, 0x00400000));
  Value isNan = compare(arith::CmpFPredicate::UNO, a, a);
  Value kept = arith::AndIOp::create(builder, loc, select(isNan, quiet, rounded), integer(word, int32_t(0xffff0000)));
  return bits(kept, builder.getF32Type());
}

Value Lanes::roundTo(Value a, FloatType element) {
  if (getElementTypeOrSelf(a).isF64())
    a = roundToOdd(a);
  if (element.isBF16())
    return roundToBFloat(a);
  Value half = arith::TruncFOp::create(builder, loc, withElement(a.getType(), element), a);
  return arith::ExtFOp::create(builder, loc, withElement(a.getType(), builder.getF32Type()), half);
}
