// Losses: cross-entropy and its gradient, mean squared error. Sums over samples run in f64, in row order.
#include "compiler/codegen/cpu/AxisLoop.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

struct CrossEntropy {
  KernelEmitter &k;
  Value logits, labels;
  int64_t axis, ignored;
  AxisLoop rows;

  CrossEntropy(KernelEmitter &k, Value logits, Value labels, int64_t axis, int64_t ignored)
      : k(k), logits(logits), labels(labels), axis(axis), ignored(ignored),
        rows(k, KernelEmitter::typeOf(logits), axis) {}

  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(k.b, predicate, lhs, rhs);
  }
  Value pick(Value condition, Value lhs, Value rhs) { return arith::SelectOp::create(k.b, condition, lhs, rhs); }

  /// The number of labels that count.
  Value count() {
    ArrayRef<int64_t> shape = KernelEmitter::typeOf(labels).getShape();
    int64_t all = KernelEmitter::typeOf(labels).getNumElements();
    return k.accumulate(k.constant(0), k.constant(all), 1, k.constant(0),
                        [&](Value position, ValueRange old) -> SmallVector<Value> {
                          Value label = k.at(labels, k.delinearise(shape, position));
                          Value counts = compare(arith::CmpIPredicate::ne, label, k.constant(ignored));
                          return {k.add(old[0], pick(counts, k.constant(1), k.constant(0)))};
                        })[0];
  }

  Value largest() {
    return rows.maximum([&](const Index &index, Value) { return k.at(logits, index); });
  }
  Value exponential(const Index &index, Value largest) {
    return graph::Lanes(k.b, k.b.getLoc())
        .exp(arith::SubFOp::create(k.b, k.at(logits, index), k.spread(largest, index.lanes)));
  }
  Value exponentialSum(Value largest) {
    return rows.sum([&](const Index &index, Value) { return exponential(index, largest); });
  }

  Value loss(bool mean);
  void gradient(Value seed, bool mean);
};

Value CrossEntropy::loss(bool mean) {
  // Rows one at a time: the sum over samples has one order.
  Type f64 = k.b.getF64Type();
  ArrayRef<int64_t> shape = KernelEmitter::typeOf(labels).getShape();
  int64_t all = KernelEmitter::typeOf(labels).getNumElements();
  int64_t classes = KernelEmitter::typeOf(logits).getDimSize(axis);
  auto sums = k.accumulate(
      k.constant(0), k.constant(all), 1, k.number(f64, 0), [&](Value sample, ValueRange old) -> SmallVector<Value> {
        Index row = k.delinearise(shape, sample);
        auto at = [&](Value position) {
          Index index = row;
          index.axes.insert(index.axes.begin() + axis, position);
          return k.at(logits, index);
        };
        Value zero = k.constant(0), last = k.constant(classes);
        Value largest = k.accumulate(k.constant(1), last, 1, at(zero), [&](Value position, ValueRange best) {
          return SmallVector<Value>{k.maximum(best[0], at(position))};
        })[0];
        Value sum = k.accumulate(zero, last, 1, k.number(k.f32(), 0), [&](Value position, ValueRange part) {
          Value shifted = arith::SubFOp::create(k.b, at(position), largest);
          return SmallVector<Value>{k.addf(part[0], graph::Lanes(k.b, k.b.getLoc()).exp(shifted))};
        })[0];
        Value label = k.at(labels, row);
        Value counts = compare(arith::CmpIPredicate::ne, label, k.constant(ignored));
        // An ignored label may lie outside the classes: it reads class 0, whose value is dropped.
        Value chosen = at(pick(counts, label, zero));
        Value term = arith::SubFOp::create(k.b, graph::Lanes(k.b, k.b.getLoc()).log(sum),
                                           arith::SubFOp::create(k.b, chosen, largest));
        Value wide = arith::ExtFOp::create(k.b, f64, term);
        return {k.addf(old[0], pick(counts, wide, k.number(f64, 0)))};
      });
  Value total = sums[0];
  if (mean) {
    Value divisor = arith::SIToFPOp::create(k.b, f64, k.larger(count(), k.constant(1)));
    total = arith::DivFOp::create(k.b, total, divisor);
  }
  return arith::TruncFOp::create(k.b, k.f32(), total);
}

void CrossEntropy::gradient(Value seed, bool mean) {
  Value scale = k.scalar(seed);
  if (mean)
    scale = arith::DivFOp::create(k.b, scale, arith::SIToFPOp::create(k.b, k.f32(), k.larger(count(), k.constant(1))));
  Value first = k.divide(k.begin, rows.pieceElements()), last = k.divide(k.end, rows.pieceElements());
  rows.forEachRows(first, last, [&] {
    Value top = largest(), sum = exponentialSum(top);
    Value label = k.at(labels, rows.rowIndex());
    Value counts = compare(arith::CmpIPredicate::ne, label, k.spread(k.constant(ignored), rows.rowsAtOnce()));
    rows.store(k.staged(0), [&](const Index &index, Value position) -> Value {
      Value share = arith::DivFOp::create(k.b, exponential(index, top), k.spread(sum, index.lanes));
      bool along = rows.rowsAtOnce() == 1;
      Value here = along ? k.indexVector(position, index.lanes) : k.spread(position, index.lanes);
      Value isLabel = compare(arith::CmpIPredicate::eq, here, k.spread(label, index.lanes));
      Value target = pick(isLabel, k.number(k.f32(), 1, index.lanes), k.number(k.f32(), 0, index.lanes));
      Value value = k.mulf(arith::SubFOp::create(k.b, share, target), k.spread(scale, index.lanes));
      return pick(k.spread(counts, index.lanes), value, k.number(k.f32(), 0, index.lanes));
    });
  });
}

} // namespace

void amp::compiler::emitCrossEntropy(KernelEmitter &k, Operation *op) {
  auto loss = cast<graph::CrossEntropyOp>(op);
  CrossEntropy entropy(k, loss.getLogits(), loss.getLabels(), loss.getAxis(), loss.getIgnoreIndex());
  k.store(k.staged(0), k.constant(0), entropy.loss(loss.getMean()));
}

void amp::compiler::emitCrossEntropyGradient(KernelEmitter &k, Operation *op) {
  auto loss = cast<graph::CrossEntropyGradOp>(op);
  CrossEntropy(k, loss.getLogits(), loss.getLabels(), loss.getAxis(), loss.getIgnoreIndex())
      .gradient(loss.getDloss(), loss.getMean());
}

void amp::compiler::emitMeanSquaredError(KernelEmitter &k, Operation *op) {
  auto loss = cast<graph::MseOp>(op);
  RankedTensorType type = KernelEmitter::typeOf(loss.getX());
  Type f64 = k.b.getF64Type();
  Value sum = k.accumulate(k.constant(0), k.constant(type.getNumElements()), 1, k.number(f64, 0),
                           [&](Value position, ValueRange old) -> SmallVector<Value> {
                             Index index = k.delinearise(type.getShape(), position);
                             Value error =
                                 arith::SubFOp::create(k.b, k.at(loss.getX(), index), k.at(loss.getTarget(), index));
                             Value wide = error.getType() == f64 ? error : arith::ExtFOp::create(k.b, f64, error);
                             return {k.multiplyAdd(wide, wide, old[0])};
                           })[0];
  if (loss.getMean())
    sum = arith::DivFOp::create(k.b, sum, k.number(f64, double(type.getNumElements())));
  k.store(k.staged(0), k.constant(0), arith::TruncFOp::create(k.b, k.f32(), sum));
}
