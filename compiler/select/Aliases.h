// Which results of a kernel may overwrite an input.
#ifndef AMP_COMPILER_SELECT_ALIASES_H
#define AMP_COMPILER_SELECT_ALIASES_H

#include "mlir/IR/Block.h"

namespace amp::compiler {

/// Whether the kernel reads element i of input `input` only for element i of its results, in one walk over them, so
/// that result `result` may overwrite it.
bool mayOverwrite(mlir::Block &body, unsigned result, unsigned input);

} // namespace amp::compiler

#endif
