// Sums over the rows of columns: the gradients of scale and bias of a normalisation, sums and means over axes that are
// not the last ones.
#include "compiler/codegen/cpu/ChannelLoop.h"

#include "dialects/graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// The sums of the gradients of scale and bias.
struct NormalizeSums {
  KernelEmitter &k;
  graph::NormalizeSumsOp op;
  ChannelLoop channels;

  /// dy and dy * (x - mean); the deviation is a factor of the whole sum.
  SmallVector<Value> terms(const Index &index, Value mean) {
    Value dy = k.spread(k.at(op.getDy(), index), index.lanes);
    Value centred = arith::SubFOp::create(k.b, k.at(op.getX(), index), k.spread(mean, index.lanes));
    return {dy, k.mulf(dy, centred)};
  }

  void finish(Value channel, int64_t lanes, ValueRange sums) {
    Value deviation = k.spread(channels.ofChannels(op.getDeviation(), channel, lanes), lanes);
    k.store(k.staged(0), channel, k.mulf(sums[1], deviation));
    k.store(k.staged(1), channel, sums[0]);
  }

  void channelsLast() {
    ColumnSums{k, k.begin, k.end, channels.channels(), channels.elements(), 2}.emit(
        [&](Value row, Value channel, int64_t lanes) {
          return terms(channels.row(row, channel, lanes), channels.ofChannels(op.getMean(), channel, lanes));
        },
        [&](Value channel, int64_t lanes, ValueRange sums) { finish(channel, lanes, sums); },
        [&](Value row, Value channel) { channels.fetchRow(row, channel); });
  }

  void channelsFirst() {
    Type f64 = k.b.getF64Type();
    k.loop(k.begin, k.end, 1, [&](Value channel) {
      Value mean = channels.ofChannels(op.getMean(), channel, 1);
      SmallVector<Value> start(2, k.number(f64, 0));
      auto sums = k.accumulate(k.constant(0), k.constant(channels.runs()), 1, start, [&](Value run, ValueRange old) {
        SmallVector<Value> part =
            k.sumsAlong(channels.runLength, 2 * k.target.lanes, 2, [&](Value position, int64_t lanes) {
              return terms(channels.run(run, channel, position, lanes), mean);
            });
        for (auto [sum, before] : llvm::zip_equal(part, old))
          sum = k.addf(before, arith::ExtFOp::create(k.b, f64, sum));
        return part;
      });
      for (Value &sum : sums)
        sum = arith::TruncFOp::create(k.b, k.f32(), sum);
      finish(channel, 1, sums);
    });
  }
};

/// A sum or mean over neighbouring axes, seen as [outer, reduced, inner].
struct ColumnReducer {
  KernelEmitter &k;
  Value x;
  ColumnReduction shape;
  RankedTensorType type = KernelEmitter::typeOf(x);
  int64_t row = type.getShape().back();
  bool oneAxis = row == shape.inner;
  bool flat = k.isFlat(x, oneAxis ? row : 0);

  Value at(Value position, Value column, int64_t lanes) {
    if (flat)
      return k.at(x, Index::at(position, lanes, oneAxis ? row : 0, column));
    // Lanes of a place that is not flat must not leave their row.
    if (!oneAxis && row % lanes != 0)
      return k.laneByLane(x, Index::at(position, lanes));
    Index index = k.delinearise(type.getShape(), position);
    index.lanes = lanes;
    index.vectorAxis = lanes > 1 ? int(type.getRank()) - 1 : -1;
    return k.at(x, index);
  }

  /// The columns of a tile that belong to one step of the outer axes.
  void emit(Value outer, bool isMean) {
    Value start = k.mul(outer, shape.inner);
    Value first = k.larger(k.sub(k.begin, start), k.constant(0));
    Value last = k.smaller(k.sub(k.end, start), k.constant(shape.inner));
    ColumnSums{k, first, last, shape.inner, shape.reduced, 1}.emit(
        [&](Value number, Value column, int64_t lanes) {
          Value reducedRow = k.add(k.mul(outer, shape.reduced), number);
          return SmallVector<Value>{at(k.add(k.mul(reducedRow, shape.inner), column), column, lanes)};
        },
        [&](Value column, int64_t lanes, ValueRange sums) {
          Value result = sums[0];
          if (isMean)
            result = arith::DivFOp::create(k.b, result, k.number(k.f32(), double(shape.reduced), lanes));
          k.store(k.staged(0), k.add(start, column), result);
        },
        [&](Value number, Value column) {
          Value reducedRow = k.add(k.mul(outer, shape.reduced), number);
          k.fetchAhead(x, k.add(k.mul(reducedRow, shape.inner), column));
        });
  }
};

} // namespace

void amp::compiler::emitNormalizeSums(KernelEmitter &k, Operation *op) {
  auto sums = cast<graph::NormalizeSumsOp>(op);
  ChannelLoop channels(k, KernelEmitter::typeOf(sums.getX()), int64_t(sums.getAxis()), {sums.getDy(), sums.getX()});
  NormalizeSums emitter{k, sums, channels};
  channels.channelsLast() ? emitter.channelsLast() : emitter.channelsFirst();
}

void amp::compiler::emitColumnReduction(KernelEmitter &k, Operation *op) {
  ColumnReducer reducer{k, op->getOperand(0), *columnReduction(op)};
  int64_t inner = reducer.shape.inner;
  k.loop(k.divide(k.begin, inner), k.divide(k.add(k.end, inner - 1), inner), 1,
         [&](Value outer) { reducer.emit(outer, isa<graph::ReduceMeanOp>(op)); });
}
