// What is left of the model, once micro is built, is the evaluation.
#include "compiler/trainstep/Passes.h"
#include "compiler/trainstep/Programs.h"

using namespace mlir;
using namespace amp;
using train::ProgramKind;

namespace amp::compiler::trainstep {
#define GEN_PASS_DEF_BUILDEVALPASS
#include "compiler/trainstep/Passes.h.inc"
} // namespace amp::compiler::trainstep

namespace {

class BuildEval : public compiler::trainstep::impl::BuildEvalPassBase<BuildEval> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!compiler::trainstep::requireProgram(module, ProgramKind::Micro, "amp-trainstep-build-micro"))
      return signalPassFailure();
    auto model = compiler::trainstep::requireProgram(module, ProgramKind::Model, "amp-import-onnx");
    if (!model)
      return signalPassFailure();
    for (graph::ModeOpInterface op : compiler::trainstep::opsWithModes(model)) {
      OpBuilder builder(op);
      if (failed(op.enterEvaluation(builder)))
        return signalPassFailure();
    }
    compiler::trainstep::eraseUnused(model);
    model.setKind(ProgramKind::Eval);
    model.setSymName(compiler::trainstep::freeSymbol(module, "eval"));
    // In the order in which they are explained: micro, finish, eval.
    model->moveBefore(module.getBody(), module.getBody()->end());
  }
};

} // namespace
