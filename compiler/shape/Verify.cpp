// amp-shape-verify: the exit contract of the shape stage.
#include "compiler/shape/Passes.h"

namespace amp::compiler::shape {
#define GEN_PASS_DEF_VERIFYPASS
#include "compiler/shape/Passes.h.inc"
} // namespace amp::compiler::shape

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

bool isStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

/// The symbol of an axis in a declared shape, "[batch, 1, 28, 28]", as import leaves it beside the input's name.
StringRef symbolOf(StringRef declared, unsigned axis) {
  SmallVector<StringRef> symbols;
  declared.trim("[]").split(symbols, ", ");
  return axis < symbols.size() && symbols[axis] != "?" ? symbols[axis] : StringRef();
}

LogicalResult verifyInput(train::ProgramOp program, BlockArgument input) {
  if (isStatic(input.getType()))
    return success();
  StringRef name = cast<StringAttr>(program.getInputNames()[input.getArgNumber()]).getValue();
  StringRef declared;
  if (auto named = dyn_cast<NameLoc>(input.getLoc()))
    declared = compiler::shape::nameOf(named.getChildLoc());
  auto type = cast<RankedTensorType>(input.getType());
  InFlightDiagnostic error = program.emitError() << "input '" << name << "' ";
  if (!declared.empty())
    error << declared << " ";
  error << "has no length on";
  for (unsigned axis = 0; axis < type.getRank(); ++axis) {
    if (!type.isDynamicDim(axis))
      continue;
    error << " axis " << axis;
    if (StringRef symbol = symbolOf(declared, axis); !symbol.empty())
      error << " ('" << symbol << "')";
  }
  error << "; give --batch=N for the first axis, or the whole shape as in --shape=" << name << "=";
  for (auto [axis, length] : llvm::enumerate(type.getShape()))
    error << (axis ? "x" : "") << (ShapedType::isDynamic(length) ? 8 : length);
  return error;
}

LogicalResult verifyOp(Operation *op) {
  StringRef node = compiler::shape::nameOf(op->getLoc());
  if (isa<graph::ConcatOp, graph::GatherOp, graph::SliceOp>(op))
    return op->emitError() << "node '" << node << "' applies " << op->getName()
                           << " to computed values, which is not supported here; it works on shapes and constants only";
  for (Type type : op->getResultTypes())
    if (!isStatic(type))
      return op->emitError() << "node '" << node << "' (" << op->getName() << ") gives " << type
                             << ", a shape that depends on computed values; amp compiles for fixed shapes: give the "
                                "values it depends on with --value, or export with fixed shapes";
  if (isa<graph::FlattenOp, graph::SqueezeOp, graph::UnsqueezeOp, graph::DynamicReshapeOp, graph::ShapeOp>(op))
    return op->emitError() << "node '" << node << "' is left as " << op->getName()
                           << "; amp-shape-infer should have removed it";
  return success();
}

LogicalResult verifyProgram(train::ProgramOp program) {
  Block &block = program.getBody().front();
  LogicalResult result = success();
  for (BlockArgument input : block.getArguments())
    if (failed(verifyInput(program, input)))
      result = failure();
  if (failed(result))
    return failure(); // everything behind an unknown input is unknown; only the input can be helped
  for (Operation &op : block)
    if (failed(verifyOp(&op)))
      result = failure();
  auto type =
      FunctionType::get(program.getContext(), block.getArgumentTypes(), block.getTerminator()->getOperandTypes());
  if (succeeded(result) && program.getFunctionType() != type)
    return program.emitError() << "has the type " << program.getFunctionType() << ", its block " << type
                               << "; amp-shape-infer should have made them one";
  return result;
}

struct VerifyPass : shape::impl::VerifyPassBase<VerifyPass> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<train::ProgramOp>())
      if (failed(verifyProgram(program)))
        signalPassFailure();
  }
};

} // namespace
