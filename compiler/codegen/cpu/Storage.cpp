// Loads and stores: memory holds the tensor's element type, registers the compute type. 16-bit floats keep their
// subnormals and round to nearest even; a NaN stays a NaN.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace amp::compiler;

namespace {

int64_t lanesOf(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? type.getDimSize(0) : 1;
}

/// The operations of a conversion on one scalar or vector.
struct Bits {
  KernelEmitter &k;
  int64_t lanes;
  ImplicitLocOpBuilder &b = k.b;

  Type i32() { return k.withLanes(b.getI32Type(), lanes); }
  Type i16() { return k.withLanes(b.getI16Type(), lanes); }
  Type f32() { return k.withLanes(b.getF32Type(), lanes); }
  Value number(int64_t value) { return k.number(b.getI32Type(), double(int32_t(value)), lanes); }
  Value real(double value) { return k.number(b.getF32Type(), value, lanes); }
  Value asBits(Value value) { return arith::BitcastOp::create(b, i32(), value); }
  Value asFloat(Value value) { return arith::BitcastOp::create(b, f32(), value); }
  Value wide(Value value) { return arith::ExtUIOp::create(b, i32(), value); }
  Value narrow(Value value) { return arith::TruncIOp::create(b, i16(), value); }
  Value left(Value value, int64_t by) { return arith::ShLIOp::create(b, value, number(by)); }
  Value right(Value value, int64_t by) { return arith::ShRUIOp::create(b, value, number(by)); }
  Value both(Value value, int64_t mask) { return arith::AndIOp::create(b, value, number(mask)); }
  Value either(Value lhs, Value rhs) { return arith::OrIOp::create(b, lhs, rhs); }
  Value plus(Value lhs, Value rhs) { return arith::AddIOp::create(b, lhs, rhs); }
  Value pick(Value condition, Value lhs, Value rhs) { return arith::SelectOp::create(b, condition, lhs, rhs); }
  Value above(Value lhs, int64_t rhs) { return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, lhs, number(rhs)); }
};

Value widenBf16(Bits bits, Value raw) {
  return bits.asFloat(bits.left(bits.wide(raw), 16));
}

Value narrowBf16(Bits bits, Value value) {
  Value word = bits.asBits(value);
  Value odd = bits.both(bits.right(word, 16), 1);
  Value rounded = bits.right(bits.plus(bits.plus(word, bits.number(0x7fff)), odd), 16);
  // Rounding could carry a NaN's payload into infinity: a NaN is cut off instead, and made quiet.
  Value quiet = bits.either(bits.right(word, 16), bits.number(0x40));
  Value isNan = arith::CmpFOp::create(bits.b, arith::CmpFPredicate::UNO, value, value);
  return bits.narrow(bits.pick(isNan, quiet, rounded));
}

// Without F16C: the exponent is rebased by an exact multiplication, which makes subnormals normal.
Value widenF16(Bits bits, Value raw) {
  Value word = bits.wide(raw);
  Value magnitude = bits.both(word, 0x7fff);
  Value scaled = bits.asBits(bits.k.mulf(bits.asFloat(bits.left(magnitude, 13)), bits.real(0x1p112)));
  Value special = bits.either(bits.left(magnitude, 13), bits.number(0x7f800000));
  Value value = bits.pick(bits.above(magnitude, 0x7bff), special, scaled);
  return bits.asFloat(bits.either(value, bits.left(bits.both(word, 0x8000), 16)));
}

Value narrowF16(Bits bits, Value value) {
  Value word = bits.asBits(value);
  Value magnitude = bits.both(word, 0x7fffffff);
  Value sign = bits.both(bits.right(word, 16), 0x8000);
  Value odd = bits.both(bits.right(magnitude, 13), 1);
  // 0xc8000fff rebases the exponent (-112 << 23) and adds half a unit less one, in one wrapping addition.
  Value normal = bits.right(bits.plus(bits.plus(magnitude, bits.number(int32_t(0xc8000fff))), odd), 13);
  // Adding 1/2 leaves a subnormal result in the last bits, rounded to nearest even by the addition itself.
  Value shifted = bits.k.addf(bits.asFloat(magnitude), bits.real(0.5));
  Value subnormal = bits.plus(bits.asBits(shifted), bits.number(-0x3f000000));
  Value result = bits.pick(bits.above(magnitude, 0x387fffff), normal, subnormal);
  result = bits.pick(bits.above(magnitude, 0x477fefff), bits.number(0x7c00), result);
  Value nan = bits.either(bits.right(bits.both(magnitude, 0x7fffff), 13), bits.number(0x7e00));
  result = bits.pick(bits.above(magnitude, 0x7f800000), nan, result);
  return bits.narrow(bits.either(result, sign));
}

} // namespace

