// Ops of arith and math on scalars, as expressions of C++.
#ifndef AMP_COMPILER_CODEGEN_CUDA_OPPRINTER_H
#define AMP_COMPILER_CODEGEN_CUDA_OPPRINTER_H

#include "mlir/IR/Operation.h"

#include <string>

namespace amp::compiler {

/// The type of a value in a kernel: "float", "i32", "bool". Integers are signed, as memory holds them.
std::string cudaType(mlir::Type type);
/// The type of an element in memory: "bf16", "i1", "u8".
std::string cudaStorageType(mlir::Type element);

/// A literal, in parentheses where it is negative.
std::string cudaLiteral(mlir::TypedAttr value);

/// The expression of an op with one result on operands that are names or literals. Empty where no rule is known: the
/// op, or one of its types.
std::string cudaExpression(mlir::Operation *op, llvm::ArrayRef<std::string> operands);

} // namespace amp::compiler

#endif
