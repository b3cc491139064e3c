// amp-shape-verify: the exit contract of the shape stage.
#include "compiler/shape/Passes.h"

#include "llvm/ADT/DenseSet.h"

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
  StringRef separator = " axis ";
  for (unsigned axis = 0; axis < type.getRank(); ++axis) {
    if (!type.isDynamicDim(axis))
      continue;
    error << separator << axis;
    separator = " and axis ";
    if (StringRef symbol = symbolOf(declared, axis); !symbol.empty())
      error << " ('" << symbol << "')";
  }
  // --batch alone helps where only the first axis is open.
  error << (type.getNumDynamicDims() == 1 && type.isDynamicDim(0) ? "; give --batch=N for the first axis, or the whole"
                                                                  : "; give the whole")
        << " shape as in --shape=" << name << "=";
  for (auto [axis, length] : llvm::enumerate(type.getShape()))
    error << (axis ? "x" : "") << (ShapedType::isDynamic(length) ? 8 : length);
  return error;
}

/// The first input that a value is computed from; none if it comes of state alone.
BlockArgument inputBehind(Value value) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto input = dyn_cast<BlockArgument>(next))
      return input;
    llvm::append_range(open, llvm::reverse(next.getDefiningOp()->getOperands()));
  }
  return BlockArgument();
}

/// Only the op where the unknown begins is reported: what follows from it is no news.
LogicalResult verifyStatic(Operation *op, train::ProgramOp program) {
  auto unknown = llvm::find_if_not(op->getResultTypes(), isStatic);
  if (unknown == op->getResultTypes().end() || !llvm::all_of(op->getOperandTypes(), isStatic))
    return success(unknown == op->getResultTypes().end());
  InFlightDiagnostic error = op->emitError()
                             << "node '" << compiler::shape::nameOf(op->getLoc()) << "' (" << op->getName()
                             << ") gives " << *unknown << ", a shape that depends on computed values";
  if (BlockArgument input = op->getNumOperands() > 0 ? inputBehind(op->getOperands().back()) : BlockArgument())
    error << " of the input '" << cast<StringAttr>(program.getInputNames()[input.getArgNumber()]).getValue() << "'";
  return error << "; amp compiles for fixed shapes: make what it depends on an initializer of the model, or export "
                  "with fixed shapes";
}

/// No kernel has a tile of nothing.
LogicalResult verifyElements(Operation *op) {
  auto isEmpty = [](Type type) { return cast<RankedTensorType>(type).getNumElements() == 0; };
  auto empty = llvm::find_if(op->getResultTypes(), isEmpty);
  if (op->use_empty() || empty == op->getResultTypes().end())
    return success();
  return op->emitError() << "node '" << compiler::shape::nameOf(op->getLoc()) << "' (" << op->getName() << ") gives "
                         << *empty << ", a tensor without elements, for which amp has no code; take it out of the "
                         << "model";
}

LogicalResult verifyOp(Operation *op, train::ProgramOp program) {
  if (failed(verifyStatic(op, program)) || failed(verifyElements(op)))
    return failure();
  if (isa<graph::FlattenOp, graph::SqueezeOp, graph::UnsqueezeOp, graph::DynamicReshapeOp, graph::DynamicExpandOp,
          graph::DynamicSliceOp, graph::ShapeOp, graph::FillOp, graph::RangeOp>(op))
    return op->emitError() << "node '" << compiler::shape::nameOf(op->getLoc()) << "' is left as " << op->getName()
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
    if (failed(verifyOp(&op, program)))
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
