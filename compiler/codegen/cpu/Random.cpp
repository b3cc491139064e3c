// Dropout: the mask is Philox 4x32-10 (runtime/base/Philox.h) at the element's position, made again wherever it is
// wanted.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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

/// Whether an index is a multiple of `n` by the way it is made.
bool isMultiple(Value index, int64_t n) {
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast_if_present<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && loop.getInductionVar() == argument && isMultiple(loop.getLowerBound(), n) &&
           isMultiple(loop.getStep(), n);
  }
  Operation *op = index.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return cast<IntegerAttr>(constant.getValue()).getInt() % n == 0;
  if (isa<arith::MulIOp>(op))
    return isMultiple(op->getOperand(0), n) || isMultiple(op->getOperand(1), n);
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return isMultiple(op->getOperand(0), n) && isMultiple(op->getOperand(1), n);
  return false;
}

/// The random words of elements and the mask that they make.
struct Mask {
  KernelEmitter &k;
  graph::DropoutOp op;

  /// The words of the blocks of four elements that `block`, an i64 or a vector, numbers.
  std::array<Value, 4> words(Value block, int64_t lanes) {
    Philox philox{k, lanes};
    Value seed = k.spread(k.scalar(op.getSeed()), lanes), update = k.spread(k.scalar(op.getUpdate()), lanes);
    return philox.rounds(
        {philox.low(block), philox.number(uint32_t(op.getNumber())), philox.low(update), philox.high(update)},
        {philox.low(seed), philox.high(seed)});
  }

  /// A number of 24 bits is at least the ratio exactly when it is at least its ceiling, as an integer.
  Value keeps(Value word, int64_t lanes) {
    Philox philox{k, lanes};
    double ceiling = std::ceil(op.getRatio().convertToDouble() * 0x1p24);
    Value bits = arith::ShRUIOp::create(k.b, word, philox.number(8));
    return arith::CmpIOp::create(k.b, arith::CmpIPredicate::uge, bits, philox.number(uint64_t(ceiling)));
  }

  /// Lanes that fill blocks: a draw for each block, its four answers side by side.
  Value ofBlocks(Value position, int64_t lanes) {
    int64_t blocks = lanes / 4;
    Value first = arith::ShRUIOp::create(k.b, position, k.constant(2));
    auto drawn = words(k.indexVector(first, blocks), blocks);
    SmallVector<Value> answers;
    for (Value word : drawn)
      answers.push_back(k.spread(keeps(word, blocks), blocks));
    SmallVector<int64_t> halves, order;
    for (int64_t lane = 0; lane < 2 * blocks; ++lane)
      halves.push_back(lane);
    Value even = vector::ShuffleOp::create(k.b, answers[0], answers[1], halves);
    Value odd = vector::ShuffleOp::create(k.b, answers[2], answers[3], halves);
    for (int64_t lane = 0; lane < lanes; ++lane)
      order.push_back(lane % 4 * blocks + lane / 4);
    return vector::ShuffleOp::create(k.b, even, odd, order);
  }

  /// Lanes anywhere: a draw for each.
  Value ofElements(Value position, int64_t lanes, int64_t stride) {
    Philox philox{k, lanes};
    Value lane = arith::MulIOp::create(k.b, k.indexVector(k.constant(0), lanes), philox.number(uint64_t(stride)));
    Value place = arith::AddIOp::create(k.b, k.spread(position, lanes), lane);
    auto drawn = words(arith::ShRUIOp::create(k.b, place, philox.number(2)), lanes);
    Value word = arith::AndIOp::create(k.b, place, philox.number(3)), chosen = drawn[0];
    for (uint64_t number = 1; number < 4; ++number) {
      Value is = arith::CmpIOp::create(k.b, arith::CmpIPredicate::eq, word, philox.number(number));
      chosen = arith::SelectOp::create(k.b, is, drawn[number], chosen);
    }
    return keeps(chosen, lanes);
  }
};

} // namespace

Value amp::compiler::emitDropout(KernelEmitter &k, Operation *op, const Index &index) {
  auto dropout = cast<graph::DropoutOp>(op);
  Value value = k.spread(k.at(dropout.getX(), index), index.lanes);
  if (!dropout.getSeed())
    return value;
  ArrayRef<int64_t> shape = KernelEmitter::typeOf(dropout.getX()).getShape();
  Value position = k.linear(shape, index);
  int64_t lanes = index.lanes, stride = std::max<int64_t>(KernelEmitter::laneStride(shape, index), 1);
  bool wholeBlocks = lanes > 4 && lanes % 4 == 0 && stride == 1 && isMultiple(position, 4);
  Mask mask{k, dropout};
  Value keeps = wholeBlocks ? mask.ofBlocks(position, lanes) : mask.ofElements(position, lanes, stride);
  double ratio = dropout.getRatio().convertToDouble();
  Type element = getElementTypeOrSelf(value.getType());
  Value scaled = k.mulf(value, k.number(element, ratio < 1.0 ? 1.0 / (1.0 - ratio) : 0.0, lanes));
  return arith::SelectOp::create(k.b, keeps, scaled, k.number(element, 0, lanes));
}
