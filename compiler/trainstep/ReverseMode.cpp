// Reverse mode over the gradient interface.
#include "compiler/trainstep/ReverseMode.h"

#include "dialects/graph/interfaces/GradientRules.h"

#include "mlir/IR/Block.h"

using namespace mlir;
using namespace amp;

namespace amp::compiler::trainstep {

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

ReverseMode::ReverseMode(Value target, ArrayRef<Value> sources) : target(target) {
  varied.insert(sources.begin(), sources.end());
  llvm::DenseSet<Value> useful = {target};
  SmallVector<Operation *> ops;
  for (Operation &op : *target.getParentBlock()) {
    if (llvm::none_of(op.getOperands(), [&](Value operand) { return varied.contains(operand); }))
      continue;
    ops.push_back(&op);
    for (Value result : op.getResults())
      if (isFloat(result))
        varied.insert(result);
  }
  for (Operation *op : llvm::reverse(ops)) {
    if (llvm::none_of(op->getResults(),
                      [&](Value result) { return useful.contains(result) && varied.contains(result); }))
      continue;
    useful.insert(op->operand_begin(), op->operand_end());
    way.push_back(op);
  }
  std::reverse(way.begin(), way.end());
  for (Operation *op : way)
    if (!isa<graph::GradientOpInterface>(op))
      opsWithoutGradient.push_back(op);
}

LogicalResult ReverseMode::build(OpBuilder &builder, Value seed) {
  gradients[target] = seed;
  for (Operation *op : llvm::reverse(way))
    if (failed(visit(builder, op)))
      return failure();
  return success();
}

LogicalResult ReverseMode::visit(OpBuilder &builder, Operation *op) {
  SmallVector<Value> resultGradients;
  for (Value result : op->getResults())
    resultGradients.push_back(gradients.lookup(result));
  // A rule may have left the gradient of the way out as zero.
  if (llvm::none_of(resultGradients, [](Value gradient) { return static_cast<bool>(gradient); }))
    return success();
  BitVector wanted(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands())
    wanted[operand.getOperandNumber()] = varied.contains(operand.get());
  SmallVector<Value> operandGradients(op->getNumOperands());
  auto rule = cast<graph::GradientOpInterface>(op);
  if (failed(rule.buildGradient(builder, resultGradients, wanted, operandGradients)))
    return op->emitOpError() << "could not build its gradient; please report this";
  for (OpOperand &operand : op->getOpOperands()) {
    Value gradient = operandGradients[operand.getOperandNumber()];
    if (!gradient || !wanted[operand.getOperandNumber()])
      continue;
    if (gradient.getType() != operand.get().getType())
      return op->emitOpError() << "has the gradient rule of operand " << operand.getOperandNumber() << " give "
                               << gradient.getType() << ", wants " << operand.get().getType() << "; please report this";
    contribute(builder, op, operand.get(), gradient);
  }
  return success();
}

// Everything is fp32 here: gradients that meet are added in fp32, in the order of the walk.
void ReverseMode::contribute(OpBuilder &builder, Operation *from, Value value, Value gradient) {
  Value &sum = gradients[value];
  if (!sum) {
    sum = gradient;
    return;
  }
  Operation *producer = value.getDefiningOp();
  Location loc = graph::gradientLocation(producer ? producer : from);
  sum = graph::AddOp::create(builder, loc, value.getType(), sum, gradient);
}

} // namespace amp::compiler::trainstep
