// Family Contraction: reference evaluation.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

namespace {
/// One operand as a stack of row-major matrices.
struct Matrices {
  const ReferenceTensor &tensor;
  bool transposed;

  ArrayRef<int64_t> leading() const { return tensor.shape().drop_back(2); }
  int64_t rows() const { return tensor.shape()[tensor.shape().size() - (transposed ? 1 : 2)]; }
  int64_t columns() const { return tensor.shape()[tensor.shape().size() - (transposed ? 2 : 1)]; }
  double at(int64_t matrix, int64_t row, int64_t column) const {
    int64_t inner = transposed ? column * rows() + row : row * columns() + column;
    return tensor.floats[matrix * rows() * columns() + inner];
  }
};
} // namespace

LogicalResult MatMulOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  Matrices lhs{operands[0], getTransposeLhs()}, rhs{operands[1], getTransposeRhs()};
  ReferenceTensor result(getY().getType());
  auto element = result.floats.begin();
  forEachIndex(result.shape().drop_back(2), [&](ArrayRef<int64_t> batch) {
    int64_t left = broadcastOffset(batch, lhs.leading()), right = broadcastOffset(batch, rhs.leading());
    for (int64_t row = 0; row < lhs.rows(); ++row)
      for (int64_t column = 0; column < rhs.columns(); ++column, ++element)
        for (int64_t inner = 0; inner < lhs.columns(); ++inner)
          *element += lhs.at(left, row, inner) * rhs.at(right, inner, column);
  });
  result.round();
  results.push_back(std::move(result));
  return success();
}
