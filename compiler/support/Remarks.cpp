// How stages explain their decisions.
#include "compiler/support/Remarks.h"

#include "mlir/IR/Location.h"

using namespace mlir;

namespace amp::compiler {

void forEachNodeName(Location location, llvm::function_ref<void(StringAttr)> fn) {
  location->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part))
      fn(name.getName());
    return WalkResult::advance();
  });
}

static std::string locationName(Location location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().str();
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    std::string names;
    for (Location part : fused.getLocations()) {
      std::string name = locationName(part);
      if (!name.empty())
        names += (names.empty() ? "" : "+") + name;
    }
    return names;
  }
  return "";
}

std::string nodeName(Operation *op) {
  std::string name = locationName(op->getLoc());
  return name.empty() ? op->getName().getStringRef().str() : name;
}

InFlightDiagnostic remark(Operation *op, StringRef stage) {
  return std::move(emitRemark(op->getLoc()) << "[" << stage << "] ");
}

InFlightDiagnostic brokenContract(Operation *op, StringRef pass) {
  return std::move(op->emitOpError() << "breaks the contract of " << pass << ": ");
}

} // namespace amp::compiler
