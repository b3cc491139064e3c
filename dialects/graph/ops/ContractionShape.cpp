// Family Contraction: shape rules.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

LogicalResult MatMulOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType lhs = getLhs().getType();
  RankedTensorType rhs = getRhs().getType();
  if (lhs.getRank() < 2 || rhs.getRank() < 2)
    return emitOpError() << "multiplies ranks " << lhs.getRank() << " and " << rhs.getRank()
                         << "; wants at least 2"; // C1
  SmallVector<int64_t> left(lhs.getShape()), right(rhs.getShape());
  if (getTransposeLhs())
    std::swap(left.back(), left[left.size() - 2]);
  if (getTransposeRhs())
    std::swap(right.back(), right[right.size() - 2]);
  int64_t leftLength = left.back(), rightLength = right[right.size() - 2];
  if (!compatibleShapes(leftLength, rightLength))
    return emitOpError() << "contracts " << leftLength << " with " << rightLength; // C2
  auto batch = broadcastShapes(ArrayRef(left).drop_back(2), ArrayRef(right).drop_back(2));
  if (!batch)
    return emitOpError() << "has leading axes " << shapeText(ArrayRef(left).drop_back(2)) << " and "
                         << shapeText(ArrayRef(right).drop_back(2)) << ", which do not broadcast"; // C3
  if (failed(verifySameElementType(*this, lhs, rhs)))
    return failure(); // C4
  batch->push_back(left[left.size() - 2]);
  batch->push_back(right.back());
  types.push_back(RankedTensorType::get(*batch, wideOrSame(*this, lhs.getElementType()))); // C5
  return success();
}
