// The one list of dialects and the one list of stages' passes.
#include "compiler/pipeline/Registration.h"

#include "compiler/memory/Passes.h"

using namespace amp;

void amp::compiler::registerAmp(mlir::DialectRegistry &registry) {
  registry.insert<graph::GraphDialect, train::TrainDialect, plan::PlanDialect>();
}

void amp::compiler::registerAmpPasses() {
  memory::registerAmpMemoryPasses();
}
