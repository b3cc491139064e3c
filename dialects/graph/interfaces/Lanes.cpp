// Arithmetic on a value that is a scalar or a vector. MLIR's own expansions are not enough here: its exp flushes
// subnormal results to zero (5.3 ulp elsewhere) and its log is wrong by millions of ulp for subnormal arguments.
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
  if (isUnsigned)
    return arith::DivUIOp::create(builder, loc, values[0], values[1]);
  return arith::DivSIOp::create(builder, loc, values[0], values[1]);
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

// a * 2^exponent in two exact factors, so that the product alone rounds into the subnormals or overflows.
Value Lanes::scaleByPowerOfTwo(Value a, Value exponent) {
  Value half = arith::ShRSIOp::create(builder, loc, exponent, integer(exponent, 1));
  Value rest = sub(exponent, half);
  for (Value part : {half, rest}) {
    Value biased = arith::ShLIOp::create(builder, loc, add(part, integer(part, 127)), integer(part, 23));
    a = mul(a, bits(biased, builder.getF32Type()));
  }
  return a;
}

// x = n ln 2 + r with |r| <= ln 2 / 2; the polynomial is that of Cephes' expf, 1.1 ulp measured over all floats.
Value Lanes::exp(Value x) {
  // Beyond these the result is 0 or infinity; a comparison with NaN is false, so NaN passes.
  x = select(compare(arith::CmpFPredicate::OGT, x, real(x, 89.0)), real(x, 89.0), x);
  x = select(compare(arith::CmpFPredicate::OLT, x, real(x, -105.0)), real(x, -105.0), x);
  // Adding 1.5 * 2^23 leaves the nearest integer in the low bits, also for NaN, where fptosi would be undefined.
  Value magic = real(x, 12582912.0);
  Value shifted = fma(x, real(x, 1.44269504088896341), magic);
  Value exponent = sub(bits(shifted, builder.getI32Type()), bits(magic, builder.getI32Type()));
  Value n = sub(shifted, magic);
  Value r = fma(n, real(x, -0.693147182464599609375), x);
  r = fma(n, real(x, 1.904654323148236e-9), r);
  Value p = real(x, 1.9875691500e-4);
  for (double coefficient : {1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1})
    p = fma(p, r, real(x, coefficient));
  p = add(fma(mul(r, r), p, r), real(x, 1.0));
  return scaleByPowerOfTwo(p, exponent);
}

// x = 2^k m with m near 1 and s = (m - 1) / (m + 1): FreeBSD's logf (e_logf.c).
Value Lanes::log(Value x) {
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  Value subnormal = compare(arith::CmpFPredicate::OLT, x, real(x, 0x1p-126));
  Value normal = select(subnormal, mul(x, real(x, 0x1p23)), x);
  Value shift = select(subnormal, real(x, -23.0), real(x, 0.0));
  Value word = bits(normal, i32);
  const int64_t sqrtHalf = 0x3f3504f3, one = 0x3f800000;
  word = add(word, integer(word, one - sqrtHalf));
  Value k = sub(arith::ShRSIOp::create(builder, loc, word, integer(word, 23)), integer(word, 127));
  Value kReal = add(arith::SIToFPOp::create(builder, loc, withElement(x.getType(), f32), k), shift);
  Value mantissa = arith::AndIOp::create(builder, loc, word, integer(word, 0x007fffff));
  Value f = sub(bits(add(mantissa, integer(word, sqrtHalf)), f32), real(x, 1.0));

  Value s = div(f, add(f, real(x, 2.0)));
  Value z = mul(s, s), w = mul(z, z);
  Value even = mul(w, fma(w, real(x, 0xf89e26.0p-26), real(x, 0xccce13.0p-25)));
  Value odd = mul(z, fma(w, real(x, 0x91e9ee.0p-25), real(x, 0xaaaaaa.0p-24)));
  Value halfSquare = mul(mul(f, f), real(x, 0.5));
  Value low = fma(kReal, real(x, 9.0580006145e-06), mul(s, add(halfSquare, add(even, odd))));
  Value result = fma(kReal, real(x, 6.9313812256e-01), add(sub(low, halfSquare), f));

  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  result = select(compare(arith::CmpFPredicate::OLT, x, real(x, infinity)), result, x); // +inf and NaN are their own
  result = select(compare(arith::CmpFPredicate::OEQ, x, real(x, 0.0)), real(x, -infinity), result);
  return select(compare(arith::CmpFPredicate::OLT, x, real(x, 0.0)), real(x, nan), result);
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
