// Low copies of weights: derived state that the update remakes, so that no micro-batch casts a weight.
#ifndef AMP_COMPILER_AUTOCAST_DERIVEDCOPIES_H
#define AMP_COMPILER_AUTOCAST_DERIVEDCOPIES_H

#include "dialects/train/Train.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace amp::compiler {

class DerivedCopies {
public:
  DerivedCopies(mlir::ModuleOp module, mlir::FloatType low) : module(module), symbols(module), low(low) {}

  /// The low copy of what `master` reads, read in the same program.
  mlir::Value read(train::ReadOp master);

  /// Makes every program that commits a master commit the copy too, and derive all copies. Makes derive if need be.
  void commitAll();

  unsigned size() const { return copies.size(); }

private:
  train::StateOp copyOf(train::StateOp master);
  void commitAfter(train::CommitOp commit, train::StateOp copy);
  train::ProgramOp deriveProgram();

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  mlir::FloatType low;
  llvm::MapVector<mlir::Operation *, train::StateOp> copies;
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Operation *>, train::ReadOp> reads;
};

} // namespace amp::compiler

#endif
