// How the passes of this stage find programs and states: by kind and by role, since names may have a suffix.
#ifndef AMP_COMPILER_TRAINSTEP_PROGRAMS_H
#define AMP_COMPILER_TRAINSTEP_PROGRAMS_H

#include "dialects/train/Train.h"

#include "mlir/IR/BuiltinOps.h"

namespace amp::compiler::trainstep {

/// The program of a kind; null if there is none.
train::ProgramOp findProgram(mlir::ModuleOp module, train::ProgramKind kind);

/// The same, with an error at the module that names `pass`, which makes it, if there is none.
train::ProgramOp requireProgram(mlir::ModuleOp module, train::ProgramKind kind, llvm::StringRef pass);

/// The states of a role, in the order of the module.
llvm::SmallVector<train::StateOp> statesOf(mlir::ModuleOp module, train::StateRole role);

/// The one state of a well-known role; null if there is none.
train::StateOp findState(mlir::ModuleOp module, train::StateRole role);

/// The same, with an error at the module if there is none: amp-trainstep-declare-states has not run.
train::StateOp requireState(mlir::ModuleOp module, train::StateRole role);

/// Whether this role has one state a module, by which it is found.
bool isWellKnown(train::StateRole role);

/// Declares a state after all others. A name that is taken gets a suffix.
train::StateOp declareState(mlir::ModuleOp module, const llvm::Twine &name, mlir::RankedTensorType type,
                            train::StateRole role, train::StateOp of = nullptr, mlir::Attribute initial = nullptr);

/// Reads a state.
mlir::Value readState(mlir::OpBuilder &builder, train::StateOp state);

/// A name that no symbol of the module has: `wanted`, or `wanted` with a number.
std::string freeSymbol(mlir::ModuleOp module, llvm::StringRef wanted);

/// The ops of a program that have a form for training and one for evaluation, in order.
llvm::SmallVector<graph::ModeOpInterface> opsWithModes(train::ProgramOp program);

/// Erases the pure ops and reads of a program that nothing uses.
void eraseUnused(train::ProgramOp program);

} // namespace amp::compiler::trainstep

#endif
