// Which results of a kernel may overwrite an input: elementwise bodies over one shape.
#include "compiler/select/Aliases.h"

#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

bool amp::compiler::mayOverwrite(Block &body, unsigned result, unsigned input) {
  Operation *yield = body.getTerminator();
  BlockArgument argument = body.getArgument(input);
  if (argument.getType() != yield->getOperand(result).getType())
    return false;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(argument.getType()).getShape();
  auto sameShape = [&](Value value) { return cast<RankedTensorType>(value.getType()).getShape() == shape; };
  // Results of another shape are made in loops of their own, after the overwriting.
  if (!llvm::all_of(yield->getOperands(), sameShape))
    return false;
  for (Operation &op : body.without_terminator()) {
    auto fusion = dyn_cast<graph::FusionOpInterface>(op);
    if (!fusion || fusion.getFusionClass() != graph::FusionClass::Elementwise)
      if (!isa<graph::ConstantOp>(op))
        return false;
    if (llvm::is_contained(op.getOperands(), argument) && !llvm::all_of(op.getResults(), sameShape))
      return false;
  }
  return true;
}
