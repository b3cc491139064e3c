// amp-import-recognize-patterns: tries the patterns on every op, in order.
#include "compiler/import/recognize/Passes.h"
#include "compiler/import/recognize/Patterns.h"
#include "compiler/support/Remarks.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>

namespace amp::compiler::recognize {
#define GEN_PASS_DEF_RECOGNIZEPATTERNSPASS
#include "compiler/import/recognize/Passes.h.inc"
} // namespace amp::compiler::recognize

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

struct RecognizePatternsPass : recognize::impl::RecognizePatternsPassBase<RecognizePatternsPass> {
  void runOnOperation() override;
};

} // namespace

std::optional<double> recognize::splatValue(Value value) {
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat() || !isa<FloatType>(constant.getElementType()))
    return std::nullopt;
  return constant.getSplatValue<APFloat>().convertToDouble();
}

bool recognize::isNearly(double value, double wanted) {
  return std::abs(value - wanted) <= 1e-5 * std::abs(wanted);
}

void recognize::replaceChain(Operation *last, Operation *made) {
  last->getResult(0).replaceAllUsesWith(made->getResult(0));
  SmallVector<Operation *> open = {last};
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    // What waits already is looked at later, when this reader is gone.
    SmallVector<Operation *> behind;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && !llvm::is_contained(behind, producer) && !llvm::is_contained(open, producer))
        behind.push_back(producer);
    op->erase();
    open.append(behind);
  }
}

void RecognizePatternsPass::runOnOperation() {
  // From the end, so that a product is seen before the products inside it. What a recognized op replaces lies before it
  // or has been seen.
  SmallVector<Operation *> made;
  getOperation()->walk([&](Block *block) {
    for (Operation *op = block->empty() ? nullptr : &block->back(); op;) {
      Operation *layerNorm = recognize::recognizeLayerNorm(op);
      Operation *gelu = layerNorm ? nullptr : recognize::recognizeGelu(op);
      layerNormCount += layerNorm ? 1 : 0;
      geluCount += gelu ? 1 : 0;
      if (layerNorm || gelu)
        made.push_back(op = layerNorm ? layerNorm : gelu);
      op = op->getPrevNode();
    }
  });
  for (Operation *op : llvm::reverse(made))
    amp::compiler::remark(op, "import") << "recognized " << op->getName() << " where it was spelled out";
}
