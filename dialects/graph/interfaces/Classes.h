// The classes that ops name through their interfaces.
#ifndef AMP_DIALECTS_GRAPH_INTERFACES_CLASSES_H
#define AMP_DIALECTS_GRAPH_INTERFACES_CLASSES_H

#include "mlir/IR/Value.h"

namespace amp::graph {

/// What an op may ask for when it enters training (ModeOpInterface).
struct TrainingMode {
  llvm::function_ref<mlir::Value()> seed;   ///< i64 scalar
  llvm::function_ref<mlir::Value()> update; ///< i64 scalar: the update, in its high 32 bits the leaf
  bool dropout = true;                      ///< false: nothing is dropped
  bool sampleVariance = false;              ///< running variances take the sample variance, not the population's
  /// Takes the next value of the state that `current`, an operand of the op, was read from.
  llvm::function_ref<llvm::LogicalResult(mlir::Value current, mlir::Value next)> advance;
};

/// What autocast does with an op.
enum class PrecisionClass {
  Low,     ///< floating operands in the low type, accumulation in fp32, result low
  Fp32,    ///< computes in fp32
  Split,   ///< activations follow, statistics stay fp32
  Follow,  ///< the type of its first floating operand
  Promote, ///< the widest type among its floating operands
  Never    ///< untouched
};

/// What the layout stage does with an op.
enum class LayoutClass {
  Prefers,     ///< wants channels-last
  Accepts,     ///< runs in channels-last once told
  Elementwise, ///< any layout, the same for all image operands and results
  Fixed        ///< canonical layout only
};

/// How an op joins a fused group.
enum class FusionClass { Elementwise, View, Root, Alone };

} // namespace amp::graph

#endif
