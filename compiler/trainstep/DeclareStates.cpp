// The states that every step has, whatever the model.
#include "compiler/trainstep/Passes.h"
#include "compiler/trainstep/Programs.h"

using namespace mlir;
using namespace amp;
using train::StateRole;

namespace amp::compiler::trainstep {
#define GEN_PASS_DEF_DECLARESTATESPASS
#include "compiler/trainstep/Passes.h.inc"
} // namespace amp::compiler::trainstep

namespace {

class DeclareStates : public compiler::trainstep::impl::DeclareStatesPassBase<DeclareStates> {
public:
  using DeclareStatesPassBase::DeclareStatesPassBase;

  void runOnOperation() override {
    if (lossScale != "none" && lossScale != "static" && lossScale != "dynamic") {
      emitError(getOperation().getLoc()) << "loss-scale is '" << lossScale << "', wants none, static or dynamic";
      return signalPassFailure();
    }
    Builder builder(&getContext());
    Type f32 = builder.getF32Type(), i64 = builder.getI64Type();
    declare("learning_rate", f32, StateRole::LearningRate, builder.getF32FloatAttr(learningRate));
    double scale = lossScale == "none" ? 1.0 : initialScale;
    declare("loss_scale", f32, StateRole::LossScale, builder.getF32FloatAttr(scale));
    if (lossScale == "dynamic")
      declare("growth_tracker", builder.getI32Type(), StateRole::GrowthTracker);
    declare("step_count", i64, StateRole::StepCount);
    declare("seed", i64, StateRole::Seed);
    declare("loss", f32, StateRole::Loss);
  }

private:
  void declare(StringRef name, Type element, StateRole role, Attribute value = nullptr) {
    auto type = RankedTensorType::get({}, element);
    Attribute initial = value ? DenseElementsAttr::get(type, value) : Attribute();
    compiler::trainstep::declareState(getOperation(), name, type, role, nullptr, initial);
  }
};

} // namespace
