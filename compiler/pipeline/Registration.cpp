// The one list of dialects and the one list of stages' passes.
#include "compiler/pipeline/Registration.h"

#include "compiler/autocast/Passes.h"
#include "compiler/codegen/cpu/Codegen.h"
#include "compiler/codegen/cuda/Codegen.h"
#include "compiler/fusion/Passes.h"
#include "compiler/import/recognize/Passes.h"
#include "compiler/layout/Passes.h"
#include "compiler/memory/Passes.h"
#include "compiler/select/Passes.h"
#include "compiler/shape/Passes.h"
#include "compiler/trainstep/Passes.h"
#include "dialects/plan/Plan.h"

using namespace amp;

void amp::compiler::registerAmp(mlir::DialectRegistry &registry) {
  registry.insert<graph::GraphDialect, train::TrainDialect, plan::PlanDialect>();
  registerCpuCodegen(registry);
  registerCudaCodegen(registry);
}

void amp::compiler::registerAmpPasses() {
  recognize::registerAmpImportPasses();
  shape::registerAmpShapePasses();
  trainstep::registerAmpTrainstepPasses();
  registerAmpAutocastPasses();
  registerAmpLayoutPasses();
  registerAmpFusionPasses();
  registerAmpSelectPasses();
  memory::registerAmpMemoryPasses();
}