Type KernelEmitter::storageType(const Memory &memory) {
  Type element = memory.computeType ? computeType(memory.element) : memory.element;
  if (element.isInteger(1))
    return b.getI8Type();
  if (element.isBF16() || (element.isF16() && !target.f16c))
    return b.getI16Type();
  return isa<IntegerType>(element) ? computeType(element) : element;
}

Value KernelEmitter::fromStorage(Value raw, Type element) {
  int64_t lanes = lanesOf(raw);
  Bits bits{*this, lanes};
  if (element.isBF16())
    return widenBf16(bits, raw);
  if (element.isF16())
    return target.f16c ? Value(arith::ExtFOp::create(b, withLanes(f32(), lanes), raw)) : widenF16(bits, raw);
  if (element.isInteger(1))
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, raw, number(b.getI8Type(), 0, lanes));
  return raw;
}

Value KernelEmitter::toStorage(Value value, Type element) {
  int64_t lanes = lanesOf(value);
  Bits bits{*this, lanes};
  if (element.isBF16())
    return narrowBf16(bits, value);
  if (element.isF16())
    return target.f16c ? Value(arith::TruncFOp::create(b, withLanes(element, lanes), value)) : narrowF16(bits, value);
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, withLanes(b.getI8Type(), lanes), value);
  return value;
}

Value KernelEmitter::rounded(Value value, Type element) {
  return fromStorage(toStorage(value, element), element);
}

static unsigned alignmentOf(Type storage) {
  return std::max(storage.getIntOrFloatBitWidth() / 8, 1u);
}

Value KernelEmitter::load(const Memory &memory, Value position, int64_t lanes, int64_t laneStride) {
  Type storage = storageType(memory);
  if (memory.origin)
    position = sub(position, memory.origin);
  auto read = [&](Value at, int64_t width) -> Value {
    Value pointer = LLVM::GEPOp::create(b, memory.pointer.getType(), storage, memory.pointer, ValueRange{at});
    return LLVM::LoadOp::create(b, withLanes(storage, width), pointer, alignmentOf(storage));
  };
  Value raw;
  if (lanes == 1 || laneStride == 1) {
    raw = read(position, lanes);
  } else if (laneStride == 0) {
    raw = spread(read(position, 1), lanes);
  } else {
    SmallVector<Value> parts;
    for (int64_t lane = 0; lane < lanes; ++lane)
      parts.push_back(read(add(position, lane * laneStride), 1));
    raw = vector::FromElementsOp::create(b, cast<VectorType>(withLanes(storage, lanes)), parts);
  }
  return memory.computeType && !memory.element.isInteger(1) ? raw : fromStorage(raw, memory.element);
}

void KernelEmitter::store(const Memory &memory, Value position, Value value, int64_t laneStride) {
  Type storage = storageType(memory);
  if (memory.origin)
    position = sub(position, memory.origin);
  Value raw = memory.computeType && !memory.element.isInteger(1) ? value : toStorage(value, memory.element);
  auto write = [&](Value at, Value part) {
    Value pointer = LLVM::GEPOp::create(b, memory.pointer.getType(), storage, memory.pointer, ValueRange{at});
    LLVM::StoreOp::create(b, part, pointer, alignmentOf(storage));
  };
  int64_t lanes = lanesOf(raw);
  if (lanes == 1 || laneStride == 1) {
    write(position, raw);
    return;
  }
  for (int64_t lane = 0; lane < lanes; ++lane)
    write(add(position, lane * laneStride), vector::ExtractOp::create(b, raw, lane));
}

void KernelEmitter::fetchAhead(Value value, Value position) {
  if (memories.contains(value))
    return prefetch(value, Index::at(position, 1));
  Operation *op = value.getDefiningOp();
  if (!op || op == tiling.root)
    return;
  for (Value operand : op->getOperands())
    if (typeOf(operand).getNumElements() == typeOf(value).getNumElements())
      fetchAhead(operand, position);
}

Memory KernelEmitter::scratch(int64_t offset, Type element) {
  Value pointer =
      LLVM::GEPOp::create(b, workspace.getType(), b.getI8Type(), workspace, ArrayRef<LLVM::GEPArg>{int32_t(offset)});
  return {pointer, element, {}, true};
}

void KernelEmitter::prefetch(Value value, const Index &index) {
  auto memory = memories.find(value);
  if (memory == memories.end() || memory->second.origin)
    return;
  Value position = linear(typeOf(value).getShape(), index);
  Value pointer = LLVM::GEPOp::create(b, memory->second.pointer.getType(), storageType(memory->second),
                                      memory->second.pointer, ValueRange{position});
  constexpr unsigned read = 0, everyCache = 3, data = 1;
  LLVM::Prefetch::create(b, pointer, read, everyCache, data);
}
