// Arithmetic and control flow of kernels: thin shapes over arith, vector and scf.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace amp::compiler;

Type KernelEmitter::computeType(Type element) {
  if (isa<FloatType>(element) && !element.isF64())
    return Float32Type::get(element.getContext());
  // arith knows no signs: the ops do.
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

RankedTensorType KernelEmitter::typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Type KernelEmitter::withLanes(Type scalar, int64_t lanes) {
  return lanes == 1 ? scalar : Type(VectorType::get({lanes}, scalar));
}

Value KernelEmitter::constant(int64_t value) {
  Value &known = constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    known = arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  return known;
}

Value KernelEmitter::number(Type element, double value, int64_t lanes) {
  TypedAttr scalar = isa<FloatType>(element) ? TypedAttr(b.getFloatAttr(element, value))
                                             : TypedAttr(b.getIntegerAttr(element, int64_t(value)));
  if (lanes == 1)
    return arith::ConstantOp::create(b, scalar);
  return arith::ConstantOp::create(b, DenseElementsAttr::get(VectorType::get({lanes}, element), Attribute(scalar)));
}

Value KernelEmitter::spread(Value value, int64_t lanes) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(b, VectorType::get({lanes}, value.getType()), value);
}

Value KernelEmitter::indexVector(Value first, int64_t lanes) {
  if (lanes == 1)
    return first;
  SmallVector<int64_t> steps = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
  Value offsets = arith::ConstantOp::create(
      b, DenseElementsAttr::get(VectorType::get({lanes}, b.getI64Type()), ArrayRef<int64_t>(steps)));
  return arith::AddIOp::create(b, spread(first, lanes), offsets);
}

Value KernelEmitter::add(Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(lhs, rhs);
}
Value KernelEmitter::sub(Value lhs, Value rhs) {
  return arith::SubIOp::create(b, lhs, rhs);
}
Value KernelEmitter::mul(Value lhs, int64_t rhs) {
  return rhs == 1 ? lhs : Value(arith::MulIOp::create(b, lhs, constant(rhs)));
}
Value KernelEmitter::divide(Value lhs, int64_t rhs) {
  return rhs == 1 ? lhs : Value(arith::DivUIOp::create(b, lhs, constant(rhs)));
}
Value KernelEmitter::rest(Value lhs, int64_t rhs) {
  return rhs == 1 ? constant(0) : Value(arith::RemUIOp::create(b, lhs, constant(rhs)));
}
Value KernelEmitter::smaller(Value lhs, Value rhs) {
  return arith::MinSIOp::create(b, lhs, rhs);
}
Value KernelEmitter::larger(Value lhs, Value rhs) {
  return arith::MaxSIOp::create(b, lhs, rhs);
}

Value KernelEmitter::addf(Value lhs, Value rhs) {
  return arith::AddFOp::create(b, lhs, rhs);
}
Value KernelEmitter::mulf(Value lhs, Value rhs) {
  return arith::MulFOp::create(b, lhs, rhs);
}

Value KernelEmitter::multiplyAdd(Value lhs, Value rhs, Value sum) {
  if (target.fma)
    return math::FmaOp::create(b, lhs, rhs, sum);
  return addf(mulf(lhs, rhs), sum);
}

Value KernelEmitter::maximum(Value lhs, Value rhs) {
  // Keeps lhs unless rhs is greater or NaN: a NaN on the left stays, since nothing is greater.
  Value greater = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, rhs, lhs);
  Value unordered = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, rhs, rhs);
  return arith::SelectOp::create(b, arith::OrIOp::create(b, greater, unordered), rhs, lhs);
}

/// Halves a vector until one lane is left; what does not halve is folded lane by lane.
static Value foldLanes(KernelEmitter &k, Value vector, llvm::function_ref<Value(Value, Value)> fold) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return vector;
  int64_t lanes = type.getDimSize(0);
  while (lanes > 1 && lanes % 2 == 0) {
    lanes /= 2;
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, lanes)),
         high = llvm::to_vector(llvm::seq<int64_t>(lanes, 2 * lanes));
    Value lowHalf = vector::ShuffleOp::create(k.b, vector, vector, low);
    Value highHalf = vector::ShuffleOp::create(k.b, vector, vector, high);
    vector = fold(lowHalf, highHalf);
  }
  Value result = vector::ExtractOp::create(k.b, vector, 0);
  for (int64_t lane = 1; lane < lanes; ++lane)
    result = fold(result, vector::ExtractOp::create(k.b, vector, lane));
  return result;
}

