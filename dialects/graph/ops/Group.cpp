// Fused groups: definitions and verifiers.
#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp::graph;

#define GET_OP_CLASSES
#include "dialects/graph/ops/Group.cpp.inc"

static LogicalResult verifyTypes(GroupOp op, StringRef inside, TypeRange seen, StringRef outside, TypeRange wanted) {
  if (seen.size() != wanted.size())
    return op.emitOpError() << "has " << seen.size() << " " << inside << "s for " << wanted.size() << " " << outside
                            << "s";
  for (auto [index, type] : llvm::enumerate(seen))
    if (type != wanted[index])
      return op.emitOpError() << "has " << inside << " " << index << " of type " << type << " for " << outside << " "
                              << index << " of type " << wanted[index];
  return success();
}

LogicalResult GroupOp::verify() {
  Block &block = getBody().front();
  if (failed(verifyTypes(*this, "block argument", block.getArgumentTypes(), "operand", getInputs().getTypes())))
    return failure(); // C1
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError() << "ends with '" << block.back().getName() << "'; wants 'graph.yield'";
  if (failed(verifyTypes(*this, "yielded value", yield.getValues().getTypes(), "result", getOutputs().getTypes())))
    return failure(); // C2
  Operation *heavy = nullptr;
  for (Operation &op : block.without_terminator()) {
    auto fusion = dyn_cast<FusionOpInterface>(op);
    if (!fusion)
      return emitOpError() << "holds '" << op.getName() << "', which has no fusion class";
    FusionClass fusionClass = fusion.getFusionClass();
    if (fusionClass == FusionClass::Elementwise || fusionClass == FusionClass::View)
      continue;
    if (heavy) {
      InFlightDiagnostic diagnostic = emitOpError() << "holds '" << heavy->getName() << "' and '" << op.getName()
                                                    << "'; wants at most one root"; // C3
      diagnostic.attachNote(op.getLoc()) << "second root here";
      return diagnostic;
    }
    heavy = &op;
  }
  return success();
}
