#include "compiler/codegen/cpu/ChannelLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp::compiler;

int64_t amp::compiler::columnLanes(KernelEmitter &k, int64_t columns, int64_t most) {
  while (k.tiling.tileElements < columns && k.tiling.tileElements % most != 0)
    most /= 2;
  return most;
}

ColumnScratch::ColumnScratch(KernelEmitter &k, Value first, int64_t columns, unsigned count)
    : k(k), first(first), columns(columns), count(count) {}

Memory ColumnScratch::memory(Type element, unsigned number) {
  int64_t wide = llvm::alignTo(columns * 8, 64), narrow = llvm::alignTo(columns * 4, 64);
  int64_t offset = element.isF64() ? number * wide : count * wide + number * narrow;
  return k.scratch(k.tiling.scratchOffset + offset, element);
}

SmallVector<Value> ColumnScratch::load(Type element, Value column, int64_t lanes) {
  SmallVector<Value> values;
  for (unsigned number = 0; number < count; ++number)
    values.push_back(k.load(memory(element, number), k.sub(column, first), lanes));
  return values;
}

void ColumnScratch::store(Type element, Value column, ValueRange values) {
  for (auto [number, value] : llvm::enumerate(values))
    k.store(memory(element, unsigned(number)), k.sub(column, first), value);
}

void ColumnScratch::clear(Type element, Value column, int64_t lanes) {
  store(element, column, SmallVector<Value>(count, k.number(element, 0, lanes)));
}

int64_t amp::compiler::rowsAhead(KernelEmitter &k, int64_t columns) {
  return std::clamp<int64_t>(2048 / std::min(k.tiling.tileElements, columns), runRows, 4 * runRows);
}

SmallVector<Value> ColumnSums::sumRows(Value from, Value to, Value column, ValueRange start, int64_t lanes, Terms terms,
                                       Fetch fetch) {
  return k.accumulate(from, to, 1, start, [&](Value row, ValueRange old) {
    fetch(k.add(row, rowsAhead(k, columns)), column);
    SmallVector<Value> sums = terms(row, column, lanes);
    for (auto [sum, before] : llvm::zip_equal(sums, old))
      sum = k.addf(before, k.spread(sum, lanes));
    return sums;
  });
}

void ColumnSums::emit(Terms terms, Finish finish, Fetch fetch) {
  // Two registers of columns at once hide the latency of the additions.
  int64_t lanes = columnLanes(k, columns, 2 * k.target.lanes);
  Type f32 = k.f32(), f64 = k.b.getF64Type();
  auto forColumns = [&](llvm::function_ref<void(Value, int64_t)> body) {
    k.vectorsBetween(first, last, columns, lanes, body);
  };
  if (rows <= 2 * runRows)
    return forColumns([&](Value column, int64_t width) {
      SmallVector<Value> start(count, k.number(f32, 0, width));
      finish(column, width, sumRows(k.constant(0), k.constant(rows), column, start, width, terms, fetch));
    });
  ColumnScratch scratch(k, first, std::min(k.tiling.tileElements, columns), count);
  forColumns([&](Value column, int64_t width) { scratch.clear(f64, column, width); });
  k.loop(k.constant(0), k.constant(rows), chunkRows, [&](Value chunk) {
    Value chunkEnd = k.smaller(k.add(chunk, chunkRows), k.constant(rows));
    forColumns([&](Value column, int64_t width) { scratch.clear(f32, column, width); });
    k.loop(chunk, chunkEnd, runRows, [&](Value from) {
      Value to = k.smaller(k.add(from, runRows), chunkEnd);
      forColumns([&](Value column, int64_t width) {
        SmallVector<Value> start = scratch.load(f32, column, width);
        scratch.store(f32, column, sumRows(from, to, column, start, width, terms, fetch));
      });
    });
    forColumns([&](Value column, int64_t width) {
      SmallVector<Value> sums = scratch.load(f64, column, width), part = scratch.load(f32, column, width);
      for (auto [sum, added] : llvm::zip_equal(sums, part))
        sum = k.addf(sum, arith::ExtFOp::create(k.b, k.withLanes(f64, width), added));
      scratch.store(f64, column, sums);
    });
  });
  forColumns([&](Value column, int64_t width) {
    SmallVector<Value> sums = scratch.load(f64, column, width);
    for (Value &sum : sums)
      sum = arith::TruncFOp::create(k.b, k.withLanes(f32, width), sum);
    finish(column, width, sums);
  });
}

ChannelLoop::ChannelLoop(KernelEmitter &k, RankedTensorType type, int64_t axis, ValueRange read)
    : k(k), type(type), axis(axis), read(read.begin(), read.end()), shape(channelShape(type, axis)) {
  int64_t row = channelsLast() ? shape.channels : 0;
  flat = llvm::all_of(read, [&](Value value) { return k.isFlat(value, row); });
  runLength = flat || channelsLast() ? shape.inner : type.getShape().back();
}

Index ChannelLoop::row(Value number, Value channel, int64_t lanes) {
  if (flat)
    return Index::at(k.add(k.mul(number, shape.channels), channel), lanes, shape.channels, channel);
  Index index = k.delinearise(type.getShape().take_front(axis), number);
  index.axes.push_back(channel);
  index.axes.resize(type.getRank(), k.constant(0)); // the axes behind have length 1
  index.lanes = lanes;
  index.vectorAxis = lanes > 1 ? int(axis) : -1;
  return index;
}

void ChannelLoop::fetchRow(Value number, Value channel) {
  for (Value value : read)
    k.fetchAhead(value, k.add(k.mul(number, shape.channels), channel));
}

Index ChannelLoop::run(Value number, Value channel, Value position, int64_t lanes) {
  int64_t each = shape.inner / runLength; // runs between two steps of the axes before the channels
  Value outer = k.divide(number, each);
  if (flat)
    return Index::at(k.add(k.mul(k.add(k.mul(outer, shape.channels), channel), shape.inner), position), lanes);
  ArrayRef<int64_t> behind = type.getShape().drop_front(axis + 1);
  Index index = k.delinearise(type.getShape().take_front(axis), outer);
  index.axes.push_back(channel);
  index.axes.append(k.delinearise(behind.drop_back(), k.rest(number, each)).axes);
  index.axes.push_back(position);
  index.lanes = lanes;
  index.vectorAxis = lanes > 1 ? int(type.getRank()) - 1 : -1;
  return index;
}

Value ChannelLoop::ofChannels(Value vector, Value channel, int64_t lanes) {
  Index index;
  index.axes = {channel};
  index.lanes = lanes;
  index.vectorAxis = lanes > 1 ? 0 : -1;
  return k.at(vector, index);
}
