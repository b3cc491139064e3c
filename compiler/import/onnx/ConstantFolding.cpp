// Exporters that fold nothing compute axes and bounds by Unsqueeze, Cast and Concat of constants.
#include "compiler/import/onnx/ConstantFolding.h"

#include "dialects/graph/Graph.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

// Axes and bounds are lists as long as a rank, computed in a few steps.
constexpr int64_t mostElements = 1024;
constexpr int mostSteps = 32;

namespace {

class Folder {
public:
  DenseElementsAttr fold(Value value, int steps = 0);

private:
  DenseElementsAttr evaluate(Operation *op, int steps);
  llvm::DenseMap<Value, DenseElementsAttr> folded;
};

bool isSmall(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() <= mostElements;
}

} // namespace

DenseElementsAttr Folder::evaluate(Operation *op, int steps) {
  auto reference = dyn_cast<graph::ReferenceOpInterface>(op);
  if (!reference || !isPure(op) || isa<graph::ModeOpInterface>(op) || op->getNumResults() != 1)
    return DenseElementsAttr();
  SmallVector<graph::ReferenceTensor> operands, results;
  for (Value operand : op->getOperands()) {
    // The shape of a value that is not known yet may be known all the same.
    if (auto type = cast<RankedTensorType>(operand.getType()); isa<graph::ShapeOp>(op) && type.hasStaticShape()) {
      operands.emplace_back();
      operands.back().type = type;
      continue;
    }
    DenseElementsAttr constant = fold(operand, steps + 1);
    if (!constant)
      return DenseElementsAttr();
    operands.emplace_back(constant);
  }
  const bool isKnown = succeeded(reference.evaluate(operands, results)) && results.size() == 1 &&
                       results[0].type == op->getResult(0).getType();
  return isKnown ? results[0].toAttribute() : DenseElementsAttr();
}

DenseElementsAttr Folder::fold(Value value, int steps) {
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  if (!value.getDefiningOp() || !isSmall(value) || steps > mostSteps)
    return DenseElementsAttr();
  if (auto known = folded.find(value); known != folded.end())
    return known->second;
  constant = evaluate(value.getDefiningOp(), steps);
  folded[value] = constant;
  return constant;
}

DenseElementsAttr amp::compiler::foldConstant(Value value) {
  return Folder().fold(value);
}
