// Moments of channels over a batch, in one pass over memory: of short runs, each from its own mean, merged in a fixed
// order (Chan, Golub, LeVeque 1979); the runs merge in f32 inside a chunk, the chunks in f64.
#include "compiler/codegen/cpu/ChannelLoop.h"

#include "dialects/graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

constexpr int64_t runElements = 512; // elements of a run inside one channel: they stay in the cache

/// Mean, and sum of squared differences from it, of some elements.
struct Moment {
  Value mean, squares;
};

struct Moments {
  KernelEmitter &k;
  graph::BatchMomentsOp op;
  ChannelLoop channels;
  Type f64 = k.b.getF64Type();

  Value minus(Value lhs, Value rhs) { return arith::SubFOp::create(k.b, lhs, rhs); }
  Value over(Value lhs, Value rhs) { return arith::DivFOp::create(k.b, lhs, rhs); }
  Value widened(Value value, int64_t lanes) { return arith::ExtFOp::create(k.b, k.withLanes(f64, lanes), value); }
  Value narrowed(Value value, int64_t lanes) {
    return arith::TruncFOp::create(k.b, k.withLanes(k.f32(), lanes), value);
  }

  /// Adds the moments of `added` elements to those of `before`; both counts are scalars of the moments' type.
  Moment merged(Moment all, Moment part, Value before, Value added, int64_t lanes) {
    Value share = over(added, k.addf(before, added));
    Value delta = minus(part.mean, all.mean);
    Value mean = k.multiplyAdd(delta, k.spread(share, lanes), all.mean);
    Value between = k.mulf(k.mulf(delta, delta), k.spread(k.mulf(before, share), lanes));
    return {mean, k.addf(all.squares, k.addf(part.squares, between))};
  }

  /// Of `count` rows, in registers.
  Moment ofRows(Value row, int64_t count, Value channel, int64_t lanes) {
    SmallVector<Value> values;
    for (int64_t r = 0; r < count; ++r)
      channels.fetchRow(k.add(row, r + rowsAhead(k, channels.channels())), channel);
    for (int64_t r = 0; r < count; ++r)
      values.push_back(k.spread(k.at(op.getX(), channels.row(k.add(row, r), channel, lanes)), lanes));
    SmallVector<Value> sums = values;
    for (; sums.size() > 1;) {
      for (size_t i = 0; i + 1 < sums.size(); i += 2)
        sums[i / 2] = k.addf(sums[i], sums[i + 1]);
      if (sums.size() % 2 != 0)
        sums[sums.size() / 2] = sums.back();
      sums.resize((sums.size() + 1) / 2);
    }
    Value mean = k.mulf(sums[0], k.number(k.f32(), 1.0 / double(count), lanes)), squares;
    for (Value value : values) {
      Value difference = minus(value, mean);
      squares = squares ? k.multiplyAdd(difference, difference, squares) : k.mulf(difference, difference);
    }
    return {mean, squares};
  }

  void channelsLast() {
    int64_t lanes = columnLanes(k, channels.channels(), k.target.lanes);
    int64_t rows = channels.elements(), whole = rows / runRows * runRows;
    ColumnScratch scratch(k, k.begin, k.tiling.tileElements, 2);
    auto forChannels = [&](llvm::function_ref<void(Value, int64_t)> body) {
      k.vectorsBetween(k.begin, k.end, channels.channels(), lanes, body);
    };
    // Adds rows to what the scratch holds of the rows since `start`, in either type.
    auto add = [&](Type type, Moment part, Value channel, int64_t width, Value before, int64_t added) {
      Value count = arith::SIToFPOp::create(k.b, type, before);
      SmallVector<Value> old = scratch.load(type, channel, width);
      Moment all = merged({old[0], old[1]}, part, count, k.number(type, double(added)), width);
      scratch.store(type, channel, {all.mean, all.squares});
    };
    forChannels([&](Value channel, int64_t width) { scratch.clear(f64, channel, width); });
    auto chunk = [&](Value from, int64_t length) {
      forChannels([&](Value channel, int64_t width) { scratch.clear(k.f32(), channel, width); });
      k.loop(k.constant(0), k.constant(length), runRows, [&](Value row) {
        forChannels([&](Value channel, int64_t width) {
          add(k.f32(), ofRows(k.add(from, row), runRows, channel, width), channel, width, row, runRows);
        });
      });
      forChannels([&](Value channel, int64_t width) {
        SmallVector<Value> part = scratch.load(k.f32(), channel, width);
        add(f64, {widened(part[0], width), widened(part[1], width)}, channel, width, from, length);
      });
    };
    int64_t chunks = whole / chunkRows * chunkRows;
    if (chunks > 0)
      k.loop(k.constant(0), k.constant(chunks), chunkRows, [&](Value from) { chunk(from, chunkRows); });
    if (whole > chunks)
      chunk(k.constant(chunks), whole - chunks);
    forChannels([&](Value channel, int64_t width) {
      if (whole < rows) {
        Moment part = ofRows(k.constant(whole), rows - whole, channel, width);
        add(f64, {widened(part.mean, width), widened(part.squares, width)}, channel, width, k.constant(whole),
            rows - whole);
      }
      SmallVector<Value> all = scratch.load(f64, channel, width);
      finish({all[0], all[1]}, channel, width);
    });
  }

