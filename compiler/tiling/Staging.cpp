// Which part of an operand a tile's library call reads.
#include "compiler/tiling/Staging.h"

#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

BlockArgument amp::compiler::inputBehind(Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getX();
  return dyn_cast<BlockArgument>(value);
}

StagedOperand amp::compiler::stagedOperand(Operation *root, unsigned operand, int64_t tiles) {
  StagedOperand staged;
  auto type = cast<RankedTensorType>(root->getOperand(operand).getType());
  staged.input = inputBehind(root->getOperand(operand));
  staged.columns = type.getNumElements();
  if (operand != 0 || isa<plan::PackOp>(root))
    return staged;
  auto matmul = dyn_cast<graph::MatMulOp>(root);
  if (matmul && matmul.getTransposeLhs()) {
    staged.rows = type.getDimSize(0);
    staged.rowStride = type.getDimSize(1);
    staged.columns = staged.tileStride = staged.rowStride / tiles;
    return staged;
  }
  staged.columns = staged.tileStride = type.getNumElements() / tiles;
  return staged;
}
