// Emit rules of the elementwise family, and of a splat constant: what a fused kernel computes for one element.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/Lanes.h"

#include "mlir/Dialect/Math/IR/Math.h"

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

} // namespace

// The comparison is false for NaN, so the select gives x itself.
SmallVector<Value> ReluOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value x = operands[0];
  if (isFloat(x)) {
    Value zero = lanes.real(x, 0.0);
    return {lanes.select(lanes.compare(Predicate::OLT, x, zero), zero, x)};
  }
  if (isUnsigned(getX()))
    return {x};
  Value zero = lanes.integer(x, 0);
  return {lanes.select(lanes.compare(arith::CmpIPredicate::slt, x, zero), zero, x)};
}

SmallVector<Value> TanhOp::emit(OpBuilder &builder, ValueRange operands) {
  return {math::TanhOp::create(builder, getLoc(), operands[0])};
}

SmallVector<Value> NegOp::emit(OpBuilder &builder, ValueRange operands) {
  if (isFloat(operands[0]))
    return {arith::NegFOp::create(builder, getLoc(), operands[0])};
  Lanes lanes(builder, getLoc());
  return {lanes.sub(lanes.integer(operands[0], 0), operands[0])};
}

SmallVector<Value> ExpOp::emit(OpBuilder &builder, ValueRange operands) {
  if (getElementTypeOrSelf(operands[0]).isF64())
    return {math::ExpOp::create(builder, getLoc(), operands[0])};
  return {Lanes(builder, getLoc()).exp(operands[0])};
}

SmallVector<Value> LogOp::emit(OpBuilder &builder, ValueRange operands) {
  if (getElementTypeOrSelf(operands[0]).isF64())
    return {math::LogOp::create(builder, getLoc(), operands[0])};
  return {Lanes(builder, getLoc()).log(operands[0])};
}

SmallVector<Value> SqrtOp::emit(OpBuilder &builder, ValueRange operands) {
  return {Lanes(builder, getLoc()).sqrt(operands[0])};
}

SmallVector<Value> AddOp::emit(OpBuilder &builder, ValueRange operands) {
  return {Lanes(builder, getLoc()).add(operands[0], operands[1])};
}

SmallVector<Value> SubOp::emit(OpBuilder &builder, ValueRange operands) {
  return {Lanes(builder, getLoc()).sub(operands[0], operands[1])};
}

SmallVector<Value> MulOp::emit(OpBuilder &builder, ValueRange operands) {
  return {Lanes(builder, getLoc()).mul(operands[0], operands[1])};
}

SmallVector<Value> DivOp::emit(OpBuilder &builder, ValueRange operands) {
  return {Lanes(builder, getLoc()).div(operands[0], operands[1], isUnsigned(getLhs()))};
}

// Not dy * (y > 0): an infinite dy behind a closed gate must give 0.
SmallVector<Value> ReluGradOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value open = lanes.compare(Predicate::OGT, operands[1], lanes.real(operands[1], 0.0));
  return {lanes.select(open, operands[0], lanes.real(operands[0], 0.0))};
}

SmallVector<Value> TanhGradOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value dy = operands[0], y = operands[1];
  return {lanes.mul(dy, lanes.sub(lanes.real(y, 1.0), lanes.mul(y, y)))};
}

SmallVector<Value> SigmoidGradOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value dy = operands[0], y = operands[1];
  return {lanes.mul(lanes.mul(dy, y), lanes.sub(lanes.real(y, 1.0), y))};
}

// x may be f64 while the bias is read in any type: the bias joins x's compute type.
SmallVector<Value> BiasAddOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Value bias = operands[1];
  bias = getElementTypeOrSelf(operands[0]).isF64() ? lanes.widen(bias) : lanes.narrow(bias);
  return {lanes.add(operands[0], bias)};
}

SmallVector<Value> CompareOp::emit(OpBuilder &builder, ValueRange operands) {
  using Integer = arith::CmpIPredicate;
  Lanes lanes(builder, getLoc());
  auto kind = static_cast<unsigned>(getKind());
  if (isFloat(operands[0])) {
    const Predicate predicates[] = {Predicate::OEQ, Predicate::OLT, Predicate::OLE, Predicate::OGT, Predicate::OGE};
    return {lanes.compare(predicates[kind], operands[0], operands[1])};
  }
  const Integer predicates[] = {Integer::eq, Integer::slt, Integer::sle, Integer::sgt, Integer::sge};
  const Integer unsignedPredicates[] = {Integer::eq, Integer::ult, Integer::ule, Integer::ugt, Integer::uge};
  Integer predicate = isUnsigned(getLhs()) ? unsignedPredicates[kind] : predicates[kind];
  return {lanes.compare(predicate, operands[0], operands[1])};
}

