// What amp-shape-infer makes of ops whose shapes have become known.
#ifndef AMP_COMPILER_SHAPE_SIMPLIFY_H
#define AMP_COMPILER_SHAPE_SIMPLIFY_H

#include "mlir/IR/Operation.h"

namespace amp::compiler::shape {

/// Replaces an op by a simpler one: those that read a shape by those that hold it, what changes nothing by its operand;
/// or skips a view before it. True if it did; the op may be gone then.
bool simplifyOp(mlir::Operation *op);

} // namespace amp::compiler::shape

#endif
