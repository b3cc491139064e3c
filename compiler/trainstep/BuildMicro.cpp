// The program of a micro-batch: the model with its loss, then the gradients of every parameter.
#include "compiler/support/Remarks.h"
#include "compiler/trainstep/Passes.h"
#include "compiler/trainstep/Programs.h"
#include "compiler/trainstep/ReverseMode.h"
#include "dialects/graph/interfaces/GradientRules.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace amp;
using compiler::trainstep::ReverseMode;
using train::ProgramKind;
using train::ProgramOp;
using train::StateOp;
using train::StateRole;

namespace amp::compiler::trainstep {
#define GEN_PASS_DEF_BUILDMICROPASS
#include "compiler/trainstep/Passes.h.inc"
} // namespace amp::compiler::trainstep

namespace {

class BuildMicro : public compiler::trainstep::impl::BuildMicroPassBase<BuildMicro> {
public:
  using BuildMicroPassBase::BuildMicroPassBase;

  void runOnOperation() override {
    module = getOperation();
    auto model = compiler::trainstep::requireProgram(module, ProgramKind::Model, "amp-import-onnx");
    scale = compiler::trainstep::requireState(module, StateRole::LossScale);
    loss = compiler::trainstep::requireState(module, StateRole::Loss);
    steps = compiler::trainstep::requireState(module, StateRole::StepCount);
    seed = compiler::trainstep::requireState(module, StateRole::Seed);
    if (!model || !scale || !loss || !steps || !seed)
      return signalPassFailure();
    copyModel(model);
    keepLossAlone();
    mergeReads();
    if (failed(enterTraining()))
      return signalPassFailure();
    compiler::trainstep::eraseUnused(micro);
    if (failed(buildBackward()))
      signalPassFailure();
  }

private:
  void copyModel(ProgramOp model);
  void keepLossAlone();
  void mergeReads();
  LogicalResult enterTraining();
  LogicalResult advance(Value current, Value next);
  LogicalResult buildBackward();
  LogicalResult refuse(ArrayRef<Operation *> missing);

  ModuleOp module;
  ProgramOp micro;
  StateOp scale, loss, steps, seed;
  llvm::MapVector<StringRef, Value> reads;
  llvm::DenseSet<Operation *> moved; ///< statistics that have their pending value
};

void BuildMicro::copyModel(ProgramOp model) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  micro = cast<ProgramOp>(builder.clone(*model));
  micro.setSymName(compiler::trainstep::freeSymbol(module, "micro"));
  micro.setKind(ProgramKind::Micro);
}

void BuildMicro::keepLossAlone() {
  Builder builder(&getContext());
  Value value = micro.getReturn().getValues().back();
  micro.setOutputNamesAttr(builder.getStrArrayAttr({"loss"}));
  micro.setFunctionType(builder.getFunctionType(micro.getArgumentTypes(), value.getType()));
  micro.getReturn().getValuesMutable().assign(value);
}

// One read a state, so that tied weights have one gradient.
void BuildMicro::mergeReads() {
  for (auto read : llvm::make_early_inc_range(micro.getBody().front().getOps<train::ReadOp>())) {
    auto [place, isNew] = reads.insert({read.getState(), read.getValue()});
    if (isNew)
      continue;
    read.getValue().replaceAllUsesWith(place->second);
    read.erase();
  }
}

// A skipped update does not count as a step: the same masks are drawn again.
LogicalResult BuildMicro::enterTraining() {
  if (batchnormVariance != "population" && batchnormVariance != "sample")
    return emitError(module.getLoc()) << "batchnorm-variance is '" << batchnormVariance
                                      << "', wants population or sample";
  OpBuilder reads = OpBuilder::atBlockBegin(&micro.getBody().front());
  Value key, update;
  auto readOnce = [&](Value &value, StateOp state) {
    return value ? value : value = compiler::trainstep::readState(reads, state);
  };
  auto readKey = [&] { return readOnce(key, seed); };
  auto readUpdate = [&] { return readOnce(update, steps); };
  auto moveOn = [&](Value current, Value next) { return advance(current, next); };
  graph::TrainingMode mode;
  mode.seed = readKey;
  mode.update = readUpdate;
  mode.dropout = dropout;
  mode.sampleVariance = batchnormVariance == "sample";
  mode.advance = moveOn;
  for (graph::ModeOpInterface op : compiler::trainstep::opsWithModes(micro)) {
    OpBuilder builder(op);
    if (failed(op.enterTraining(builder, mode)))
      return failure();
  }
  return success();
}

/// Lets a statistic wait for the end of the update: a step that is skipped, or an evaluation, leaves it as it is.
LogicalResult BuildMicro::advance(Value current, Value next) {
  auto read = current.getDefiningOp<train::ReadOp>();
  auto statistic = read ? module.lookupSymbol<StateOp>(read.getState()) : StateOp();
  if (!statistic)
    return emitError(next.getLoc()) << "normalises with running statistics that are no initializer; wants the running "
                                    << "mean and variance as initializers of the model";
  statistic.setRole(StateRole::Statistic);
  if (!freeze.empty() && llvm::Regex(freeze).match(statistic.getSymName()))
    return success();
  if (!moved.insert(statistic).second)
    return emitError(next.getLoc()) << "moves the running statistic '" << statistic.getSymName()
                                    << "', which another node moves too; give each its own";
  StateOp pending = compiler::trainstep::declareState(module, statistic.getSymName() + "/pending", statistic.getType(),
                                                      StateRole::Pending, statistic, statistic.getInitialAttr());
  OpBuilder builder(micro.getReturn());
  train::CommitOp::create(builder, next.getLoc(), next, pending.getSymName(), Value());
  return success();
}

LogicalResult BuildMicro::refuse(ArrayRef<Operation *> missing) {
  InFlightDiagnostic error = emitError(micro.getLoc());
  error << missing.size() << " operators between a parameter and the loss have no gradient:";
  for (Operation *op : missing)
    error << "\n  node '" << compiler::nodeName(op) << "' (" << op->getName() << ")";
  return error << "\n  freeze what lies before them with --freeze=REGEX, or take them out of the model";
}

LogicalResult BuildMicro::buildBackward() {
  SmallVector<StateOp> parameters = compiler::trainstep::statesOf(module, StateRole::Parameter);
  SmallVector<Value> sources;
  for (StateOp parameter : parameters)
    if (Value read = reads.lookup(parameter.getSymName()))
      sources.push_back(read);
  Value lossValue = micro.getReturn().getValues().front();
  ReverseMode reverse(lossValue, sources);
  if (!reverse.missing().empty())
    return refuse(reverse.missing());
  OpBuilder builder(micro.getReturn());
  if (failed(reverse.build(builder, compiler::trainstep::readState(builder, scale))))
    return failure();
  for (StateOp parameter : parameters) {
    Value read = reads.lookup(parameter.getSymName());
    Value gradient = read ? reverse.gradientOf(read) : Value();
    if (!gradient)
      return parameter.emitOpError() << "is a parameter that the loss does not depend on; give it the role frozen";
    StateOp state = compiler::trainstep::declareState(module, parameter.getSymName() + "/gradient", parameter.getType(),
                                                      StateRole::Gradient, parameter);
    train::CommitOp::create(builder, graph::gradientLocation(read.getDefiningOp()), gradient, state.getSymName(),
                            Value());
  }
  train::CommitOp::create(builder, lossValue.getLoc(), lossValue, loss.getSymName(), Value());
  return success();
}

} // namespace