  /// Of `length` elements of one run, which is read twice.
  Moment ofRun(Value run, Value channel, Value from, int64_t length) {
    int64_t lanes = 2 * k.target.lanes;
    auto value = [&](Value position, int64_t width) {
      return k.spread(k.at(op.getX(), channels.run(run, channel, k.add(from, position), width)), width);
    };
    Value sum = k.sumsAlong(
        length, lanes, 1, [&](Value position, int64_t width) { return SmallVector<Value>{value(position, width)}; })[0];
    Value mean = k.mulf(sum, k.number(k.f32(), 1.0 / double(length)));
    Value squares = k.sumsAlong(length, lanes, 1, [&](Value position, int64_t width) {
      Value difference = minus(value(position, width), k.spread(mean, width));
      return SmallVector<Value>{k.mulf(difference, difference)};
    })[0];
    return {mean, squares};
  }

  void channelsFirst() {
    int64_t whole = channels.runLength / runElements * runElements, rest = channels.runLength - whole;
    k.loop(k.begin, k.end, 1, [&](Value channel) {
      auto step = [&](Value run, Value from, int64_t length, ValueRange old) -> SmallVector<Value> {
        Moment part = ofRun(run, channel, from, length);
        Value added = k.number(f64, double(length));
        Moment all = merged({old[0], old[1]}, {widened(part.mean, 1), widened(part.squares, 1)}, old[2], added, 1);
        return {all.mean, all.squares, k.addf(old[2], added)};
      };
      SmallVector<Value> start(3, k.number(f64, 0));
      auto all = k.accumulate(k.constant(0), k.constant(channels.runs()), 1, start, [&](Value run, ValueRange old) {
        SmallVector<Value> sums(old);
        if (whole > 0)
          sums = k.accumulate(k.constant(0), k.constant(whole), runElements, sums,
                              [&](Value from, ValueRange before) { return step(run, from, runElements, before); });
        return rest > 0 ? step(run, k.constant(whole), rest, sums) : sums;
      });
      finish({all[0], all[1]}, channel, 1);
    });
  }

  void finish(Moment all, Value channel, int64_t lanes) {
    Value variance = over(all.squares, k.number(f64, double(channels.elements()), lanes));
    Value root = math::SqrtOp::create(k.b, k.addf(variance, k.number(f64, op.getEps().convertToDouble(), lanes)));
    k.store(k.staged(0), channel, narrowed(all.mean, lanes));
    k.store(k.staged(1), channel, narrowed(variance, lanes));
    k.store(k.staged(2), channel, narrowed(over(k.number(f64, 1, lanes), root), lanes));
  }
};

} // namespace

void amp::compiler::emitBatchMoments(KernelEmitter &k, Operation *op) {
  auto moments = cast<graph::BatchMomentsOp>(op);
  Value x = moments.getX();
  Moments emitter{k, moments, ChannelLoop(k, KernelEmitter::typeOf(x), int64_t(moments.getAxis()), x)};
  emitter.channels.channelsLast() ? emitter.channelsLast() : emitter.channelsFirst();
}
