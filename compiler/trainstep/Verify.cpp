// The contract of trainstep.
#include "compiler/support/Remarks.h"
#include "compiler/trainstep/Passes.h"
#include "compiler/trainstep/Programs.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace amp;
using train::ProgramKind;
using train::ProgramOp;
using train::StateOp;
using train::StateRole;

namespace amp::compiler::trainstep {
#define GEN_PASS_DEF_VERIFYPASS
#include "compiler/trainstep/Passes.h.inc"
} // namespace amp::compiler::trainstep

namespace {

bool commits(ProgramOp program, StringRef state) {
  return llvm::any_of(program.getBody().front().getOps<train::CommitOp>(),
                      [&](train::CommitOp commit) { return commit.getState() == state; });
}

class Verify : public compiler::trainstep::impl::VerifyPassBase<Verify> {
public:
  using VerifyPassBase::VerifyPassBase;

  void runOnOperation() override {
    if (failed(verifyPrograms()) || failed(verifyStates()) || failed(verifyCommits()) || failed(verifyTypes()) ||
        failed(verifyModes()))
      signalPassFailure();
  }

private:
  LogicalResult verifyPrograms();
  LogicalResult verifyStates();
  LogicalResult verifyParameter(StateOp parameter);
  LogicalResult verifyCommits();
  LogicalResult verifyPredicate(train::CommitOp commit, Value finite);
  LogicalResult verifyTypes();
  LogicalResult verifyModes();
  LogicalResult verifyStatistic(StateOp pending);

