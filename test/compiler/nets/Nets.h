// Small nets for the tests of stages: parsed, passed through passes, and run by the oracle.
#ifndef AMP_TEST_COMPILER_NETS_NETS_H
#define AMP_TEST_COMPILER_NETS_NETS_H

#include "compiler/reference/ReferenceMachine.h"

#include <string>

namespace amp::compiler::test {

using Tensors = ReferenceMachine::Tensors;

/// A net of test/compiler/nets, with programs micro, finish, eval and derive; one that is written as a model gets them
/// from trainstep.
class Net {
public:
  /// Parses the net and runs the passes of a textual pipeline over it; fails the test where that fails.
  Net(const std::string &name, const std::string &pipeline);

  /// One training step and one evaluation from weights and inputs that depend on names alone. Gives every state
  /// afterwards, and every output as "program:output"; their types live as long as the net.
  Tensors step();

  mlir::ModuleOp module() { return *parsed; }

private:
  Tensors inputs(llvm::StringRef program);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
};

/// The largest difference of two tensors, divided by the largest magnitude of the second.
double distance(const graph::ReferenceTensor &seen, const graph::ReferenceTensor &wanted);

/// Expects every tensor of `wanted` in `seen` within `bound`, and gives the largest distance.
double expectNear(const Tensors &seen, const Tensors &wanted, double bound);

} // namespace amp::compiler::test

#endif
