// Sums of squares of gradients, in parts, and what all parts say: whether the gradients are finite, and their norm.
// Sums run in f64 in a fixed order.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/train/Train.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// The sum of f64 terms over [first, last): whole vectors, then one by one.
static Value sumBetween(KernelEmitter &k, Value first, Value last, int64_t lanes,
                        llvm::function_ref<Value(Value position, int64_t lanes, Value sum)> step) {
  Value whole = k.add(first, k.mul(k.divide(k.sub(last, first), lanes), lanes));
  auto run = [&](Value from, Value to, int64_t width, Value start) {
    return k.accumulate(from, to, width, start, [&](Value position, ValueRange old) {
      return SmallVector<Value>{step(position, width, old[0])};
    })[0];
  };
  Type f64 = k.b.getF64Type();
  return run(whole, last, 1, k.sumLanes(run(first, whole, lanes, k.number(f64, 0, lanes))));
}

void amp::compiler::emitSumSquares(KernelEmitter &k, Operation *op) {
  auto squares = cast<train::SumSquaresOp>(op);
  Value gradient = squares.getGradient();
  int64_t all = KernelEmitter::typeOf(gradient).getNumElements();
  int64_t each =
      llvm::divideCeil(all, std::max<int64_t>(KernelEmitter::typeOf(squares.getParts()).getNumElements(), 1));
  k.loop(k.begin, k.end, 1, [&](Value part) {
    Value first = k.smaller(k.mul(part, each), k.constant(all));
    Value last = k.smaller(k.add(first, each), k.constant(all));
    // Four registers of f64 hide the latency of the additions.
    Value sum = sumBetween(k, first, last, 2 * k.target.lanes, [&](Value position, int64_t lanes, Value old) {
      Value value = k.spread(k.at(gradient, Index::at(position, lanes)), lanes);
      Value wide = arith::ExtFOp::create(k.b, k.withLanes(k.b.getF64Type(), lanes), value);
      return k.multiplyAdd(wide, wide, old);
    });
    k.store(k.staged(0), part, sum);
  });
}

void amp::compiler::emitMeasure(KernelEmitter &k, Operation *op) {
  Type f64 = k.b.getF64Type();
  Value squares = k.number(f64, 0);
  for (Value parts : op->getOperands()) {
    int64_t count = KernelEmitter::typeOf(parts).getNumElements();
    Value sum =
        sumBetween(k, k.constant(0), k.constant(count), k.target.lanes, [&](Value position, int64_t lanes, Value old) {
          return k.addf(old, k.spread(k.at(parts, Index::at(position, lanes)), lanes));
        });
    squares = k.addf(squares, sum);
  }
  // Parts are not negative: what is not finite stays so in the sum, and f64 does not overflow from squares of f32.
  Value finite = arith::CmpFOp::create(k.b, arith::CmpFPredicate::OLT, squares,
                                       k.number(f64, std::numeric_limits<double>::infinity()));
  Value norm = arith::TruncFOp::create(k.b, k.f32(), math::SqrtOp::create(k.b, squares));
  k.store(k.staged(0), k.constant(0), finite);
  k.store(k.staged(1), k.constant(0), norm);
}
