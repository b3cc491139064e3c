// Sums and means. Each reduced axis has sums of its own, added up when it ends, and a long axis is cut into blocks: the
// tree that this makes keeps the error of fp32 near that of a pairwise sum, and it is the same on every machine.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

constexpr int64_t blockLength = 64;

struct Reduction {
  KernelEmitter &k;
  Value x;
  ArrayRef<int64_t> axes;
  RankedTensorType type;
  Type element;
  Index index{}; ///< of x; the reduced axes are filled in by their loops

  Value sumOf(Value lhs, Value rhs) {
    if (isa<FloatType>(element))
      return k.addf(lhs, rhs);
    return arith::AddIOp::create(k.b, lhs, rhs);
  }

  /// The sum over axes[depth..], at the other axes' places.
  Value sum(size_t depth) {
    if (depth == axes.size())
      return k.at(x, index);
    int64_t length = type.getDimSize(axes[depth]);
    bool innermost = axes[depth] == type.getRank() - 1;
    if (innermost && isa<FloatType>(element) && length >= k.target.lanes)
      return sumLanes(length);
    if (length <= 2 * blockLength)
      return range(depth, k.constant(0), k.constant(length));
    int64_t whole = length / blockLength * blockLength;
    Value total = accumulate(k.constant(0), k.constant(whole), blockLength,
                             [&](Value block) { return range(depth, block, k.add(block, blockLength)); });
    return whole == length ? total : sumOf(total, range(depth, k.constant(whole), k.constant(length)));
  }

  Value range(size_t depth, Value first, Value last) {
    return accumulate(first, last, 1, [&](Value position) {
      index.axes[axes[depth]] = position;
      return sum(depth + 1);
    });
  }

  Value accumulate(Value first, Value last, int64_t step, llvm::function_ref<Value(Value)> term) {
    return k.accumulate(
        first, last, step, k.number(element, 0, index.lanes),
        [&](Value position, ValueRange old) -> SmallVector<Value> { return {sumOf(old[0], term(position))}; })[0];
  }

  /// The last axis of x is reduced: lanes run along it and fold at its end.
  Value sumLanes(int64_t length) {
    int64_t lanes = k.target.lanes, whole = length / lanes * lanes;
    Index saved = index;
    auto part = [&](Value position, int64_t width) {
      index.axes.back() = position;
      index.lanes = width;
      index.vectorAxis = width > 1 ? int(type.getRank()) - 1 : -1;
      return k.at(x, index);
    };
    index.lanes = lanes;
    Value sums =
        accumulate(k.constant(0), k.constant(whole), lanes, [&](Value position) { return part(position, lanes); });
    Value total = k.sumLanes(sums);
    if (whole < length)
      total = sumOf(total, k.sumLanes(part(k.constant(whole), length - whole)));
    index = saved;
    return total;
  }
};

} // namespace

static Value meanOf(KernelEmitter &k, Value sum, int64_t terms, int64_t lanes) {
  Type element = getElementTypeOrSelf(sum.getType());
  Value divisor = k.number(element, double(terms), lanes);
  if (isa<FloatType>(element))
    return arith::DivFOp::create(k.b, sum, divisor);
  return arith::DivSIOp::create(k.b, sum, divisor);
}

Value amp::compiler::emitReduction(KernelEmitter &k, Operation *op, const Index &index) {
  Value x = op->getOperand(0);
  auto mean = dyn_cast<graph::ReduceMeanOp>(op);
  ArrayRef<int64_t> axes = mean ? mean.getAxes() : cast<graph::ReduceSumOp>(op).getAxes();
  bool keeps = mean ? mean.getKeepDims() : cast<graph::ReduceSumOp>(op).getKeepDims();
  RankedTensorType type = KernelEmitter::typeOf(x);
  Reduction reduction{k, x, axes, type, KernelEmitter::computeType(type.getElementType())};
  int64_t terms = 1;
  size_t kept = 0;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    bool reduced = llvm::is_contained(axes, axis);
    terms *= reduced ? type.getDimSize(axis) : 1;
    reduction.index.axes.push_back(reduced ? k.constant(0) : index.axes[kept]);
    kept += !reduced || keeps;
  }
  reduction.index.lanes = index.lanes;
  reduction.index.vectorAxis = index.lanes > 1 ? int(type.getRank()) - 1 : -1;
  ComputedScope scope(k);
  Value result = reduction.sum(0);
  if (mean)
    result = meanOf(k, result, terms, index.lanes);
  Type wanted =
      k.withLanes(KernelEmitter::computeType(KernelEmitter::typeOf(op->getResult(0)).getElementType()), index.lanes);
  if (result.getType() != wanted && isa<FloatType>(getElementTypeOrSelf(wanted)))
    result = arith::TruncFOp::create(k.b, wanted, result);
  return result;
}