Value KernelEmitter::sumLanes(Value vector) {
  return foldLanes(*this, vector, [&](Value lhs, Value rhs) { return addf(lhs, rhs); });
}
Value KernelEmitter::maximumLanes(Value vector) {
  return foldLanes(*this, vector, [&](Value lhs, Value rhs) { return maximum(lhs, rhs); });
}
Value KernelEmitter::allLanes(Value condition) {
  return foldLanes(*this, condition, [&](Value lhs, Value rhs) { return arith::AndIOp::create(b, lhs, rhs); });
}

void KernelEmitter::loop(Value first, Value last, int64_t step, Body body) {
  auto loop = scf::ForOp::create(b, first, last, constant(step));
  OpBuilder::InsertionGuard guard(b);
  ComputedScope scope(*this);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value> KernelEmitter::accumulate(Value first, Value last, int64_t step, ValueRange start, SumBody body) {
  auto loop = scf::ForOp::create(b, first, last, constant(step), start);
  OpBuilder::InsertionGuard guard(b);
  ComputedScope scope(*this);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> sums = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(b, sums);
  return SmallVector<Value>(loop.getResults());
}

void KernelEmitter::when(Value condition, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  ComputedScope scope(*this);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
}

SmallVector<Value> KernelEmitter::choose(Value condition, ValueRange otherwise,
                                         llvm::function_ref<SmallVector<Value>()> body) {
  auto branch = scf::IfOp::create(b, otherwise.getTypes(), condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  ComputedScope scope(*this);
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> values = body();
  scf::YieldOp::create(b, values);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, otherwise);
  return SmallVector<Value>(branch.getResults());
}

void KernelEmitter::vectors(int64_t length, int64_t lanes, llvm::function_ref<void(Value, int64_t)> body) {
  int64_t whole = length / lanes * lanes;
  // Less than two registers make one vector of that very width: half the code, and the tail is no loop of its own.
  if (length < 2 * lanes)
    whole = 0;
  if (whole > 0)
    loop(constant(0), constant(whole), lanes, [&](Value position) { body(position, lanes); });
  if (length > whole) {
    ComputedScope scope(*this);
    body(constant(whole), length - whole);
  }
}

void KernelEmitter::vectorsBetween(Value first, Value last, int64_t length, int64_t lanes,
                                   llvm::function_ref<void(Value, int64_t)> body) {
  Value whole = add(first, mul(divide(sub(last, first), lanes), lanes));
  if (length >= lanes)
    loop(first, whole, lanes, [&](Value position) { body(position, lanes); });
  if (length % lanes != 0)
    loop(whole, last, length % lanes, [&](Value position) { body(position, length % lanes); });
}

SmallVector<Value> KernelEmitter::sumsAlong(int64_t length, int64_t lanes, unsigned count, Terms terms) {
  int64_t whole = length / lanes * lanes;
  SmallVector<Value> totals;
  if (whole > 0) {
    SmallVector<Value> start(count, number(f32(), 0, lanes));
    auto sums = accumulate(constant(0), constant(whole), lanes, start, [&](Value position, ValueRange old) {
      SmallVector<Value> added = terms(position, lanes);
      for (auto [sum, before] : llvm::zip_equal(added, old))
        sum = addf(before, spread(sum, lanes));
      return added;
    });
    for (Value sum : sums)
      totals.push_back(sumLanes(sum));
  }
  if (length == whole)
    return totals;
  ComputedScope scope(*this);
  SmallVector<Value> rest = terms(constant(whole), length - whole);
  for (auto [number, sum] : llvm::enumerate(rest)) {
    sum = sumLanes(spread(sum, length - whole));
    if (whole > 0)
      sum = addf(totals[number], sum);
  }
  return rest;
}

Value KernelEmitter::wrapped(Value index, Type element, int64_t length) {
  if (computeType(element) != i64())
    index = element.isUnsignedInteger() ? Value(arith::ExtUIOp::create(b, i64(), index))
                                        : Value(arith::ExtSIOp::create(b, i64(), index));
  Value negative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, index, constant(0));
  index = arith::SelectOp::create(b, negative, add(index, length), index);
  return smaller(larger(index, constant(0)), constant(length - 1));
}
