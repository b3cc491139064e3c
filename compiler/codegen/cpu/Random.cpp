// Dropout: the mask is Philox 4x32-10 (runtime/base/Philox.h) at the element's position, made again wherever it is
// wanted.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// 32-bit words in the low halves of i64 lanes: a product of two is then one instruction.
struct Philox {
  KernelEmitter &k;
  int64_t lanes;

  Value number(uint64_t value) {
    Value scalar = k.constant(int64_t(value));
    return k.spread(scalar, lanes);
  }
  Value low(Value value) { return arith::AndIOp::create(k.b, value, number(0xffffffffu)); }
  Value high(Value value) { return arith::ShRUIOp::create(k.b, value, number(32)); }
  Value both(Value lhs, Value rhs) { return arith::XOrIOp::create(k.b, lhs, rhs); }
  Value times(Value value, uint64_t factor) { return arith::MulIOp::create(k.b, value, number(factor)); }

  std::array<Value, 4> rounds(std::array<Value, 4> counter, std::array<Value, 2> key) {
    for (int round = 0; round < 10; ++round) {
      if (round > 0) {
        key[0] = low(arith::AddIOp::create(k.b, key[0], number(0x9E3779B9u)));
        key[1] = low(arith::AddIOp::create(k.b, key[1], number(0xBB67AE85u)));
      }
      Value product0 = times(counter[0], 0xD2511F53u), product1 = times(counter[2], 0xCD9E8D57u);
      counter = {both(both(high(product1), counter[1]), key[0]), low(product1),
                 both(both(high(product0), counter[3]), key[1]), low(product0)};
    }
    return counter;
  }
};

} // namespace

Value amp::compiler::emitDropout(KernelEmitter &k, Operation *op, const Index &index) {
  auto dropout = cast<graph::DropoutOp>(op);
  Value value = k.spread(k.at(dropout.getX(), index), index.lanes);
  if (!dropout.getSeed())
    return value;
  ArrayRef<int64_t> shape = KernelEmitter::typeOf(dropout.getX()).getShape();
  Philox philox{k, index.lanes};
  Value seed = k.spread(k.scalar(dropout.getSeed()), index.lanes);
  Value update = k.spread(k.scalar(dropout.getUpdate()), index.lanes);
  Value lane = arith::MulIOp::create(k.b, k.indexVector(k.constant(0), index.lanes),
                                     philox.number(std::max<int64_t>(KernelEmitter::laneStride(shape, index), 1)));
  Value position = arith::AddIOp::create(k.b, k.spread(k.linear(shape, index), index.lanes), lane);
  Value block = arith::ShRUIOp::create(k.b, position, philox.number(2));
  Value word = arith::AndIOp::create(k.b, position, philox.number(3));
  auto words = philox.rounds(
      {philox.low(block), philox.number(uint32_t(dropout.getNumber())), philox.low(update), philox.high(update)},
      {philox.low(seed), philox.high(seed)});
  Value chosen = words[0];
  for (uint64_t number = 1; number < 4; ++number) {
    Value is = arith::CmpIOp::create(k.b, arith::CmpIPredicate::eq, word, philox.number(number));
    chosen = arith::SelectOp::create(k.b, is, words[number], chosen);
  }
  // A number of 24 bits is at least the ratio exactly when it is at least its ceiling, as an integer.
  double ratio = dropout.getRatio().convertToDouble();
  Value bits = arith::ShRUIOp::create(k.b, chosen, philox.number(8));
  Value keeps =
      arith::CmpIOp::create(k.b, arith::CmpIPredicate::uge, bits, philox.number(uint64_t(std::ceil(ratio * 0x1p24))));
  Type element = getElementTypeOrSelf(value.getType());
  Value scaled = k.mulf(value, k.number(element, ratio < 1.0 ? 1.0 / (1.0 - ratio) : 0.0, index.lanes));
  return arith::SelectOp::create(k.b, keeps, scaled, k.number(element, 0, index.lanes));
}
