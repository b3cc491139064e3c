// The order of calls around states that they overwrite.
#ifndef AMP_COMPILER_SELECT_OVERWRITES_H
#define AMP_COMPILER_SELECT_OVERWRITES_H

#include "dialects/plan/Plan.h"
#include "dialects/train/Train.h"

namespace amp::compiler {

/// The old value of a state that `value` is: through views, a read of it. Null otherwise.
train::ReadOp readBehind(mlir::Value value);

/// Makes the copy of a value with a call in front of the insertion point.
using MakeCopy = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value)>;

/// Adds copies until each commit takes the result of a call that may write the state, then orders the calls.
void orderOverwrites(train::ProgramOp program, MakeCopy makeCopy);

} // namespace amp::compiler

#endif
