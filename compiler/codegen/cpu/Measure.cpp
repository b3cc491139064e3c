// The finite test and the norm of all gradients: one pass over each, sums in f64 in a fixed order.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/train/Train.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

struct Measure {
  KernelEmitter &k;
  Type f64 = k.b.getF64Type();

  /// Adds one vector, or one element, of a gradient to the sums {finite, squares}.
  SmallVector<Value> step(Value value, ValueRange old) {
    auto vector = dyn_cast<VectorType>(value.getType());
    int64_t lanes = vector ? vector.getDimSize(0) : 1;
    Value magnitude = math::AbsFOp::create(k.b, value);
    Value limit = k.number(getElementTypeOrSelf(value.getType()), std::numeric_limits<double>::infinity(), lanes);
    Value finite = arith::CmpFOp::create(k.b, arith::CmpFPredicate::OLT, magnitude, limit);
    Value wide = getElementTypeOrSelf(value.getType()) == f64
                     ? value
                     : Value(arith::ExtFOp::create(k.b, k.withLanes(f64, lanes), value));
    return {arith::AndIOp::create(k.b, old[0], finite), k.multiplyAdd(wide, wide, old[1])};
  }

  SmallVector<Value> start(int64_t lanes) { return {k.number(k.b.getI1Type(), 1, lanes), k.number(f64, 0, lanes)}; }

  /// One gradient: {finite, sum of squares}.
  SmallVector<Value> gradient(Value tensor) {
    RankedTensorType type = KernelEmitter::typeOf(tensor);
    int64_t all = type.getNumElements(), lanes = k.target.lanes, whole = all / lanes * lanes;
    auto run = [&](int64_t from, int64_t to, int64_t width) {
      return k.accumulate(k.constant(from), k.constant(to), width, start(width), [&](Value position, ValueRange old) {
        Index index;
        index.axes = {position};
        index.flat = true;
        index.lanes = width;
        index.vectorAxis = 0;
        return step(k.at(tensor, index), old);
      });
    };
    SmallVector<Value> sums = run(0, whole, lanes), rest = run(whole, all, 1);
    return {arith::AndIOp::create(k.b, k.allLanes(sums[0]), rest[0]), k.addf(k.sumLanes(sums[1]), rest[1])};
  }
};

} // namespace

void amp::compiler::emitMeasure(KernelEmitter &k, Operation *op) {
  Measure measure{k};
  Value finite = k.number(k.b.getI1Type(), 1), squares = k.number(measure.f64, 0);
  for (Value tensor : op->getOperands()) {
    SmallVector<Value> sums = measure.gradient(tensor);
    finite = arith::AndIOp::create(k.b, finite, sums[0]);
    squares = k.addf(squares, sums[1]);
  }
  Value norm = arith::TruncFOp::create(k.b, k.f32(), math::SqrtOp::create(k.b, squares));
  k.store(k.staged(0), k.constant(0), finite);
  k.store(k.staged(1), k.constant(0), norm);
}
