// The program of an update. What it commits is committed only when every gradient is finite: a skipped step leaves no
// trace but the scale.
#include "compiler/trainstep/Passes.h"
#include "compiler/trainstep/Programs.h"

using namespace mlir;
using namespace amp;
using train::ProgramKind;
using train::StateOp;
using train::StateRole;

namespace amp::compiler::trainstep {
#define GEN_PASS_DEF_BUILDFINISHPASS
#include "compiler/trainstep/Passes.h.inc"
} // namespace amp::compiler::trainstep

namespace {

class BuildFinish : public compiler::trainstep::impl::BuildFinishPassBase<BuildFinish> {
public:
  using BuildFinishPassBase::BuildFinishPassBase;

  void runOnOperation() override {
    module = getOperation();
    if (failed(checkOptions()) || failed(findStates()))
      return signalPassFailure();
    openProgram();
    measure();
    if (optimizer == "sgd")
      updateWithSgd();
    else
      updateWithAdam();
    commitStatistics();
    countStep();
    moveScale();
    train::ReturnOp::create(builder, module.getLoc(), ValueRange{finite, norm});
  }

private:
  /// What an update reads of one parameter.
  struct Parameter {
    StateOp state, gradientState;
    Value value, gradient;
  };

  LogicalResult checkOptions();
  LogicalResult findStates();
  void openProgram();
  void measure();
  void updateWithSgd();
  void updateWithAdam();
  Value advancePower(StringRef name, double beta);
  void commitStatistics();
  void countStep();
  void moveScale();

  StateOp declareMoment(Parameter &parameter, StringRef purpose) {
    return compiler::trainstep::declareState(module, parameter.state.getSymName() + "/" + purpose,
                                             parameter.state.getType(), StateRole::Moment, parameter.state);
  }
  Value read(StateOp state) { return compiler::trainstep::readState(builder, state); }
  Location locationOf(StateOp state) {
    return FusedLoc::get(&getContext(), {NameLoc::get(state.getSymNameAttr())}, builder.getStringAttr("update"));
  }
  void commit(Value value, StateOp state, bool always = false) {
    Value predicate = always || nonfinite == "ignore" ? Value() : finite;
    train::CommitOp::create(builder, locationOf(state), value, state.getSymName(), predicate);
  }
  FloatAttr real(double value) { return builder.getF64FloatAttr(value); }

