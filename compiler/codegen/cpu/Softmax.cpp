// Softmax, log-softmax and their gradients, row by row.
#include "compiler/codegen/cpu/AxisLoop.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

AxisLoop::AxisLoop(KernelEmitter &k, RankedTensorType type, int64_t axis)
    : k(k), type(type), axis(axis), length(type.getDimSize(axis)) {
  for (int64_t before : type.getShape().take_front(axis))
    outer *= before;
  for (int64_t after : type.getShape().drop_front(axis + 1))
    inner *= after;
}

void AxisLoop::forEachRows(Value first, Value last, llvm::function_ref<void()> body) {
  ArrayRef<int64_t> shape = type.getShape(), innerShape = shape.drop_front(axis + 1);
  k.loop(first, last, 1, [&](Value step) {
    outerAxes.assign(k.delinearise(shape.take_front(axis), step).axes);
    if (innerShape.empty()) {
      rowLanes = 1;
      body();
      return;
    }
    k.loop(k.constant(0), k.constant(inner / innerShape.back()), 1, [&](Value block) {
      Index outerInner = k.delinearise(innerShape.drop_back(), block);
      k.vectors(innerShape.back(), k.target.lanes, [&](Value position, int64_t lanes) {
        innerAxes.assign(outerInner.axes);
        innerAxes.push_back(position);
        rowLanes = lanes;
        body();
      });
    });
  });
}

Index AxisLoop::place(Value position, int64_t lanes) const {
  Index index;
  index.axes.append(outerAxes.begin(), outerAxes.end());
  index.axes.push_back(position);
  index.axes.append(innerAxes.begin(), innerAxes.end());
  index.lanes = lanes;
  index.vectorAxis = lanes == 1 ? -1 : innerAxes.empty() ? int(axis) : int(index.axes.size()) - 1;
  return index;
}

Index AxisLoop::rowIndex() const {
  Index index = place({}, rowLanes);
  index.axes.erase(index.axes.begin() + axis);
  index.vectorAxis = rowLanes == 1 ? -1 : int(index.axes.size()) - 1;
  return index;
}

Value AxisLoop::fold(double start, Element element, llvm::function_ref<Value(Value, Value)> combine,
                     llvm::function_ref<Value(Value)> foldLanes) {
  bool along = innerAxes.empty();
  int64_t lanes = along ? k.target.lanes : rowLanes;
  int64_t step = along ? lanes : 1, whole = length / step * step;
  if (whole == 0)
    return foldLanes(element(place(k.constant(0), length), k.constant(0)));
  auto folded = k.accumulate(k.constant(0), k.constant(whole), step, k.number(k.f32(), start, lanes),
                             [&](Value position, ValueRange old) -> SmallVector<Value> {
                               return {combine(old[0], element(place(position, lanes), position))};
                             });
  if (!along)
    return folded[0];
  Value result = foldLanes(folded[0]);
  if (length == whole)
    return result;
  ComputedScope scope(k);
  return combine(result, foldLanes(element(place(k.constant(whole), length - whole), k.constant(whole))));
}

Value AxisLoop::sum(Element element) {
  return fold(
      0.0, element, [&](Value lhs, Value rhs) { return k.addf(lhs, rhs); },
      [&](Value vector) { return k.sumLanes(vector); });
}

Value AxisLoop::maximum(Element element) {
  return fold(
      -std::numeric_limits<double>::infinity(), element, [&](Value lhs, Value rhs) { return k.maximum(lhs, rhs); },
      [&](Value vector) { return k.maximumLanes(vector); });
}

void AxisLoop::store(const Memory &memory, Element element) {
  auto storeAt = [&](Value position, int64_t lanes) {
    Index index = place(position, lanes);
    Value value = k.spread(element(index, position), lanes);
    k.store(memory, k.linear(type.getShape(), index), value);
  };
  if (innerAxes.empty())
    k.vectors(length, k.target.lanes, storeAt);
  else
    k.loop(k.constant(0), k.constant(length), 1, [&](Value position) { storeAt(position, rowLanes); });
}