  ProgramOp program(ProgramKind kind) { return compiler::trainstep::findProgram(getOperation(), kind); }
  InFlightDiagnostic broken(Operation *op, StringRef pass) { return compiler::brokenContract(op, pass); }
};

LogicalResult Verify::verifyPrograms() {
  const std::pair<ProgramKind, StringRef> wanted[] = {{ProgramKind::Micro, "amp-trainstep-build-micro"},
                                                      {ProgramKind::Finish, "amp-trainstep-build-finish"},
                                                      {ProgramKind::Eval, "amp-trainstep-build-eval"},
                                                      {ProgramKind::Derive, "amp-trainstep-build-derive"}};
  if (ProgramOp model = program(ProgramKind::Model))
    return broken(model, "amp-trainstep-build-eval") << "a program of kind model is left";
  for (auto [kind, pass] : wanted) {
    auto count = llvm::count_if(getOperation().getOps<ProgramOp>(),
                                [kind = kind](ProgramOp one) { return one.getKind() == kind; });
    if (count != 1)
      return broken(getOperation(), pass)
             << "there are " << count << " programs of kind " << train::stringifyProgramKind(kind) << ", wants 1";
  }
  return success();
}

LogicalResult Verify::verifyStates() {
  ModuleOp module = getOperation();
  for (StateRole role :
       {StateRole::LearningRate, StateRole::LossScale, StateRole::StepCount, StateRole::Seed, StateRole::Loss})
    if (size_t count = compiler::trainstep::statesOf(module, role).size(); count != 1)
      return broken(module, "amp-trainstep-declare-states")
             << "there are " << count << " states of role " << train::stringifyStateRole(role) << ", wants 1";
  SmallVector<StateOp> parameters = compiler::trainstep::statesOf(module, StateRole::Parameter);
  if (parameters.empty())
    return broken(module, "amp-trainstep-select-parameters") << "there is no parameter";
  for (StateOp parameter : parameters)
    if (failed(verifyParameter(parameter)))
      return failure();
  return success();
}

LogicalResult Verify::verifyParameter(StateOp parameter) {
  ModuleOp module = getOperation();
  StringRef name = parameter.getSymName();
  SmallVector<StateOp> gradients = llvm::filter_to_vector(compiler::trainstep::statesOf(module, StateRole::Gradient),
                                                          [&](StateOp one) { return one.getOf() == name; });
  if (gradients.size() != 1)
    return broken(parameter, "amp-trainstep-build-micro")
           << "it has " << gradients.size() << " gradient states, wants 1";
  StateOp gradient = gradients.front();
  if (!gradient.getSymName().starts_with((name + "/gradient").str()))
    return broken(gradient, "amp-trainstep-build-micro") << "it is not called '" << name << "/gradient'";
  if (gradient.getType() != parameter.getType())
    return broken(gradient, "amp-trainstep-build-micro") << "its type is not that of '" << name << "'";
  if (!commits(program(ProgramKind::Micro), gradient.getSymName()))
    return broken(gradient, "amp-trainstep-build-micro") << "micro does not commit it";
  if (!commits(program(ProgramKind::Finish), name))
    return broken(parameter, "amp-trainstep-build-finish") << "finish does not commit it";
  return success();
}

LogicalResult Verify::verifyCommits() {
  for (auto program : getOperation().getOps<ProgramOp>()) {
    llvm::StringSet<> committed;
    for (auto commit : program.getBody().front().getOps<train::CommitOp>())
      if (!committed.insert(commit.getState()).second)
        return broken(commit, "this stage") << "'" << commit.getState() << "' is committed twice";
  }
  ProgramOp eval = program(ProgramKind::Eval);
  for (auto commit : eval.getBody().front().getOps<train::CommitOp>())
    return broken(commit, "amp-trainstep-build-eval") << "eval commits";
  ProgramOp finish = program(ProgramKind::Finish);
  if (finish.getOutputNames().empty() || cast<StringAttr>(finish.getOutputNames()[0]).getValue() != "finite")
    return broken(finish, "amp-trainstep-build-finish") << "its first output is not 'finite'";
  Value finite = finish.getReturn().getValues().front();
  for (auto commit : finish.getBody().front().getOps<train::CommitOp>())
    if (failed(verifyPredicate(commit, finite)))
      return failure();
  return success();
}

LogicalResult Verify::verifyPredicate(train::CommitOp commit, Value finite) {
  auto state = getOperation().lookupSymbol<StateOp>(commit.getState());
  bool free = state.getRole() == StateRole::LossScale || state.getRole() == StateRole::GrowthTracker;
  Value wanted = free || nonfinite == "ignore" ? Value() : finite;
  if (commit.getPredicate() == wanted)
    return success();
  return broken(commit, "amp-trainstep-build-finish")
         << "the commit of '" << commit.getState() << "' is " << (commit.getPredicate() ? "" : "not ")
         << "predicated, wants " << (wanted ? "the output 'finite'" : "no predicate");
}

// f64 holds powers of the optimizer and sums of squares: scalars and vectors.
LogicalResult Verify::verifyTypes() {
  auto verify = [&](Operation *op, Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    if (!tensor.hasStaticShape())
      return broken(op, "amp-shape-infer") << "a type is not static: " << type;
    Type element = tensor.getElementType();
    if (!isa<FloatType>(element) || element.isF32() || (element.isF64() && tensor.getRank() <= 1))
      return success();
    return broken(op, "this stage") << "a float is " << element << ", wants f32";
  };
  WalkResult result = getOperation().walk([&](Operation *op) {
    if (auto state = dyn_cast<StateOp>(op); state && state.getRole() != StateRole::Frozen)
      if (failed(verify(op, state.getType())))
        return WalkResult::interrupt();
    for (Type type : op->getResultTypes())
      if (failed(verify(op, type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Verify::verifyModes() {
  for (graph::ModeOpInterface op : compiler::trainstep::opsWithModes(program(ProgramKind::Micro)))
    if (!op.isTraining())
      return broken(op, "amp-trainstep-build-micro") << "it has not entered training";
  for (graph::ModeOpInterface op : compiler::trainstep::opsWithModes(program(ProgramKind::Eval)))
    return broken(op, "amp-trainstep-build-eval") << "it has not entered evaluation";
  for (StateOp pending : compiler::trainstep::statesOf(getOperation(), StateRole::Pending))
    if (failed(verifyStatistic(pending)))
      return failure();
  return success();
}

LogicalResult Verify::verifyStatistic(StateOp pending) {
  if (!commits(program(ProgramKind::Micro), pending.getSymName()))
    return broken(pending, "amp-trainstep-build-micro") << "micro does not commit it";
  auto statistic = pending.getOf() ? getOperation().lookupSymbol<StateOp>(*pending.getOf()) : StateOp();
  if (!statistic || statistic.getRole() != StateRole::Statistic || statistic.getType() != pending.getType())
    return broken(pending, "amp-trainstep-build-micro") << "it is not of a statistic of its type";
  if (!commits(program(ProgramKind::Finish), statistic.getSymName()))
    return broken(statistic, "amp-trainstep-build-finish") << "finish does not commit it";
  return success();
}

} // namespace
