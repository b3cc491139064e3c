// Walks over the elements of channels: batch normalisation, gradients of biases. Where channels lie side by side the
// lanes are channels and the loops run over rows; else the lanes are elements of one channel.
#ifndef AMP_COMPILER_CODEGEN_CPU_CHANNELLOOP_H
#define AMP_COMPILER_CODEGEN_CPU_CHANNELLOOP_H

#include "compiler/codegen/cpu/KernelEmitter.h"

namespace amp::compiler {

/// Lanes for columns, at most `most`, so that every tile begins at a whole vector.
int64_t columnLanes(KernelEmitter &k, int64_t columns, int64_t most);

/// Sums over the rows of a matrix for the columns [first, last) of a tile.
struct ColumnSums {
  KernelEmitter &k;
  mlir::Value first, last; ///< `first` is a multiple of the lanes
  int64_t columns, rows;   ///< of the matrix
  unsigned count;          ///< how many sums a column has

  using Terms = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value row, mlir::Value column, int64_t lanes)>;
  using Finish = llvm::function_ref<void(mlir::Value column, int64_t lanes, mlir::ValueRange sums)>;
  /// Sums f32 terms, of some rows in f32 and of all in f64, and hands over each column's sums in f32.
  void emit(Terms terms, Finish finish);

private:
  llvm::SmallVector<mlir::Value> sumRows(mlir::Value from, mlir::Value to, mlir::Value column, int64_t lanes,
                                         Terms terms);
};

/// A place for fp64 numbers of the columns of a tile, in the scratch of the workspace.
struct ColumnScratch {
  ColumnScratch(KernelEmitter &k, mlir::Value first, int64_t columns);

  mlir::Value load(unsigned number, mlir::Value column, int64_t lanes);
  void store(unsigned number, mlir::Value column, mlir::Value value);

private:
  KernelEmitter &k;
  mlir::Value first;
  int64_t bytes;
};

class ChannelLoop {
public:
  /// Over the channels, on `axis`, of a tensor of that type; `read` is what will be read at its places.
  ChannelLoop(KernelEmitter &k, mlir::RankedTensorType type, int64_t axis, mlir::ValueRange read);

  bool channelsLast() const { return shape.inner == 1; }
  int64_t elements() const { return shape.outer * shape.inner; } ///< of a channel
  int64_t channels() const { return shape.channels; }

  /// Channels last: the place of a row, at channels from `channel` on.
  Index row(mlir::Value number, mlir::Value channel, int64_t lanes);
  /// Else: a channel is `runs()` runs of `runLength` elements; the place at an element of one.
  int64_t runs() const { return elements() / runLength; }
  int64_t runLength;
  Index run(mlir::Value number, mlir::Value channel, mlir::Value position, int64_t lanes);

  /// The elements of a vector of the channels.
  mlir::Value ofChannels(mlir::Value vector, mlir::Value channel, int64_t lanes);

private:
  KernelEmitter &k;
  mlir::RankedTensorType type;
  int64_t axis;
  ChannelShape shape;
  bool flat;
};

} // namespace amp::compiler

#endif