  ModuleOp module;
  OpBuilder builder{static_cast<MLIRContext *>(nullptr)};
  SmallVector<Parameter> parameters;
  StateOp rateState, scaleState, stepState, lossState, trackerState;
  Value rate, scale, steps, finite, norm;
};

LogicalResult BuildFinish::checkOptions() {
  if (optimizer != "sgd" && optimizer != "adam" && optimizer != "adamw")
    return emitError(module.getLoc()) << "optimizer is '" << optimizer << "', wants sgd, adam or adamw";
  if (nonfinite != "skip" && nonfinite != "stop" && nonfinite != "ignore")
    return emitError(module.getLoc()) << "nonfinite is '" << nonfinite << "', wants skip, stop or ignore";
  if (nesterov && (momentum <= 0 || dampening != 0))
    return emitError(module.getLoc()) << "nesterov wants a momentum above 0 and dampening 0; momentum is " << momentum
                                      << ", dampening " << dampening;
  return success();
}

LogicalResult BuildFinish::findStates() {
  rateState = compiler::trainstep::requireState(module, StateRole::LearningRate);
  scaleState = compiler::trainstep::requireState(module, StateRole::LossScale);
  stepState = compiler::trainstep::requireState(module, StateRole::StepCount);
  lossState = compiler::trainstep::requireState(module, StateRole::Loss);
  trackerState = compiler::trainstep::findState(module, StateRole::GrowthTracker);
  if (!rateState || !scaleState || !stepState || !lossState)
    return failure();
  for (StateOp gradient : compiler::trainstep::statesOf(module, StateRole::Gradient)) {
    auto master = module.lookupSymbol<StateOp>(*gradient.getOf());
    parameters.push_back({master, gradient, Value(), Value()});
  }
  if (parameters.empty())
    return emitError(module.getLoc()) << "holds no state of role gradient; run amp-trainstep-build-micro first";
  return success();
}

void BuildFinish::openProgram() {
  builder = OpBuilder::atBlockEnd(module.getBody());
  auto scalar = [](Type element) { return RankedTensorType::get({}, element); };
  auto type = builder.getFunctionType({}, {scalar(builder.getI1Type()), scalar(builder.getF32Type())});
  auto program = train::ProgramOp::create(builder, module.getLoc(), compiler::trainstep::freeSymbol(module, "finish"),
                                          type, ProgramKind::Finish, builder.getArrayAttr({}),
                                          builder.getStrArrayAttr({"finite", "gradient_norm"}), DenseI64ArrayAttr(),
                                          DenseI64ArrayAttr(), ArrayAttr(), ArrayAttr(), IntegerAttr());
  builder.createBlock(&program.getBody());
  scale = read(scaleState);
  rate = read(rateState);
  steps = read(stepState);
}

void BuildFinish::measure() {
  SmallVector<Value> squares;
  for (Parameter &parameter : parameters) {
    Location loc = locationOf(parameter.state);
    Value scaled = read(parameter.gradientState);
    auto type = cast<RankedTensorType>(scaled.getType());
    parameter.gradient = train::UnscaleOp::create(builder, loc, type, scaled, scale);
    int64_t parts = train::SumSquaresOp::partsFor(type.getNumElements());
    squares.push_back(train::SumSquaresOp::create(builder, loc, RankedTensorType::get({parts}, builder.getF64Type()),
                                                  parameter.gradient));
  }
  auto measured = train::MeasureOp::create(builder, NameLoc::get(builder.getStringAttr("gradient norm")),
                                           RankedTensorType::get({}, builder.getI1Type()),
                                           RankedTensorType::get({}, builder.getF32Type()), squares);
  finite = measured.getFinite();
  norm = measured.getNorm();
}

void BuildFinish::updateWithSgd() {
  for (Parameter &parameter : parameters) {
    Value value = read(parameter.state), buffer;
    StateOp bufferState;
    if (momentum != 0) {
      bufferState = declareMoment(parameter, "momentum");
      buffer = read(bufferState);
    }
    auto updated =
        train::SgdOp::create(builder, locationOf(parameter.state), value.getType(), buffer ? buffer.getType() : Type(),
                             value, parameter.gradient, rate, steps, buffer, real(momentum), real(dampening),
                             real(weightDecay), builder.getBoolAttr(nesterov));
    commit(updated.getNewParameter(), parameter.state);
    if (buffer)
      commit(updated.getNewBuffer(), bufferState);
  }
}

// beta^t is a state of its own: exact bias correction without a power function, and it moves only with the update.
Value BuildFinish::advancePower(StringRef name, double beta) {
  auto type = RankedTensorType::get({}, builder.getF64Type());
  StateOp state = compiler::trainstep::declareState(module, name, type, StateRole::Power, nullptr,
                                                    DenseElementsAttr::get(type, Attribute(real(1.0))));
  Location loc = locationOf(state);
  Value factor = graph::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, Attribute(real(beta))));
  Value power = graph::MulOp::create(builder, loc, type, read(state), factor);
  commit(power, state);
  return power;
}

void BuildFinish::updateWithAdam() {
  Value power1 = advancePower("beta1_power", beta1), power2 = advancePower("beta2_power", beta2);
  for (Parameter &parameter : parameters) {
    StateOp mState = declareMoment(parameter, "m"), vState = declareMoment(parameter, "v");
    Value value = read(parameter.state), m = read(mState), v = read(vState);
    Type type = value.getType();
    auto updated = train::AdamOp::create(builder, locationOf(parameter.state), type, type, type, value,
                                         parameter.gradient, m, v, rate, power1, power2, real(beta1), real(beta2),
                                         real(eps), real(weightDecay), builder.getBoolAttr(optimizer == "adamw"));
    commit(updated.getNewParameter(), parameter.state);
    commit(updated.getNewM(), mState);
    commit(updated.getNewV(), vState);
  }
}

void BuildFinish::commitStatistics() {
  for (StateOp pending : compiler::trainstep::statesOf(module, StateRole::Pending))
    commit(read(pending), module.lookupSymbol<StateOp>(*pending.getOf()));
}

void BuildFinish::countStep() {
  Location loc = locationOf(stepState);
  auto type = cast<RankedTensorType>(steps.getType());
  Value one = graph::ConstantOp::create(builder, loc, type,
                                        DenseElementsAttr::get(type, Attribute(builder.getI64IntegerAttr(1))));
  commit(graph::AddOp::create(builder, loc, type, steps, one), stepState);
}

// Only a dynamic scale has a tracker, and it moves most when nothing else may.
void BuildFinish::moveScale() {
  if (!trackerState)
    return;
  Value tracker = read(trackerState), loss = read(lossState);
  auto moved = train::UpdateScaleOp::create(builder, locationOf(scaleState), scale.getType(), tracker.getType(), scale,
                                            tracker, finite, loss, real(growth), real(backoff),
                                            builder.getI64IntegerAttr(interval), real(minScale), real(maxScale));
  commit(moved.getNewScale(), scaleState, true);
  commit(moved.getNewTracker(), trackerState, true);
}

} // namespace
