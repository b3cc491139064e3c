// Registration and verifiers of the plan dialect.
#include "dialects/plan/Plan.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp::plan;

#include "dialects/plan/Dialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/plan/Attributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/plan/Types.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/plan/ops/Kernel.cpp.inc"

void PlanDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/plan/Attributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/plan/Types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/plan/ops/Kernel.cpp.inc"
      >();
}

LogicalResult KernelOp::verify() {
  Block &block = getBody().front();
  auto results = block.getTerminator()->getOperandTypes();
  if (getAliases().size() != results.size())
    return emitOpError() << "has " << getAliases().size() << " aliases for " << results.size() << " results"; // C1
  for (auto [index, alias] : llvm::enumerate(getAliases())) {
    if (alias < -1 || alias >= int64_t(block.getNumArguments()))
      return emitOpError() << "result " << index << " overwrites input " << alias << ", which is not one of "
                           << block.getNumArguments(); // C1
    if (alias >= 0 && block.getArgument(alias).getType() != results[index])
      return emitOpError() << "result " << index << " of type " << results[index] << " overwrites input " << alias
                           << " of type " << block.getArgument(alias).getType(); // C1
  }
  for (Attribute step : getSteps())
    if (!isa<GeneratedAttr, LibraryAttr>(step))
      return emitOpError() << "has the step " << step << ", which is neither #plan.generated nor #plan.library"; // C2
  if (getTiles() <= 0)
    return emitOpError() << "has " << getTiles() << " tiles, wants at least 1"; // C3
  return success();
}

int64_t amp::plan::byteSize(ShapedType type) {
  int64_t bits = type.getElementTypeBitWidth();
  return type.getNumElements() * std::max<int64_t>(1, bits / 8);
}

std::string amp::plan::generatedSymbol(KernelOp kernel, GeneratedAttr step) {
  std::string name = kernel.getSymName().str();
  return step.getPart() == "whole" ? name : name + "_" + step.getPart().str();
}