namespace {

struct Rows {
  KernelEmitter &k;
  AxisLoop rows;

  Value exp(Value value) { return graph::Lanes(k.b, k.b.getLoc()).exp(value); }
  Value minus(Value lhs, Value rhs, const Index &index) {
    return arith::SubFOp::create(k.b, lhs, k.spread(rhs, index.lanes));
  }
  Value times(Value lhs, Value rhs, const Index &index) { return k.mulf(lhs, k.spread(rhs, index.lanes)); }

  /// Three passes over a row; what a pass computed waits in the stage.
  void softmax(Value x, bool logarithm) {
    Memory out = k.staged(0);
    ArrayRef<int64_t> shape = KernelEmitter::typeOf(x).getShape();
    auto keep = [&](const Index &index, Value value) {
      value = k.spread(value, index.lanes);
      k.store(out, k.linear(shape, index), value);
      return value;
    };
    auto kept = [&](const Index &index) { return k.load(out, k.linear(shape, index), index.lanes); };
    bool isArgument = k.isArgument(x);
    auto read = [&](const Index &index) { return isArgument ? k.at(x, index) : kept(index); };
    Value largest = rows.maximum(
        [&](const Index &index, Value) { return isArgument ? k.at(x, index) : keep(index, k.at(x, index)); });
    auto shifted = [&](const Index &index) { return minus(read(index), largest, index); };
    if (logarithm) {
      Value sum = rows.sum([&](const Index &index, Value) { return exp(shifted(index)); });
      Value logSum = graph::Lanes(k.b, k.b.getLoc()).log(sum);
      rows.store(out, [&](const Index &index, Value) { return minus(shifted(index), logSum, index); });
      return;
    }
    Value sum = rows.sum([&](const Index &index, Value) { return keep(index, exp(shifted(index))); });
    rows.store(out, [&](const Index &index, Value) -> Value {
      return arith::DivFOp::create(k.b, kept(index), k.spread(sum, index.lanes));
    });
  }

  /// What softmax gave; 0 for NaN, which a row has that a mask leaves nothing.
  Value share(Value y, const Index &index) {
    graph::Lanes lanes(k.b, k.b.getLoc());
    Value value = k.at(y, index);
    return lanes.select(lanes.compare(arith::CmpFPredicate::ORD, value, value), value, lanes.real(value, 0.0));
  }

  void softmaxGradient(Value dy, Value y, bool logarithm) {
    Value sum = rows.sum([&](const Index &index, Value) {
      return logarithm ? k.at(dy, index) : k.mulf(k.at(dy, index), share(y, index));
    });
    rows.store(k.staged(0), [&](const Index &index, Value) -> Value {
      if (logarithm)
        return arith::SubFOp::create(k.b, k.at(dy, index), times(exp(k.at(y, index)), sum, index));
      return k.mulf(share(y, index), minus(k.at(dy, index), sum, index));
    });
  }
};

} // namespace

void amp::compiler::emitSoftmax(KernelEmitter &k, Operation *op) {
  int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  Rows rows{k, AxisLoop(k, KernelEmitter::typeOf(op->getResult(0)), axis)};
  Value first = k.divide(k.begin, rows.rows.pieceElements()), last = k.divide(k.end, rows.rows.pieceElements());
  rows.rows.forEachRows(first, last, [&] {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](graph::SoftmaxOp soft) { rows.softmax(soft.getX(), false); })
        .Case([&](graph::LogSoftmaxOp soft) { rows.softmax(soft.getX(), true); })
        .Case([&](graph::SoftmaxGradOp soft) { rows.softmaxGradient(soft.getDy(), soft.getY(), false); })
        .Case([&](graph::LogSoftmaxGradOp soft) { rows.softmaxGradient(soft.getDy(), soft.getY(), true); });
  });
}
