// Gradient rules of the contraction family.
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/GradientRules.h"

using namespace mlir;
using namespace amp::graph;

namespace {

/// A product with the shape that its operands give.
Value multiply(OpBuilder &builder, Location loc, Value lhs, bool transposeLhs, Value rhs, bool transposeRhs) {
  auto lhsType = cast<RankedTensorType>(lhs.getType()), rhsType = cast<RankedTensorType>(rhs.getType());
  ArrayRef<int64_t> l = lhsType.getShape(), r = rhsType.getShape();
  SmallVector<int64_t> shape = *broadcastShapes(l.drop_back(2), r.drop_back(2));
  shape.push_back(l[l.size() - (transposeLhs ? 1 : 2)]);
  shape.push_back(r[r.size() - (transposeRhs ? 2 : 1)]);
  return MatMulOp::create(builder, loc, lhsType.clone(shape), lhs, rhs, builder.getBoolAttr(transposeLhs),
                          builder.getBoolAttr(transposeRhs));
}

/// All leading axes as one: [.., m, n] as [.. * m, n].
Value asMatrix(OpBuilder &builder, Location loc, Value x) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(x.getType()).getShape();
  int64_t rows = 1;
  for (int64_t length : shape.drop_back())
    rows *= length;
  return reshapeTo(builder, loc, x, {rows, shape.back()});
}

/// drhs where one matrix met a batch: a single product over all rows, instead of one a batch that are summed then.
bool oneMatrixMetBatch(MatMulOp op) {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType()), rhs = cast<RankedTensorType>(op.getRhs().getType());
  return rhs.getRank() == 2 && lhs.getRank() > 2 && !op.getTransposeLhs();
}

} // namespace

// With a = op(lhs), b = op(rhs): da = dy b^T and db = a^T dy; a transposed operand takes the transpose of that.
LogicalResult MatMulOp::buildGradient(OpBuilder &builder, ArrayRef<Value> resultGradients, const BitVector &wanted,
                                      SmallVectorImpl<Value> &gradients) {
  Location loc = gradientLocation(*this);
  Value dy = resultGradients[0], lhs = getLhs(), rhs = getRhs();
  const bool transposeLhs = getTransposeLhs(), transposeRhs = getTransposeRhs();
  if (wanted[0]) {
    Value product = transposeLhs ? multiply(builder, loc, rhs, transposeRhs, dy, true)
                                 : multiply(builder, loc, dy, false, rhs, !transposeRhs);
    gradients[0] = sumToShape(builder, loc, product, lhs);
  }
  if (!wanted[1])
    return success();
  if (oneMatrixMetBatch(*this)) {
    lhs = asMatrix(builder, loc, lhs);
    dy = asMatrix(builder, loc, dy);
  }
  Value product = transposeRhs ? multiply(builder, loc, dy, true, lhs, transposeLhs)
                               : multiply(builder, loc, lhs, !transposeLhs, dy, false);
  gradients[1] = sumToShape(builder, loc, product, rhs);
  return success();
}
