// Layer normalisation and its gradient, row by row; sums run over the lanes of a row.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// The rows that are normalised: the trailing axes from `axis` on.
struct NormalRows {
  KernelEmitter &k;
  RankedTensorType type;
  int64_t axis;
  double eps;
  bool flat; ///< all that is read takes flat places
  int64_t length = channelShape(type, axis).channels * channelShape(type, axis).inner;
  bool oneAxis = axis == type.getRank() - 1;
  int64_t lanes = flat || oneAxis ? 2 * k.target.lanes : 1;

  Value minus(Value lhs, Value rhs, int64_t lanes) { return arith::SubFOp::create(k.b, lhs, k.spread(rhs, lanes)); }
  Value times(Value lhs, Value rhs, int64_t lanes) { return k.mulf(lhs, k.spread(rhs, lanes)); }
  Value overLength(Value sum) { return k.mulf(sum, k.number(k.f32(), 1.0 / double(length))); }
  Value position(Value row, Value column) { return k.add(k.mul(row, length), column); }

  Value at(Value value, Value row, Value column, int64_t lanes) {
    if (flat)
      return k.spread(k.at(value, Index::at(position(row, column), lanes, oneAxis ? length : 0, column)), lanes);
    Index index = k.delinearise(type.getShape().take_front(axis), row);
    index.axes.append(k.delinearise(type.getShape().drop_front(axis), column).axes);
    index.lanes = lanes;
    index.vectorAxis = lanes > 1 ? int(axis) : -1;
    return k.spread(k.at(value, index), lanes);
  }
  /// Of a tensor of one row.
  Value ofRow(Value value, Value column, int64_t lanes) {
    return k.spread(k.at(value, Index::at(column, lanes)), lanes);
  }

  using Element = llvm::function_ref<Value(Value column, int64_t lanes)>;
  Value mean(Element x) {
    return overLength(k.sumsAlong(
        length, lanes, 1, [&](Value column, int64_t width) { return SmallVector<Value>{x(column, width)}; })[0]);
  }
  /// 1 / sqrt(variance + eps).
  Value deviation(Value mean, Element x) {
    Value squares = k.sumsAlong(length, lanes, 1, [&](Value column, int64_t width) {
      Value centred = minus(x(column, width), mean, width);
      return SmallVector<Value>{k.mulf(centred, centred)};
    })[0];
    Value variance = k.addf(overLength(squares), k.number(k.f32(), eps));
    return arith::DivFOp::create(k.b, k.number(k.f32(), 1), math::SqrtOp::create(k.b, variance));
  }
};

struct LayerNormGradient {
  KernelEmitter &k;
  graph::LayerNormGradOp op;
  NormalRows rows;
  std::optional<Memory> dx = k.directMemory(0), dscale = k.directMemory(1), dbias = k.directMemory(2);

  Value x(Value row, Value column, int64_t lanes) { return rows.at(op.getX(), row, column, lanes); }
  Value dy(Value row, Value column, int64_t lanes) { return rows.at(op.getDy(), row, column, lanes); }
  Value scale(Value column, int64_t lanes) { return rows.ofRow(op.getScale(), column, lanes); }

  void forColumns(llvm::function_ref<void(Value, int64_t)> body) { k.vectors(rows.length, rows.lanes, body); }

  void part(Value number) {
    int64_t all = rows.type.getNumElements() / rows.length, each = llvm::divideCeil(all, int64_t(op.getParts()));
    forColumns([&](Value column, int64_t lanes) {
      for (auto &sums : {dscale, dbias})
        if (sums)
          k.store(*sums, rows.position(number, column), k.number(k.f32(), 0, lanes));
    });
    Value first = k.smaller(k.mul(number, each), k.constant(all));
    k.loop(first, k.smaller(k.add(first, each), k.constant(all)), 1, [&](Value row) { this->row(number, row); });
  }

  void row(Value part, Value row) {
    auto xOf = [&](Value column, int64_t lanes) { return x(row, column, lanes); };
    Value mean = rows.mean(xOf), deviation = rows.deviation(mean, xOf);
    auto normal = [&](Value column, int64_t lanes) {
      return rows.times(rows.minus(xOf(column, lanes), mean, lanes), deviation, lanes);
    };
    auto sums = k.sumsAlong(rows.length, rows.lanes, 2, [&](Value column, int64_t lanes) {
      Value g = k.mulf(dy(row, column, lanes), scale(column, lanes));
      return SmallVector<Value>{g, k.mulf(g, normal(column, lanes))};
    });
    Value meanOfG = rows.overLength(sums[0]), share = rows.overLength(sums[1]);
    forColumns([&](Value column, int64_t lanes) {
      Value up = dy(row, column, lanes), xhat = normal(column, lanes);
      Value g = rows.minus(k.mulf(up, scale(column, lanes)), meanOfG, lanes);
      Value gradient = arith::SubFOp::create(k.b, g, rows.times(xhat, share, lanes));
      add(dscale, part, column, k.mulf(up, xhat), lanes);
      add(dbias, part, column, up, lanes);
      if (dx)
        k.store(*dx, rows.position(row, column), rows.times(gradient, deviation, lanes));
    });
  }

  void add(std::optional<Memory> &sums, Value part, Value column, Value term, int64_t lanes) {
    if (!sums)
      return;
    Value place = rows.position(part, column);
    k.store(*sums, place, k.addf(k.load(*sums, place, lanes), term));
  }
};

} // namespace

void amp::compiler::emitLayerNorm(KernelEmitter &k, Operation *op) {
  auto norm = cast<graph::LayerNormOp>(op);
  Value x = norm.getX();
  RankedTensorType type = KernelEmitter::typeOf(x);
  int64_t axis = int64_t(norm.getAxis()), last = axis == type.getRank() - 1 ? type.getShape().back() : 0;
  NormalRows rows{k, type, axis, norm.getEps().convertToDouble(), k.isFlat(x, last)};
  // A prologue is computed once: the row waits in the stage.
  bool keeps = !k.isArgument(x);
  Memory out = k.staged(0);
  k.loop(k.divide(k.begin, rows.length), k.divide(k.end, rows.length), 1, [&](Value row) {
    Value mean = rows.mean([&](Value column, int64_t lanes) {
      Value value = rows.at(x, row, column, lanes);
      if (keeps)
        k.store(out, rows.position(row, column), value);
      return value;
    });
    auto read = [&](Value column, int64_t lanes) {
      return keeps ? k.load(out, rows.position(row, column), lanes) : rows.at(x, row, column, lanes);
    };
    Value deviation = rows.deviation(mean, read);
    k.vectors(rows.length, rows.lanes, [&](Value column, int64_t lanes) {
      Value y = rows.times(rows.minus(read(column, lanes), mean, lanes), deviation, lanes);
      y = k.mulf(y, rows.ofRow(norm.getScale(), column, lanes));
      if (norm.getBias())
        y = k.addf(y, rows.ofRow(norm.getBias(), column, lanes));
      k.store(out, rows.position(row, column), y);
    });
  });
}

void amp::compiler::emitLayerNormGradient(KernelEmitter &k, Operation *op) {
  auto norm = cast<graph::LayerNormGradOp>(op);
  RankedTensorType type = KernelEmitter::typeOf(norm.getX());
  bool flat = k.isFlat(norm.getX()) && k.isFlat(norm.getDy());
  NormalRows rows{k, type, int64_t(norm.getAxis()), norm.getEps().convertToDouble(), flat};
  LayerNormGradient gradient{k, norm, rows};
  k.loop(k.begin, k.end, 1, [&](Value part) { gradient.part(part); });
}
