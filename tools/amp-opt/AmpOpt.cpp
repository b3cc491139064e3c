// An mlir-opt for the dialects and passes of amp: what the lit tests run.
#include "compiler/pipeline/Registration.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  amp::compiler::registerAmp(registry);
  amp::compiler::registerAmpPasses();
  // MLIR's own clean-up passes (canonicalize, cse), to test folds.
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "amp's optimizer driver\n", registry));
}
