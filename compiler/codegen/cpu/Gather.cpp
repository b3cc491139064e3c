// Elements by index, and the gradient that adds them up again. An index outside its axis is clamped into it.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

struct Gather {
  KernelEmitter &k;
  const Index &index; ///< of the result
  Value x, indices;
  ArrayRef<int64_t> shape = KernelEmitter::typeOf(x).getShape();

  Value indexAt(ArrayRef<Value> axes, int64_t axis) {
    Index place;
    place.axes.assign(axes.begin(), axes.end());
    return k.wrapped(k.at(indices, place), KernelEmitter::typeOf(indices).getElementType(), shape[axis]);
  }

  /// x where the result's axes [first, first + replaced) gave way to `chosen`; lanes follow their axis.
  Value read(int64_t first, int64_t replaced, ArrayRef<Value> chosen) {
    ArrayRef<Value> axes = index.axes;
    Index place;
    place.axes.assign(axes.begin(), axes.begin() + first);
    place.axes.append(chosen.begin(), chosen.end());
    place.axes.append(axes.begin() + first + replaced, axes.end());
    place.lanes = index.lanes;
    place.vectorAxis = index.vectorAxis;
    if (index.vectorAxis >= first)
      place.vectorAxis += int(chosen.size()) - int(replaced);
    return k.at(x, place);
  }

  Value along(int64_t axis) {
    int64_t rank = KernelEmitter::typeOf(indices).getRank();
    return read(axis, rank, indexAt(ArrayRef<Value>(index.axes).slice(axis, rank), axis));
  }
  Value elements(int64_t axis) { return read(axis, 1, indexAt(index.axes, axis)); }
  Value tuples(int64_t batch) {
    RankedTensorType type = KernelEmitter::typeOf(indices);
    SmallVector<Value> place(ArrayRef<Value>(index.axes).take_front(type.getRank() - 1)), chosen;
    place.push_back({});
    for (int64_t number = 0; number < type.getShape().back(); ++number) {
      place.back() = k.constant(number);
      chosen.push_back(indexAt(place, batch + number));
    }
    return read(batch, type.getRank() - 1 - batch, chosen);
  }
};

} // namespace

Value amp::compiler::emitGather(KernelEmitter &k, Operation *op, const Index &index) {
  Gather gather{k, index, op->getOperand(0), op->getOperand(1)};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](graph::GatherOp slices) { return gather.along(int64_t(slices.getAxis())); })
      .Case([&](graph::GatherElementsOp elements) { return gather.elements(int64_t(elements.getAxis())); })
      .Case([&](graph::GatherNdOp tuples) { return gather.tuples(int64_t(tuples.getBatchDims())); });
}

void amp::compiler::emitGatherGradient(KernelEmitter &k, Operation *op) {
  auto gather = cast<graph::GatherGradOp>(op);
  ChannelShape dx = channelShape(KernelEmitter::typeOf(gather.getDx()), int64_t(gather.getAxis()));
  RankedTensorType type = KernelEmitter::typeOf(gather.getIndices());
  Memory out = *k.directMemory(0);
  auto place = [&](Value outer, Value row, Value column) {
    return k.add(k.mul(k.add(k.mul(outer, dx.channels), row), dx.inner), column);
  };
  k.loop(k.constant(0), k.constant(dx.outer), 1, [&](Value outer) {
    k.loop(k.begin, k.end, 1, [&](Value row) {
      k.vectors(dx.inner, k.target.lanes, [&](Value column, int64_t lanes) {
        k.store(out, place(outer, row, column), k.number(k.f32(), 0, lanes));
      });
    });
    // Each tile looks at all indices and adds what falls into its rows: the order is that of the indices.
    k.loop(k.constant(0), k.constant(type.getNumElements()), 1, [&](Value number) {
      Value row = k.wrapped(k.at(gather.getIndices(), Index::at(number, 1)), type.getElementType(), dx.channels);
      Value mine = arith::CmpIOp::create(k.b, arith::CmpIPredicate::ult, k.sub(row, k.begin), k.sub(k.end, k.begin));
      k.when(mine, [&] {
        Value slice = k.mul(k.add(k.mul(outer, type.getNumElements()), number), dx.inner);
        k.vectors(dx.inner, k.target.lanes, [&](Value column, int64_t lanes) {
          Value dy = k.spread(k.at(gather.getDy(), Index::at(k.add(slice, column), lanes)), lanes);
          Value to = place(outer, row, column);
          k.store(out, to, k.addf(k.load(out, to, lanes), dy));
        });
      });
    });
  });
}
