// Pools and their gradients, computed where an element is wanted: lanes are channels, so a window is the same for all.
#include "compiler/codegen/cpu/ImageIndex.h"
#include "compiler/codegen/cpu/Pool.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

static ArrayRef<int64_t> shapeOf(Value value) {
  return KernelEmitter::typeOf(value).getShape();
}

template <typename Op> void Pool::read(Op op, ArrayRef<int64_t> input, ArrayRef<int64_t> output) {
  layout = op.getLayout();
  resultLayout = op.getResultLayout();
  graph::ImageAxes in(layout), out(resultLayout);
  auto axis = [&](int64_t number, int64_t inLength, int64_t outLength) {
    return PoolAxis{inLength,
                    outLength,
                    op.getKernel()[number],
                    op.getStrides()[number],
                    op.getPads()[number],
                    op.getPads()[number + 2],
                    op.getDilations()[number]};
  };
  height = axis(0, input[in.height], output[out.height]);
  width = axis(1, input[in.width], output[out.width]);
  element = KernelEmitter::computeType(KernelEmitter::typeOf(op->getResult(0)).getElementType());
}

Pool::Pool(KernelEmitter &k, Operation *op) : k(k) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](graph::MaxPool2dOp max) {
        maximum = true;
        x = max.getX();
        read(max, shapeOf(x), shapeOf(max.getY()));
      })
      .Case([&](graph::AveragePool2dOp average) {
        countsPadding = average.getCountIncludePad();
        x = average.getX();
        read(average, shapeOf(x), shapeOf(average.getY()));
      })
      .Case([&](graph::MaxPool2dGradOp max) {
        maximum = true;
        x = max.getX();
        dy = max.getDy();
        read(max, shapeOf(x), shapeOf(dy));
      })
      .Case([&](graph::AveragePool2dGradOp average) {
        countsPadding = average.getCountIncludePad();
        dy = average.getDy();
        read(average, shapeOf(average.getDx()), shapeOf(dy));
      });
}

Index Pool::image(graph::ChannelLayout where, int64_t lanes, Value n, Value c, Value h, Value w) {
  return imageIndex(graph::ImageAxes(where), lanes, n, c, h, w);
}

PoolTaps Pool::taps(const PoolAxis &axis, Value window) {
  if (axis.inside())
    return {k.constant(0), k.constant(axis.kernel)};
  Value start = k.add(k.mul(window, axis.stride), -axis.pad);
  Value before = k.larger(k.sub(k.constant(0), start), k.constant(0));
  Value room = k.larger(k.sub(k.constant(axis.input), start), k.constant(0));
  return {ceiling(before, axis.dilation), k.smaller(ceiling(room, axis.dilation), k.constant(axis.kernel))};
}

/// The number of taps that count: inside the input, or also in the padding.
Value Pool::counted(const PoolAxis &axis, Value window, const PoolTaps &inside) {
  if (axis.inside())
    return k.constant(axis.kernel);
  if (!countsPadding)
    return k.sub(inside.last, inside.first);
  Value start = k.add(k.mul(window, axis.stride), -axis.pad);
  Value room = k.larger(k.sub(k.constant(axis.input + axis.padEnd), start), k.constant(0));
  return k.smaller(ceiling(room, axis.dilation), k.constant(axis.kernel));
}

Value Pool::position(const PoolAxis &axis, Value window, Value tap) {
  return k.add(k.add(k.mul(window, axis.stride), k.mul(tap, axis.dilation)), -axis.pad);
}

PoolTaps Pool::windows(const PoolAxis &axis, Value first, Value last) {
  Value reach = k.larger(k.add(first, axis.pad - (axis.kernel - 1) * axis.dilation), k.constant(0));
  Value end = k.smaller(k.add(k.divide(k.add(last, axis.pad - 1), axis.stride), 1), k.constant(axis.output));
  return {ceiling(reach, axis.stride), end};
}

SmallVector<Value> Pool::fold(Value n, Value c, Value h, Value w, int64_t lanes, ValueRange start, Step step) {
  PoolTaps rows = taps(height, h), columns = taps(width, w);
  return k.accumulate(rows.first, rows.last, 1, start, [&](Value a, ValueRange outer) {
    return k.accumulate(columns.first, columns.last, 1, outer, [&](Value b, ValueRange old) {
      Value value = k.at(x, image(layout, lanes, n, c, position(height, h, a), position(width, w, b)));
      return step(old, value, k.add(k.mul(a, width.kernel), b));
    });
  });
}

Value Pool::divisor(Value h, Value w, int64_t lanes) {
  Value rows = counted(height, h, taps(height, h)), columns = counted(width, w, taps(width, w));
  Value cells = arith::MulIOp::create(k.b, rows, columns);
  return k.spread(arith::SIToFPOp::create(k.b, element, cells), lanes);
}

Value Pool::forward(const Index &index) {
  graph::ImageAxes axes(resultLayout);
  Value n = index.axes[0], c = index.axes[axes.channels], h = index.axes[axes.height], w = index.axes[axes.width];
  double start = maximum ? -std::numeric_limits<double>::infinity() : 0.0;
  Value folded = fold(n, c, h, w, index.lanes, k.number(element, start, index.lanes),
                      [&](ValueRange old, Value value, Value) -> SmallVector<Value> {
                        return {maximum ? k.maximum(old[0], value) : k.addf(old[0], value)};
                      })[0];
  return maximum ? folded : Value(arith::DivFOp::create(k.b, folded, divisor(h, w, index.lanes)));
}

