// The patterns of amp-import-recognize-patterns, and what they ask of values.
#ifndef AMP_COMPILER_IMPORT_RECOGNIZE_PATTERNS_H
#define AMP_COMPILER_IMPORT_RECOGNIZE_PATTERNS_H

#include "dialects/graph/Graph.h"

#include <optional>

namespace amp::compiler::recognize {

/// The layer normalisation whose last op of the core, the division by the deviation, is `op`: with the scale and bias
/// that follow. Null if it is none; otherwise the op that was made, which has replaced them.
mlir::Operation *recognizeLayerNorm(mlir::Operation *op);

/// The GELU whose last product is `op`; null if it is none.
mlir::Operation *recognizeGelu(mlir::Operation *op);

/// The number that every element of a constant is; none of anything else.
std::optional<double> splatValue(mlir::Value value);

/// Whether two numbers are one that an exporter rounded to fp32.
bool isNearly(double value, double wanted);

/// Puts `made` in the place of `last`, and erases what nobody reads any more.
void replaceChain(mlir::Operation *last, mlir::Operation *made);

} // namespace amp::compiler::recognize

#endif
