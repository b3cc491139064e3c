// Views that take a part of their operand, or show it with zeros around it. A place outside reads inside all the same,
// and what it reads is dropped: no load leaves its tensor.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/ShapeRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// What a slice takes of each axis of the whole: element i of the part is element start + i * step.
struct Range {
  int64_t start, step, count, length;
  bool whole() const { return start == 0 && step == 1 && count == length; }
};

template <typename Op> SmallVector<Range> rangesOf(Op op, ArrayRef<int64_t> whole) {
  SmallVector<Range> ranges;
  for (int64_t length : whole)
    ranges.push_back({0, 1, length, length});
  for (auto [number, axis] : llvm::enumerate(op.getAxes())) {
    int64_t step = op.getSteps()[number];
    auto range = graph::SliceRange::along(whole[axis], op.getStarts()[number], op.getEnds()[number], step);
    ranges[axis] = {range.start, step, range.count, whole[axis]};
  }
  return ranges;
}

SmallVector<Range> rangesOf(Operation *op) {
  if (auto slice = dyn_cast<graph::SliceOp>(op))
    return rangesOf(slice, KernelEmitter::typeOf(slice.getX()).getShape());
  auto gradient = cast<graph::SliceGradOp>(op);
  return rangesOf(gradient, KernelEmitter::typeOf(gradient.getDx()).getShape());
}

struct SliceGradient {
  KernelEmitter &k;
  Value dy;
  SmallVector<Range> ranges;
  Type element = KernelEmitter::computeType(KernelEmitter::typeOf(dy).getElementType());

  Value is(arith::CmpIPredicate predicate, Value lhs, int64_t rhs) {
    return arith::CmpIOp::create(k.b, predicate, lhs, k.constant(rhs));
  }
  Value both(Value lhs, Value rhs) { return lhs ? Value(arith::AndIOp::create(k.b, lhs, rhs)) : rhs; }

  /// Moves a place of one axis into dy, and says in `inside`, which may be null, whether there was an element.
  Value moved(const Range &range, Value position, Value &inside) {
    if (range.whole())
      return position;
    Value distance = range.step > 0 ? k.add(position, -range.start) : k.sub(k.constant(range.start), position);
    int64_t step = std::abs(range.step);
    // What is negative becomes a huge number: one comparison serves both ends.
    inside = both(inside, is(arith::CmpIPredicate::ult, distance, (range.count - 1) * step + 1));
    Value clamped = k.smaller(k.larger(distance, k.constant(0)), k.constant((range.count - 1) * step));
    if (step > 1)
      inside = both(inside, is(arith::CmpIPredicate::eq, k.rest(clamped, step), 0));
    return k.divide(clamped, step);
  }

  Value at(const Index &index) {
    Index place = index;
    Value inside;
    for (auto [axis, range] : llvm::enumerate(ranges))
      if (index.lanes == 1 || int(axis) != index.vectorAxis)
        place.axes[axis] = moved(range, index.axes[axis], inside);
    if (index.lanes == 1 || ranges[index.vectorAxis].whole())
      return hidden(inside, k.at(dy, place), index.lanes);
    return hidden(inside, window(place), index.lanes);
  }

  Value hidden(Value inside, Value value, int64_t lanes) {
    if (!inside)
      return value;
    return arith::SelectOp::create(k.b, inside, value, k.number(element, 0, lanes));
  }

  /// Lanes along an axis with zeros around it: all inside, or none, or one by one.
  Value window(const Index &index) {
    const Range &range = ranges[index.vectorAxis];
    int64_t lanes = index.lanes;
    Index place = index;
    Value first = place.axes[index.vectorAxis] = k.add(index.axes[index.vectorAxis], -range.start);
    Value zeros = k.number(element, 0, lanes);
    Value touches =
        both(is(arith::CmpIPredicate::sgt, first, -lanes), is(arith::CmpIPredicate::slt, first, range.count));
    return k.choose(touches, zeros, [&]() -> SmallVector<Value> {
      Value all =
          both(is(arith::CmpIPredicate::sge, first, 0), is(arith::CmpIPredicate::sle, first, range.count - lanes));
      Value none = arith::XOrIOp::create(k.b, all, k.number(k.b.getI1Type(), 1));
      SmallVector<Value> edges = k.choose(none, zeros, [&] { return SmallVector<Value>{edge(place)}; });
      if (range.count < lanes)
        return edges;
      return k.choose(all, edges, [&] { return SmallVector<Value>{k.spread(k.at(dy, place), lanes)}; });
    })[0];
  }

  Value edge(const Index &index) {
    int64_t last = ranges[index.vectorAxis].count - 1;
    Index place = index;
    Value position = index.axes[index.vectorAxis];
    SmallVector<Value> lanes;
    place.lanes = 1;
    place.vectorAxis = -1;
    for (int64_t lane = 0; lane < index.lanes; ++lane) {
      Value here = k.add(position, lane), inside;
      inside = is(arith::CmpIPredicate::ule, here, last);
      place.axes[index.vectorAxis] = k.smaller(k.larger(here, k.constant(0)), k.constant(last));
      lanes.push_back(hidden(inside, k.at(dy, place), 1));
    }
    return vector::FromElementsOp::create(k.b, VectorType::get({index.lanes}, element), lanes);
  }
};

} // namespace

bool amp::compiler::slicesVectors(Operation *op, int vectorAxis) {
  return vectorAxis < 0 || rangesOf(op)[vectorAxis].step == 1;
}

Value amp::compiler::emitSlice(KernelEmitter &k, Operation *op, const Index &index) {
  if (index.lanes > 1 && !slicesVectors(op, index.vectorAxis))
    return k.laneByLane(op->getResult(0), index);
  Index place = index;
  for (auto [axis, range] : llvm::enumerate(rangesOf(op)))
    place.axes[axis] = k.add(k.mul(index.axes[axis], range.step), range.start);
  return k.at(op->getOperand(0), place);
}

Value amp::compiler::emitSliceGradient(KernelEmitter &k, Operation *op, const Index &index) {
  if (index.lanes > 1 && !slicesVectors(op, index.vectorAxis))
    return k.laneByLane(op->getResult(0), index);
  ComputedScope scope(k);
  SliceGradient gradient{k, op->getOperand(0), rangesOf(op)};
  if (KernelEmitter::typeOf(gradient.dy).getNumElements() == 0)
    return k.number(gradient.element, 0, index.lanes);
  return k.spread(gradient.at(index), index.lanes);
}

Value amp::compiler::emitTrilu(KernelEmitter &k, Operation *op, const Index &index) {
  auto trilu = cast<graph::TriluOp>(op);
  int column = int(index.axes.size()) - 1, row = column - 1;
  auto along = [&](int axis) {
    return index.lanes > 1 && index.vectorAxis == axis ? k.indexVector(index.axes[axis], index.lanes)
                                                       : k.spread(index.axes[axis], index.lanes);
  };
  Value distance = arith::SubIOp::create(k.b, along(column), along(row));
  auto predicate = trilu.getUpper() ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle;
  Value limit = k.spread(k.constant(int64_t(trilu.getK())), index.lanes);
  Value kept = arith::CmpIOp::create(k.b, predicate, distance, limit);
  Value value = k.spread(k.at(trilu.getX(), index), index.lanes);
  return arith::SelectOp::create(k.b, kept, value, k.number(getElementTypeOrSelf(value.getType()), 0, index.lanes));
}
