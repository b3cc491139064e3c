// Pools and their gradients, computed where an element is wanted: lanes are channels, so a window is the same for all.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/ShapeRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// One spatial axis: window o covers input positions o * stride - pad + tap * dilation.
struct Axis {
  int64_t input, output, kernel, stride, pad, padEnd, dilation;

  /// Whether every window lies inside the input.
  bool inside() const { return pad == 0 && (output - 1) * stride + (kernel - 1) * dilation < input; }
};

/// The taps of a window that lie inside the input.
struct Taps {
  Value first, last;
};

struct Pool {
  KernelEmitter &k;
  bool maximum = false, countsPadding = false;
  graph::ChannelLayout layout{}, resultLayout{};
  Axis height{}, width{};
  Value x{}, dy{}; ///< x of a maximum, dy of a gradient
  Type element{};

  template <typename Op> void read(Op op, ArrayRef<int64_t> input, ArrayRef<int64_t> output) {
    layout = op.getLayout();
    resultLayout = op.getResultLayout();
    graph::ImageAxes in(layout), out(resultLayout);
    auto axis = [&](int64_t number, int64_t inLength, int64_t outLength) {
      return Axis{inLength,
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

  Index image(graph::ChannelLayout where, const Index &like, Value n, Value c, Value h, Value w) {
    graph::ImageAxes axes(where);
    Index index;
    index.axes.assign(4, n);
    index.axes[axes.channels] = c;
    index.axes[axes.height] = h;
    index.axes[axes.width] = w;
    index.lanes = like.lanes;
    index.vectorAxis = like.lanes > 1 ? int(axes.channels) : -1;
    return index;
  }

  Value minus(Value lhs, Value rhs) { return k.sub(lhs, rhs); }
  Value ceiling(Value lhs, int64_t by) { return k.divide(k.add(lhs, by - 1), by); }

  Taps taps(const Axis &axis, Value window) {
    if (axis.inside())
      return {k.constant(0), k.constant(axis.kernel)};
    Value start = k.add(k.mul(window, axis.stride), -axis.pad);
    Value before = k.larger(minus(k.constant(0), start), k.constant(0));
    Value room = k.larger(minus(k.constant(axis.input), start), k.constant(0));
    return {ceiling(before, axis.dilation), k.smaller(ceiling(room, axis.dilation), k.constant(axis.kernel))};
  }

  /// The number of taps that count: inside the input, or also in the padding.
  Value counted(const Axis &axis, Value window, const Taps &inside) {
    if (axis.inside())
      return k.constant(axis.kernel);
    if (!countsPadding)
      return minus(inside.last, inside.first);
    Value start = k.add(k.mul(window, axis.stride), -axis.pad);
    Value room = k.larger(minus(k.constant(axis.input + axis.padEnd), start), k.constant(0));
    return k.smaller(ceiling(room, axis.dilation), k.constant(axis.kernel));
  }

  Value position(const Axis &axis, Value window, Value tap) {
    return k.add(k.add(k.mul(window, axis.stride), k.mul(tap, axis.dilation)), -axis.pad);
  }

  /// Folds x over a window, row by row. `step` gets the sums, the value and the number of the tap.
  SmallVector<Value> fold(Value n, Value c, Value h, Value w, const Index &like, ValueRange start,
                          llvm::function_ref<SmallVector<Value>(ValueRange, Value, Value)> step) {
    Taps rows = taps(height, h), columns = taps(width, w);
    return k.accumulate(rows.first, rows.last, 1, start, [&](Value a, ValueRange outer) {
      return k.accumulate(columns.first, columns.last, 1, outer, [&](Value b, ValueRange old) {
        Value value = k.at(x, image(layout, like, n, c, position(height, h, a), position(width, w, b)));
        return step(old, value, k.add(k.mul(a, width.kernel), b));
      });
    });
  }

  Value divisor(Value h, Value w, int64_t lanes) {
    Value rows = counted(height, h, taps(height, h)), columns = counted(width, w, taps(width, w));
    Value cells = arith::MulIOp::create(k.b, rows, columns);
    return k.spread(arith::SIToFPOp::create(k.b, element, cells), lanes);
  }

  Value forward(const Index &index);
  Value gradient(const Index &index);
  Value windowGradient(const Index &index, Value n, Value c, Value h, Value w, Value tap);
  /// Adds up `term(window, tap)` over the windows that cover an input position.
  Value covering(const Axis &axis, Value input, Value start, llvm::function_ref<Value(Value, Value, Value)> term);
};

Value Pool::forward(const Index &index) {
  graph::ImageAxes axes(resultLayout);
  Value n = index.axes[0], c = index.axes[axes.channels], h = index.axes[axes.height], w = index.axes[axes.width];
  double start = maximum ? -std::numeric_limits<double>::infinity() : 0.0;
  Value folded = fold(n, c, h, w, index, k.number(element, start, index.lanes),
                      [&](ValueRange old, Value value, Value) -> SmallVector<Value> {
                        return {maximum ? k.maximum(old[0], value) : k.addf(old[0], value)};
                      })[0];
  return maximum ? folded : Value(arith::DivFOp::create(k.b, folded, divisor(h, w, index.lanes)));
}

Value Pool::covering(const Axis &axis, Value input, Value start, llvm::function_ref<Value(Value, Value, Value)> term) {
  Value padded = k.add(input, axis.pad);
  Value reach = k.larger(k.add(padded, -(axis.kernel - 1) * axis.dilation), k.constant(0));
  Value last = k.smaller(k.add(k.divide(padded, axis.stride), 1), k.constant(axis.output));
  return k.accumulate(ceiling(reach, axis.stride), last, 1, start, [&](Value window, ValueRange old) {
    Value distance = minus(padded, k.mul(window, axis.stride));
    Value tap = k.divide(distance, axis.dilation);
    if (axis.dilation == 1)
      return SmallVector<Value>{term(window, tap, old[0])};
    Value hits = arith::CmpIOp::create(k.b, arith::CmpIPredicate::eq, k.mul(tap, axis.dilation), distance);
    return k.choose(hits, old, [&] { return SmallVector<Value>{term(window, tap, old[0])}; });
  })[0];
}

Value Pool::gradient(const Index &index) {
  graph::ImageAxes axes(layout);
  Value n = index.axes[0], c = index.axes[axes.channels];
  return covering(height, index.axes[axes.height], k.number(element, 0, index.lanes),
                  [&](Value h, Value a, Value outer) {
                    return covering(width, index.axes[axes.width], outer, [&](Value w, Value b, Value sum) {
                      return k.addf(sum, windowGradient(index, n, c, h, w, k.add(k.mul(a, width.kernel), b)));
                    });
                  });
}

/// What one window gives to the position that is its tap `tap`.
Value Pool::windowGradient(const Index &index, Value n, Value c, Value h, Value w, Value tap) {
  Value upstream = k.at(dy, image(resultLayout, index, n, c, h, w));
  if (!maximum)
    return arith::DivFOp::create(k.b, upstream, divisor(h, w, index.lanes));
  int64_t lanes = index.lanes;
  SmallVector<Value> start{k.number(element, -std::numeric_limits<double>::infinity(), lanes),
                           k.spread(k.constant(-1), lanes)};
  auto best = fold(n, c, h, w, index, start, [&](ValueRange old, Value value, Value number) -> SmallVector<Value> {
    // The first tap is taken even if it is -inf; after it, only what is greater, or the first NaN.
    auto is = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs) -> Value {
      return arith::CmpFOp::create(k.b, predicate, lhs, rhs);
    };
    Value first = arith::CmpIOp::create(k.b, arith::CmpIPredicate::slt, old[1], k.spread(k.constant(0), lanes));
    Value nan = arith::AndIOp::create(k.b, is(arith::CmpFPredicate::UNO, value, value),
                                      is(arith::CmpFPredicate::ORD, old[0], old[0]));
    Value better = arith::OrIOp::create(k.b, is(arith::CmpFPredicate::OGT, value, old[0]), nan);
    better = arith::OrIOp::create(k.b, better, first);
    return {arith::SelectOp::create(k.b, better, value, old[0]),
            arith::SelectOp::create(k.b, better, k.spread(number, lanes), old[1])};
  });
  Value mine = arith::CmpIOp::create(k.b, arith::CmpIPredicate::eq, best[1], k.spread(tap, lanes));
  return arith::SelectOp::create(k.b, mine, upstream, k.number(element, 0, lanes));
}

Pool poolOf(KernelEmitter &k, Operation *op) {
  Pool pool{k};
  auto shape = [](Value value) { return KernelEmitter::typeOf(value).getShape(); };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](graph::MaxPool2dOp max) {
        pool.maximum = true;
        pool.x = max.getX();
        pool.read(max, shape(max.getX()), shape(max.getY()));
      })
      .Case([&](graph::AveragePool2dOp average) {
        pool.countsPadding = average.getCountIncludePad();
        pool.x = average.getX();
        pool.read(average, shape(average.getX()), shape(average.getY()));
      })
      .Case([&](graph::MaxPool2dGradOp max) {
        pool.maximum = true;
        pool.x = max.getX();
        pool.dy = max.getDy();
        pool.read(max, shape(max.getX()), shape(max.getDy()));
      })
      .Case([&](graph::AveragePool2dGradOp average) {
        pool.countsPadding = average.getCountIncludePad();
        pool.dy = average.getDy();
        pool.read(average, shape(average.getDx()), shape(average.getDy()));
      });
  return pool;
}

} // namespace

