// The windows of a pool: what pooling, its gradients and the scatter of the maximum's gradient share.
#ifndef AMP_COMPILER_CODEGEN_CPU_POOL_H
#define AMP_COMPILER_CODEGEN_CPU_POOL_H

#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/ShapeRules.h"

namespace amp::compiler {

/// One spatial axis: window o covers input positions o * stride - pad + tap * dilation.
struct PoolAxis {
  int64_t input, output, kernel, stride, pad, padEnd, dilation;

  /// Whether every window lies inside the input.
  bool inside() const { return pad == 0 && (output - 1) * stride + (kernel - 1) * dilation < input; }
};

/// The taps of a window that lie inside the input.
struct PoolTaps {
  mlir::Value first, last;
};

/// Lanes are channels, so a window is the same for all.
struct Pool {
  KernelEmitter &k;
  bool maximum = false, countsPadding = false;
  graph::ChannelLayout layout{}, resultLayout{};
  PoolAxis height{}, width{};
  mlir::Value x{}, dy{}; ///< x of a maximum, dy of a gradient
  mlir::Type element{};

  Pool(KernelEmitter &k, mlir::Operation *op);

  Index image(graph::ChannelLayout where, int64_t lanes, mlir::Value n, mlir::Value c, mlir::Value h, mlir::Value w);
  PoolTaps taps(const PoolAxis &axis, mlir::Value window);
  mlir::Value position(const PoolAxis &axis, mlir::Value window, mlir::Value tap);
  /// The windows that cover one of the positions [first, last).
  PoolTaps windows(const PoolAxis &axis, mlir::Value first, mlir::Value last);

  mlir::Value forward(const Index &index);
  mlir::Value gradient(const Index &index);
  /// The number, an i32, of the tap of a window that gets the gradient.
  mlir::Value firstMaximum(int64_t lanes, mlir::Value n, mlir::Value c, mlir::Value h, mlir::Value w);
  /// `upstream` in the lanes whose window has its maximum at row `a` and column `b` of its taps, else 0.
  mlir::Value whereMaximum(mlir::Value best, mlir::Value a, mlir::Value b, mlir::Value upstream, int64_t lanes);

private:
  template <typename Op> void read(Op op, llvm::ArrayRef<int64_t> input, llvm::ArrayRef<int64_t> output);
  mlir::Value ceiling(mlir::Value lhs, int64_t by) { return k.divide(k.add(lhs, by - 1), by); }
  mlir::Value counted(const PoolAxis &axis, mlir::Value window, const PoolTaps &inside);
  using Step = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange, mlir::Value, mlir::Value)>;
  /// Folds x over a window, row by row. `step` gets the sums, the value and the number of the tap.
  llvm::SmallVector<mlir::Value> fold(mlir::Value n, mlir::Value c, mlir::Value h, mlir::Value w, int64_t lanes,
                                      mlir::ValueRange start, Step step);
  mlir::Value divisor(mlir::Value h, mlir::Value w, int64_t lanes);
  /// Adds up `term(window, tap, sum)` over the windows that cover an input position.
  mlir::Value covering(const PoolAxis &axis, mlir::Value input, mlir::Value start,
                       llvm::function_ref<mlir::Value(mlir::Value, mlir::Value, mlir::Value)> term);
};

} // namespace amp::compiler

#endif
