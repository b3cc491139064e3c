// Functions of a value that is a scalar or a vector. MLIR's own expansions are not enough here: its exp flushes
// subnormal results to zero (5.3 ulp elsewhere), its log is wrong by millions of ulp for subnormal arguments, and its
// powf is exp(y log x), whose error grows with the exponent.
#include "dialects/graph/interfaces/Lanes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp::graph;
using Predicate = arith::CmpFPredicate;

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
  x = select(compare(Predicate::OGT, x, real(x, 89.0)), real(x, 89.0), x);
  x = select(compare(Predicate::OLT, x, real(x, -105.0)), real(x, -105.0), x);
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
  Value subnormal = compare(Predicate::OLT, x, real(x, 0x1p-126));
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
  result = select(compare(Predicate::OLT, x, real(x, infinity)), result, x); // +inf and NaN are their own
  result = select(compare(Predicate::OEQ, x, real(x, 0.0)), real(x, -infinity), result);
  return select(compare(Predicate::OLT, x, real(x, 0.0)), real(x, nan), result);
}

// Below 0.93 an odd polynomial, above 1 - exp(polynomial): N. Juffa's fit, 1 ulp.
Value Lanes::erf(Value x) {
  auto polynomial = [&](Value at, std::initializer_list<double> coefficients) {
    Value sum = real(x, *coefficients.begin());
    for (double coefficient : llvm::drop_begin(coefficients))
      sum = fma(sum, at, real(x, coefficient));
    return sum;
  };
  Value t = absolute(x), square = mul(x, x);
  Value inner =
      polynomial(square, {-5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1, -3.76125336e-1, 1.28379166e-1});
  inner = fma(inner, x, x);

  Value high = polynomial(t, {-1.72853470e-5, 3.83197126e-4}), low = polynomial(t, {-3.88396438e-3, 2.42546219e-2});
  Value exponent = fma(high, square, low);
  for (double coefficient : {-1.06777877e-1, -6.34846687e-1, -1.28717512e-1})
    exponent = fma(exponent, t, real(x, coefficient));
  exponent = fma(exponent, t, sub(real(x, 0.0), t));
  Value outer = sub(real(x, 1.0), exp(exponent));
  outer = math::CopySignOp::create(builder, loc, outer, x);
  return select(compare(Predicate::OGT, t, real(x, 0.927734375)), outer, inner);
}

// log2 of a positive f64 that was an f32, so that no subnormal is met: 2^k m with m near 1, and the series of
// log((1 + s) / (1 - s)) to 5e-11.
Value Lanes::logBase2(Value x) {
  Value word = bits(x, builder.getI64Type());
  const int64_t sqrtHalf = 0x3fe6a09e00000000, one = 0x3ff0000000000000;
  word = add(word, integer(word, one - sqrtHalf));
  Value k = sub(arith::ShRSIOp::create(builder, loc, word, integer(word, 52)), integer(word, 1023));
  // An exponent fits i32, from which every target converts vectors.
  k = arith::TruncIOp::create(builder, loc, withElement(x.getType(), builder.getI32Type()), k);
  k = arith::SIToFPOp::create(builder, loc, x.getType(), k);
  Value mantissa = arith::AndIOp::create(builder, loc, word, integer(word, 0x000fffffffffffff));
  Value m = bits(add(mantissa, integer(word, sqrtHalf)), builder.getF64Type());
  Value s = div(sub(m, real(m, 1.0)), add(m, real(m, 1.0)));
  Value square = mul(s, s), series = real(m, 1.0 / 13);
  for (int odd : {11, 9, 7, 5, 3, 1})
    series = fma(series, square, real(m, 1.0 / odd));
  const double twiceLog2e = 2.8853900817779268;
  return fma(mul(s, series), real(m, twiceLog2e), k);
}

// 2^t = 2^n 2^f with |f| <= 1/2, the exponential series to 1e-11; |t| is at most 200.
Value Lanes::powerOfTwo(Value t) {
  // Adding 1.5 * 2^52 leaves the nearest integer in the low bits.
  Value magic = real(t, 6755399441055744.0);
  Value shifted = add(t, magic), n = sub(shifted, magic);
  Value exponent = sub(bits(shifted, builder.getI64Type()), bits(magic, builder.getI64Type()));
  const double ln2 = 0.69314718055994531;
  Value x = mul(sub(t, n), real(t, ln2));
  Value series = real(t, 1.0 / 362880);
  for (double factorial : {40320.0, 5040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0})
    series = fma(series, x, real(t, 1.0 / factorial));
  Value scale = arith::ShLIOp::create(builder, loc, add(exponent, integer(exponent, 1023)), integer(exponent, 52));
  return mul(series, bits(scale, builder.getF64Type()));
}

/// |y| has no fraction; from 2^23 on no f32 has one.
static Value isWhole(Lanes &lanes, Value y) {
  Value magnitude = lanes.absolute(y), limit = lanes.real(y, 0x1p23);
  Value rounded = lanes.sub(lanes.add(magnitude, limit), limit);
  return lanes.either(lanes.compare(Predicate::OGE, magnitude, limit),
                      lanes.compare(Predicate::OEQ, rounded, magnitude));
}

// In f64, where 2^(y log2 |x|) keeps 24 good bits for every exponent and rounds once into f32, its subnormals and
// infinities. The special cases are those of C's pow.
Value Lanes::pow(Value x, Value y) {
  Value values[] = {x, y};
  match(values);
  x = values[0], y = values[1];
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Value magnitude = absolute(x), zero = real(x, 0.0), one = real(x, 1.0), endless = real(x, infinity);
  Value wide = widen(magnitude), wideInfinity = real(wide, infinity);
  Value logarithm = logBase2(wide);
  logarithm = select(compare(Predicate::OEQ, magnitude, zero), real(wide, -infinity), logarithm);
  logarithm = select(compare(Predicate::OLT, wide, wideInfinity), logarithm, wide); // infinity and NaN are their own
  Value t = mul(logarithm, widen(y));
  t = select(compare(Predicate::OEQ, magnitude, one), real(t, 0.0), t); // 0 times an infinite y
  t = select(compare(Predicate::OGT, t, real(t, 200.0)), real(t, 200.0), t);
  t = select(compare(Predicate::OLT, t, real(t, -200.0)), real(t, -200.0), t);
  Value result = narrow(powerOfTwo(t));

  Value whole = isWhole(*this, y), half = mul(y, real(y, 0.5));
  Value isTrue = compare(Predicate::OEQ, zero, zero);
  Value odd = both(whole, arith::XOrIOp::create(builder, loc, isWhole(*this, half), isTrue));
  result = select(odd, math::CopySignOp::create(builder, loc, result, x), result);
  Value root = both(arith::XOrIOp::create(builder, loc, whole, isTrue),
                    both(compare(Predicate::OLT, x, zero), compare(Predicate::OLT, magnitude, endless)));
  result = select(either(root, compare(Predicate::UNO, x, y)), real(x, nan), result);
  return select(either(compare(Predicate::OEQ, x, one), compare(Predicate::OEQ, y, zero)), one, result);
}
