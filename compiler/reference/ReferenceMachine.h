// The oracle of every stage: runs the programs of a module in double precision, op by op, on IR from import to select.
#ifndef AMP_COMPILER_REFERENCE_REFERENCEMACHINE_H
#define AMP_COMPILER_REFERENCE_REFERENCEMACHINE_H

#include "dialects/train/Train.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace amp::compiler {

/// Gives the bytes of an external initial value, or failure.
using ExternalReader = std::function<mlir::FailureOr<std::vector<char>>(train::ExternalAttr)>;

/// Reads the byte range from the file that the attribute names.
mlir::FailureOr<std::vector<char>> readExternalFile(train::ExternalAttr external);

/// Holds the states of a module and runs its programs. The module must outlive the machine and must be verified. Not
/// for use by several threads at once. Failures are emitted as errors on the op that could not be evaluated.
class ReferenceMachine {
public:
  using Tensors = std::map<std::string, graph::ReferenceTensor>;

  explicit ReferenceMachine(mlir::ModuleOp module) : module(module), symbols(module) {}

  /// Gives every state its initial value: elements, external bytes, or zeros.
  mlir::LogicalResult initialize(const ExternalReader &read = readExternalFile);

  /// The states by symbol name; to be read and changed freely between runs. A value from elsewhere must have the
  /// state's type.
  Tensors &getStates() { return states; }

  /// Runs the program with this symbol name: every input by its name in, every output by its name out. Commits take
  /// effect together at the end, those whose predicate is 0 not at all; after a failure no state has changed.
  mlir::FailureOr<Tensors> run(llvm::StringRef program, const Tensors &inputs);

private:
  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  Tensors states;
};

} // namespace amp::compiler

#endif
