// Loops along one axis for many rows at once: softmax and cross-entropy. Along the last axis the lanes are elements of
// a row and fold at its end; along another axis the lanes are rows that lie side by side.
#ifndef AMP_COMPILER_CODEGEN_CPU_AXISLOOP_H
#define AMP_COMPILER_CODEGEN_CPU_AXISLOOP_H

#include "compiler/codegen/cpu/KernelEmitter.h"

namespace amp::compiler {

class AxisLoop {
public:
  AxisLoop(KernelEmitter &k, mlir::RankedTensorType type, int64_t axis);

  int64_t outerLength() const { return outer; }
  int64_t pieceElements() const { return length * inner; } ///< of one step of the outer axes

  /// Calls body for each group of rows of outer steps [first, last); inside it the other methods work.
  void forEachRows(mlir::Value first, mlir::Value last, llvm::function_ref<void()> body);
  int64_t rowsAtOnce() const { return rowLanes; }
  /// The place of these rows in a tensor without the axis.
  Index rowIndex() const;

  using Element = llvm::function_ref<mlir::Value(const Index &, mlir::Value)>; ///< place, position on the axis
  /// The sum, or the maximum, of `element` along the axis, of each row.
  mlir::Value sum(Element element);
  mlir::Value maximum(Element element);
  /// Stores `element` for every position.
  void store(const Memory &memory, Element element);

private:
  mlir::Value fold(double start, Element element, llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine,
                   llvm::function_ref<mlir::Value(mlir::Value)> foldLanes);
  Index place(mlir::Value position, int64_t lanes) const;

  KernelEmitter &k;
  mlir::RankedTensorType type;
  int64_t axis, outer = 1, length, inner = 1;
  llvm::SmallVector<mlir::Value> outerAxes, innerAxes;
  int64_t rowLanes = 1;
};

} // namespace amp::compiler

#endif