Value Pool::covering(const PoolAxis &axis, Value input, Value start,
                     llvm::function_ref<Value(Value, Value, Value)> term) {
  PoolTaps range = windows(axis, input, k.add(input, 1));
  Value padded = k.add(input, axis.pad);
  return k.accumulate(range.first, range.last, 1, start, [&](Value window, ValueRange old) {
    Value distance = k.sub(padded, k.mul(window, axis.stride));
    Value tap = k.divide(distance, axis.dilation);
    if (axis.dilation == 1)
      return SmallVector<Value>{term(window, tap, old[0])};
    Value hits = arith::CmpIOp::create(k.b, arith::CmpIPredicate::eq, k.mul(tap, axis.dilation), distance);
    return k.choose(hits, old, [&] { return SmallVector<Value>{term(window, tap, old[0])}; });
  })[0];
}

Value Pool::gradient(const Index &index) {
  graph::ImageAxes axes(layout);
  Value n = index.axes[0], c = index.axes[axes.channels], zero = k.number(element, 0, index.lanes);
  return covering(height, index.axes[axes.height], zero, [&](Value h, Value a, Value outer) {
    return covering(width, index.axes[axes.width], outer, [&](Value w, Value b, Value sum) {
      Value upstream = k.at(dy, image(resultLayout, index.lanes, n, c, h, w));
      if (!maximum)
        return k.addf(sum, arith::DivFOp::create(k.b, upstream, divisor(h, w, index.lanes)));
      Value best = firstMaximum(index.lanes, n, c, h, w);
      return k.addf(sum, whereMaximum(best, a, b, upstream, index.lanes));
    });
  });
}

Value Pool::firstMaximum(int64_t lanes, Value n, Value c, Value h, Value w) {
  Type i32 = k.b.getI32Type();
  auto numbered = [&](Value number) { return k.spread(arith::TruncIOp::create(k.b, i32, number), lanes); };
  // The first tap is taken even if it is -inf; after it, only what is greater, or the first NaN.
  Value first = k.add(k.mul(taps(height, h).first, width.kernel), taps(width, w).first);
  SmallVector<Value> start{k.number(element, -std::numeric_limits<double>::infinity(), lanes), numbered(first)};
  return fold(n, c, h, w, lanes, start, [&](ValueRange old, Value value, Value number) -> SmallVector<Value> {
    Value greater = arith::CmpFOp::create(k.b, arith::CmpFPredicate::UGT, value, old[0]);
    Value open = arith::CmpFOp::create(k.b, arith::CmpFPredicate::ORD, old[0], old[0]);
    Value better = arith::AndIOp::create(k.b, greater, open);
    return {arith::SelectOp::create(k.b, better, value, old[0]),
            arith::SelectOp::create(k.b, better, numbered(number), old[1])};
  })[1];
}

Value Pool::whereMaximum(Value best, Value a, Value b, Value upstream, int64_t lanes) {
  Value number = arith::TruncIOp::create(k.b, k.b.getI32Type(), k.add(k.mul(a, width.kernel), b));
  Value mine = arith::CmpIOp::create(k.b, arith::CmpIPredicate::eq, best, k.spread(number, lanes));
  return arith::SelectOp::create(k.b, mine, upstream, k.number(element, 0, lanes));
}

Value amp::compiler::emitPool(KernelEmitter &k, Operation *op, const Index &index) {
  ComputedScope scope(k);
  return Pool(k, op).forward(index);
}

Value amp::compiler::emitPoolGradient(KernelEmitter &k, Operation *op, const Index &index) {
  ComputedScope scope(k);
  return Pool(k, op).gradient(index);
}

bool amp::compiler::pullsVectors(Operation *op, int vectorAxis) {
  int64_t last = KernelEmitter::typeOf(op->getResult(0)).getRank() - 1;
  // Lanes of a sum lie along the last axis of its operand; if that is the one summed over, they fold inside.
  auto keepsLast = [&](ArrayRef<int64_t> axes) {
    return !llvm::is_contained(axes, KernelEmitter::typeOf(op->getOperand(0)).getRank() - 1) && vectorAxis == last;
  };
  auto rankOf = [](Value value) { return KernelEmitter::typeOf(value).getRank(); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp>([&](auto sum) { return keepsLast(sum.getAxes()); })
      .Case<graph::MaxPool2dOp, graph::AveragePool2dOp>(
          [&](auto pool) { return vectorAxis == graph::ImageAxes(pool.getResultLayout()).channels; })
      .Case<graph::MaxPool2dGradOp, graph::AveragePool2dGradOp>(
          [&](auto pool) { return vectorAxis == graph::ImageAxes(pool.getLayout()).channels; })
      // Behind the indices, lanes lie in one slice.
      .Case([&](graph::GatherOp op) { return vectorAxis >= int64_t(op.getAxis()) + rankOf(op.getIndices()); })
      .Case([&](graph::GatherNdOp op) { return vectorAxis >= rankOf(op.getIndices()) - 1; })
      .Default(false);
}
