// THE order of stages, readable top to bottom; each ends with its contract.
#include "compiler/pipeline/Stages.h"

#include "compiler/autocast/Passes.h"
#include "compiler/fusion/Passes.h"
#include "compiler/import/recognize/Passes.h"
#include "compiler/layout/Passes.h"
#include "compiler/memory/Passes.h"
#include "compiler/select/Passes.h"
#include "compiler/shape/Passes.h"
#include "compiler/trainstep/Passes.h"

using namespace mlir;
using namespace amp::compiler;

namespace {

bool explains(const CompileOptions &options, llvm::StringRef stage) {
  return llvm::is_contained(options.explain, stage.str());
}

void addShape(OpPassManager &passes, const CompileOptions &) {
  passes.addPass(shape::createInferPass());
  // It reads constants and lengths, which only folding gives.
  passes.addPass(recognize::createRecognizePatternsPass());
  passes.addPass(shape::createLimitIndicesPass());
  passes.addPass(shape::createOutlineConstantsPass());
  passes.addPass(shape::createVerifyPass());
}

trainstep::BuildLossPassOptions lossOptions(const LossOptions &loss) {
  trainstep::BuildLossPassOptions options;
  options.loss = loss.kind.empty() ? "auto" : loss.kind;
  options.of = loss.of;
  options.reduction = loss.reduction;
  options.axis = loss.hasAxis ? std::to_string(loss.axis) : "auto";
  options.ignoreIndex = loss.ignoreIndex;
  return options;
}

trainstep::DeclareStatesPassOptions stateOptions(const CompileOptions &compile, const LossScaleOptions &scale) {
  trainstep::DeclareStatesPassOptions options;
  options.learningRate = compile.optimizer.lr;
  options.lossScale = scale.kind;
  options.initialScale = scale.init;
  return options;
}

trainstep::BuildFinishPassOptions finishOptions(const CompileOptions &compile, const LossScaleOptions &scale) {
  const OptimizerOptions &optimizer = compile.optimizer;
  trainstep::BuildFinishPassOptions options;
  options.optimizer = optimizer.kind;
  options.momentum = optimizer.momentum;
  options.dampening = optimizer.dampening;
  options.nesterov = optimizer.nesterov;
  options.beta1 = optimizer.beta1;
  options.beta2 = optimizer.beta2;
  options.eps = optimizer.eps;
  options.weightDecay = optimizer.weightDecay;
  options.growth = scale.growth;
  options.backoff = scale.backoff;
  options.interval = scale.interval;
  options.minScale = scale.min;
  options.maxScale = scale.max;
  options.nonfinite = compile.nonfinite;
  return options;
}

void addTrainstep(OpPassManager &passes, const CompileOptions &options) {
  LossScaleOptions scale = options.resolvedLossScale();
  passes.addPass(trainstep::createBuildLossPass(lossOptions(options.loss)));
  passes.addPass(trainstep::createSelectParametersPass({options.freeze, options.trainable}));
  passes.addPass(trainstep::createDeclareStatesPass(stateOptions(options, scale)));
  passes.addPass(trainstep::createBuildMicroPass({options.dropout, options.batchnormVariance, options.freeze}));
  passes.addPass(trainstep::createBuildFinishPass(finishOptions(options, scale)));
  passes.addPass(trainstep::createBuildEvalPass());
  passes.addPass(trainstep::createBuildDerivePass());
  passes.addPass(trainstep::createVerifyPass({options.nonfinite}));
}

Precision precisionOf(const CompileOptions &options) {
  std::string precision = options.resolvedPrecision();
  return precision == "fp32" ? Precision::Fp32 : precision == "bf16" ? Precision::Bf16 : Precision::Fp16;
}

void addAutocast(OpPassManager &passes, const CompileOptions &options) {
  passes.addPass(createAssignTypes({precisionOf(options), explains(options, "autocast")}));
  passes.addPass(createAutocastVerify({precisionOf(options)}));
}

void addLayout(OpPassManager &passes, const CompileOptions &options) {
  ImageLayout layout = options.layout == "channels-last"    ? ImageLayout::ChannelsLast
                       : options.layout == "channels-first" ? ImageLayout::ChannelsFirst
                                                            : ImageLayout::Auto;
  passes.addPass(createConvertImages({layout}));
  passes.addPass(createFoldTranspose({explains(options, "layout")}));
  passes.addPass(createLayoutVerify());
}

void addFusion(OpPassManager &passes, const CompileOptions &options) {
  passes.addPass(createFormGroups({explains(options, "fusion")}));
  passes.addPass(createFusionVerify());
}

void addSelect(OpPassManager &passes, const CompileOptions &options) {
  // A library row pins the instruction set that the library finds here, and packs weights as no GPU reads them: code
  // for others does without.
  bool forOthers = options.select == "auto" && (options.arch != "native" || options.makesCuda());
  passes.addPass(createMakeKernelsPass({forOthers ? "generated" : options.select}));
  passes.addPass(createPackWeightsPass());
  passes.addPass(createSelectVerifyPass());
}

void addMemory(OpPassManager &passes, const CompileOptions &) {
  passes.addPass(memory::createPlaceStatesPass());
  passes.addPass(memory::createPlaceBuffersPass());
  passes.addPass(memory::createVerifyPass());
}

const Stage kStages[] = {
    {"shape", addShape},   {"trainstep", addTrainstep}, {"autocast", addAutocast}, {"layout", addLayout},
    {"fusion", addFusion}, {"select", addSelect},       {"memory", addMemory},
};

} // namespace

llvm::ArrayRef<Stage> amp::compiler::stages() {
  return kStages;
}