Value amp::compiler::emitPool(KernelEmitter &k, Operation *op, const Index &index) {
  ComputedScope scope(k);
  return poolOf(k, op).forward(index);
}

Value amp::compiler::emitPoolGradient(KernelEmitter &k, Operation *op, const Index &index) {
  ComputedScope scope(k);
  return poolOf(k, op).gradient(index);
}

bool amp::compiler::pullsVectors(Operation *op, int vectorAxis) {
  // Lanes of a sum lie along the last axis of its operand; if that is the one summed over, they fold inside.
  auto keepsLast = [&](ArrayRef<int64_t> axes) {
    int64_t rank = KernelEmitter::typeOf(op->getOperand(0)).getRank();
    return !llvm::is_contained(axes, rank - 1) && vectorAxis == KernelEmitter::typeOf(op->getResult(0)).getRank() - 1;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp>([&](auto sum) { return keepsLast(sum.getAxes()); })
      .Case<graph::MaxPool2dOp, graph::AveragePool2dOp>(
          [&](auto pool) { return vectorAxis == graph::ImageAxes(pool.getResultLayout()).channels; })
      .Case<graph::MaxPool2dGradOp, graph::AveragePool2dGradOp>(
          [&](auto pool) { return vectorAxis == graph::ImageAxes(pool.getLayout()).channels; })
      .Default(false);
}
