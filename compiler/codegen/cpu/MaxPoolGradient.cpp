// The gradient of a maximum pool with channels last: every window finds its maximum once and gives to that element. A
// tile owns rows of an image; a window on its border gives to the rows inside alone.
#include "compiler/codegen/cpu/Pool.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

struct Scatter {
  KernelEmitter &k;
  Pool pool;
  int64_t channels;
  int64_t rowElements = pool.width.input * channels;
  Memory out = k.staged(0);

  /// Rows [from, to) of image n.
  void image(Value n, Value from, Value to) {
    PoolTaps windows = pool.windows(pool.height, from, to);
    k.loop(windows.first, windows.last, 1, [&](Value h) {
      k.loop(k.constant(0), k.constant(pool.width.output), 1, [&](Value w) {
        k.vectors(channels, 2 * k.target.lanes, [&](Value c, int64_t lanes) { window(n, c, h, w, lanes, from, to); });
      });
    });
  }

  void window(Value n, Value c, Value h, Value w, int64_t lanes, Value from, Value to) {
    Value best = pool.firstMaximum(lanes, n, c, h, w);
    Value upstream = k.spread(k.at(pool.dy, pool.image(pool.resultLayout, lanes, n, c, h, w)), lanes);
    PoolTaps rows = pool.taps(pool.height, h), columns = pool.taps(pool.width, w);
    k.loop(rows.first, rows.last, 1, [&](Value a) {
      Value row = pool.position(pool.height, h, a);
      Value mine = arith::CmpIOp::create(k.b, arith::CmpIPredicate::ult, k.sub(row, from), k.sub(to, from));
      Value start = k.mul(k.add(k.mul(n, pool.height.input), row), rowElements);
      k.when(mine, [&] {
        k.loop(columns.first, columns.last, 1, [&](Value b) {
          Value place = k.add(k.add(start, k.mul(pool.position(pool.width, w, b), channels)), c);
          Value given = pool.whereMaximum(best, a, b, upstream, lanes);
          k.store(out, place, k.addf(k.load(out, place, lanes), given));
        });
      });
    });
  }
};

} // namespace

void amp::compiler::emitMaxPoolGradient(KernelEmitter &k, Operation *op) {
  Pool pool(k, op);
  Scatter scatter{k, pool, KernelEmitter::typeOf(op->getResult(0)).getShape().back()};
  int64_t height = pool.height.input;
  Value first = k.divide(k.begin, scatter.rowElements), last = k.divide(k.end, scatter.rowElements);
  k.loop(first, last, 1, [&](Value row) {
    Value start = k.mul(row, scatter.rowElements);
    k.vectors(scatter.rowElements, k.target.lanes, [&](Value position, int64_t lanes) {
      k.store(scatter.out, k.add(start, position), k.number(pool.element, 0, lanes));
    });
  });
  k.loop(k.divide(first, height), k.divide(k.add(last, height - 1), height), 1, [&](Value n) {
    Value start = k.mul(n, height);
    Value from = k.larger(k.sub(first, start), k.constant(0)), to = k.smaller(k.sub(last, start), k.constant(height));
    scatter.image(n, from, to);
  });
}
