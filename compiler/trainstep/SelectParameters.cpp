// Which initializers train: those from which the loss is reached through floats, within the user's wishes.
#include "compiler/support/Remarks.h"
#include "compiler/trainstep/Passes.h"
#include "compiler/trainstep/Programs.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace amp;
using train::StateOp;
using train::StateRole;

namespace amp::compiler::trainstep {
#define GEN_PASS_DEF_SELECTPARAMETERSPASS
#include "compiler/trainstep/Passes.h.inc"
} // namespace amp::compiler::trainstep

namespace {

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

/// Whether a gradient may lead through the operand: running statistics move by themselves.
bool mayTrain(OpOperand &operand) {
  auto mode = dyn_cast<graph::ModeOpInterface>(operand.getOwner());
  return !mode || !mode.isStatistic(operand.getOperandNumber());
}

/// The running statistics of a program.
llvm::DenseSet<StringRef> statisticsOf(train::ProgramOp program) {
  llvm::DenseSet<StringRef> states;
  for (Operation &op : program.getBody().front())
    for (OpOperand &operand : op.getOpOperands())
      if (auto read = mayTrain(operand) ? train::ReadOp() : operand.get().getDefiningOp<train::ReadOp>())
        states.insert(read.getState());
  return states;
}

/// The states that a value depends on through float values alone.
llvm::DenseSet<StringRef> statesBehind(Value value) {
  llvm::DenseSet<StringRef> states;
  llvm::DenseSet<Value> seen;
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || !isFloat(next) || !seen.insert(next).second)
      continue;
    if (auto read = dyn_cast<train::ReadOp>(op))
      states.insert(read.getState());
    for (OpOperand &operand : op->getOpOperands())
      if (mayTrain(operand))
        open.push_back(operand.get());
  }
  return states;
}

class SelectParameters : public compiler::trainstep::impl::SelectParametersPassBase<SelectParameters> {
public:
  using SelectParametersPassBase::SelectParametersPassBase;

  void runOnOperation() override {
    auto model = compiler::trainstep::requireProgram(getOperation(), train::ProgramKind::Model, "amp-import-onnx");
    if (!model || failed(checkExpression("freeze", freeze)) || failed(checkExpression("trainable", trainable)))
      return signalPassFailure();
    llvm::DenseSet<StringRef> reached = statesBehind(model.getReturn().getValues().back());
    statistics = statisticsOf(model);
    for (StateOp state : compiler::trainstep::statesOf(getOperation(), StateRole::Frozen))
      if (isa<FloatType>(state.getType().getElementType()))
        decide(state, reached.contains(state.getSymName()));
    parameterCount = trained;
    if (trained == 0) {
      emitError(model.getLoc())
          << "no initializer trains: the loss depends on none that --freeze and --trainable leave; "
          << "weights in Constant nodes do not train, export the model with its weights as "
          << "initializers";
      signalPassFailure();
    }
  }

private:
  LogicalResult checkExpression(StringRef option, StringRef text);
  void decide(StateOp state, bool reached);

  llvm::DenseSet<StringRef> statistics;
  // Not the statistic of the pass, which counts nothing in a release of LLVM.
  unsigned trained = 0;
};

// An expression that names nothing is a typing error that would silently train the wrong thing.
LogicalResult SelectParameters::checkExpression(StringRef option, StringRef text) {
  if (text.empty())
    return success();
  llvm::Regex expression(text);
  std::string problem;
  if (!expression.isValid(problem))
    return emitError(getOperation().getLoc())
           << "--" << option << ": '" << text << "' is no regular expression: " << problem;
  for (StateOp state : compiler::trainstep::statesOf(getOperation(), StateRole::Frozen))
    if (expression.match(state.getSymName()))
      return success();
  return emitError(getOperation().getLoc())
         << "--" << option << ": '" << text << "' names no initializer; --explain=parameters lists them";
}

void SelectParameters::decide(StateOp state, bool reached) {
  StringRef name = state.getSymName();
  auto keep = [&](StringRef reason) { compiler::remark(state, "parameters") << "keeps '" << name << "': " << reason; };
  if (statistics.contains(name))
    return keep("it is a running statistic, which moves without a gradient");
  if (!reached)
    return keep("the loss does not depend on it");
  if (!trainable.empty() && !llvm::Regex(trainable).match(name))
    return keep("--trainable does not name it");
  if (!freeze.empty() && llvm::Regex(freeze).match(name))
    return keep("--freeze names it");
  state.setRole(StateRole::Parameter);
  ++trained;
  compiler::remark(state, "parameters") << "trains '" << name << "', " << graph::shapeText(state.getType().getShape());
}

} // namespace
