#include "compiler/codegen/cpu/ChannelLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp::compiler;

static constexpr int64_t rowsInF32 = 128; // rows that are summed in f32 before f64 takes them

int64_t amp::compiler::columnLanes(KernelEmitter &k, int64_t columns, int64_t most) {
  while (k.tiling.tileElements < columns && k.tiling.tileElements % most != 0)
    most /= 2;
  return most;
}

ColumnScratch::ColumnScratch(KernelEmitter &k, Value first, int64_t columns)
    : k(k), first(first), bytes(llvm::alignTo(columns * 8, 64)) {}

Value ColumnScratch::load(unsigned number, Value column, int64_t lanes) {
  return k.load(k.scratch(k.tiling.scratchOffset + number * bytes, k.b.getF64Type()), k.sub(column, first), lanes);
}

void ColumnScratch::store(unsigned number, Value column, Value value) {
  k.store(k.scratch(k.tiling.scratchOffset + number * bytes, k.b.getF64Type()), k.sub(column, first), value);
}

SmallVector<Value> ColumnSums::sumRows(Value from, Value to, Value column, int64_t lanes, Terms terms) {
  SmallVector<Value> start(count, k.number(k.f32(), 0, lanes));
  return k.accumulate(from, to, 1, start, [&](Value row, ValueRange old) {
    SmallVector<Value> sums = terms(row, column, lanes);
    for (auto [sum, before] : llvm::zip_equal(sums, old))
      sum = k.addf(before, k.spread(sum, lanes));
    return sums;
  });
}

void ColumnSums::emit(Terms terms, Finish finish) {
  // Two registers of columns at once hide the latency of the additions.
  int64_t lanes = columnLanes(k, columns, 2 * k.target.lanes);
  auto forColumns = [&](llvm::function_ref<void(Value, int64_t)> body) {
    k.vectorsBetween(first, last, columns, lanes, body);
  };
  if (rows <= rowsInF32)
    return forColumns([&](Value column, int64_t width) {
      finish(column, width, sumRows(k.constant(0), k.constant(rows), column, width, terms));
    });
  ColumnScratch scratch(k, first, std::min(k.tiling.tileElements, columns));
  Type f64 = k.b.getF64Type();
  forColumns([&](Value column, int64_t width) {
    for (unsigned number = 0; number < count; ++number)
      scratch.store(number, column, k.number(f64, 0, width));
  });
  // Rows outside, columns inside: what lies side by side is read together.
  k.loop(k.constant(0), k.constant(rows), rowsInF32, [&](Value from) {
    Value to = k.smaller(k.add(from, rowsInF32), k.constant(rows));
    forColumns([&](Value column, int64_t width) {
      for (auto [number, sum] : llvm::enumerate(sumRows(from, to, column, width, terms))) {
        Value wide = arith::ExtFOp::create(k.b, k.withLanes(f64, width), sum);
        scratch.store(unsigned(number), column, k.addf(scratch.load(unsigned(number), column, width), wide));
      }
    });
  });
  forColumns([&](Value column, int64_t width) {
    SmallVector<Value> sums;
    for (unsigned number = 0; number < count; ++number)
      sums.push_back(arith::TruncFOp::create(k.b, k.withLanes(k.f32(), width), scratch.load(number, column, width)));
    finish(column, width, sums);
  });
}

ChannelLoop::ChannelLoop(KernelEmitter &k, RankedTensorType type, int64_t axis, ValueRange read)
    : k(k), type(type), axis(axis), shape(channelShape(type, axis)) {
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