SmallVector<Value> SelectOp::emit(OpBuilder &builder, ValueRange operands) {
  return {Lanes(builder, getLoc()).select(operands[0], operands[1], operands[2])};
}

// A scalar: the kernel that holds it broadcasts where it meets a vector.
SmallVector<Value> ConstantOp::emit(OpBuilder &builder, ValueRange) {
  auto splat = cast<SplatElementsAttr>(getValue());
  Type element = getElementTypeOrSelf(getY()), compute = computeType(element);
  TypedAttr value;
  if (isa<FloatType>(element)) {
    // Every 16-bit float is an f32.
    bool lost = false;
    APFloat number = splat.getSplatValue<APFloat>();
    number.convert(cast<FloatType>(compute).getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
    value = FloatAttr::get(compute, number);
  } else {
    value = IntegerAttr::get(compute, splat.getSplatValue<APInt>());
  }
  return {arith::ConstantOp::create(builder, getLoc(), value)};
}

namespace {

Value castFloat(Lanes &lanes, Value x, Type from, Type to) {
  if (auto narrow = dyn_cast<FloatType>(to); narrow && narrow.getWidth() == 16)
    return from == to ? x : lanes.roundTo(x, narrow);
  return to.isF64() ? lanes.widen(x) : lanes.narrow(x);
}

Value castFloatToInteger(Lanes &lanes, Value x, Type to) {
  if (to.isInteger(1))
    return lanes.compare(Predicate::UNE, x, lanes.real(x, 0.0)); // NaN is true
  Type type = withElement(x.getType(), computeType(to));
  if (to.isUnsignedInteger())
    return arith::FPToUIOp::create(lanes.builder, lanes.loc, type, x);
  return arith::FPToSIOp::create(lanes.builder, lanes.loc, type, x);
}

Value castIntegerToFloat(Lanes &lanes, Value x, bool fromUnsigned, FloatType to) {
  // Through f64 to 16 bits: f32 would round large integers twice.
  bool narrow = to.getWidth() == 16 && getElementTypeOrSelf(x).getIntOrFloatBitWidth() > 16;
  Type compute = narrow ? lanes.builder.getF64Type() : computeType(to);
  Type type = withElement(x.getType(), compute);
  Value real = fromUnsigned ? Value(arith::UIToFPOp::create(lanes.builder, lanes.loc, type, x))
                            : Value(arith::SIToFPOp::create(lanes.builder, lanes.loc, type, x));
  return to.getWidth() == 16 ? lanes.roundTo(real, to) : real;
}

Value castInteger(Lanes &lanes, Value x, bool fromUnsigned, Type to) {
  if (to.isInteger(1))
    return lanes.compare(arith::CmpIPredicate::ne, x, lanes.integer(x, 0));
  unsigned fromWidth = getElementTypeOrSelf(x).getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
  Type type = withElement(x.getType(), computeType(to));
  if (fromWidth == toWidth)
    return x;
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(lanes.builder, lanes.loc, type, x);
  if (fromUnsigned)
    return arith::ExtUIOp::create(lanes.builder, lanes.loc, type, x);
  return arith::ExtSIOp::create(lanes.builder, lanes.loc, type, x);
}

} // namespace

SmallVector<Value> CastOp::emit(OpBuilder &builder, ValueRange operands) {
  Lanes lanes(builder, getLoc());
  Type from = getElementTypeOrSelf(getX()), to = getElementTypeOrSelf(getY());
  Value x = operands[0];
  if (isa<FloatType>(from))
    return {isa<FloatType>(to) ? castFloat(lanes, x, from, to) : castFloatToInteger(lanes, x, to)};
  if (auto toFloat = dyn_cast<FloatType>(to))
    return {castIntegerToFloat(lanes, x, isUnsigned(getX()), toFloat)};
  return {castInteger(lanes, x, isUnsigned(getX()), to)};
}
