// Walks over the elements of channels: batch normalisation, gradients of biases. Where channels lie side by side the
// lanes are channels and the loops run over rows; else the lanes are elements of one channel.
#ifndef AMP_COMPILER_CODEGEN_CPU_CHANNELLOOP_H
#define AMP_COMPILER_CODEGEN_CPU_CHANNELLOOP_H

#include "compiler/codegen/cpu/KernelEmitter.h"

namespace amp::compiler {

/// Lanes for columns, at most `most`, so that every tile begins at a whole vector.
int64_t columnLanes(KernelEmitter &k, int64_t columns, int64_t most);

constexpr int64_t runRows = 8;     ///< rows that are read together, for all columns of a tile, before the next ones
constexpr int64_t chunkRows = 128; ///< rows whose sums are f32; f64 takes over from there

/// How many rows before it is used memory is asked for: some 4 KiB of a tile's columns.
int64_t rowsAhead(KernelEmitter &k, int64_t columns);

/// Numbers of the columns of a tile, in the scratch of the workspace: some of them as f64 and as f32.
class ColumnScratch {
public:
  /// The columns from `first` on.
  ColumnScratch(KernelEmitter &k, mlir::Value first, int64_t columns, unsigned count);

  llvm::SmallVector<mlir::Value> load(mlir::Type element, mlir::Value column, int64_t lanes);
  void store(mlir::Type element, mlir::Value column, mlir::ValueRange values);
  void clear(mlir::Type element, mlir::Value column, int64_t lanes);

private:
  Memory memory(mlir::Type element, unsigned number);

  KernelEmitter &k;
  mlir::Value first;
  int64_t columns;
  unsigned count;
};

/// Sums over the rows of a matrix for the columns [first, last) of a tile.
struct ColumnSums {
  KernelEmitter &k;
  mlir::Value first, last; ///< `first` is a multiple of the lanes
  int64_t columns, rows;   ///< of the matrix
  unsigned count;          ///< how many sums a column has

  using Terms = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value row, mlir::Value column, int64_t lanes)>;
  using Finish = llvm::function_ref<void(mlir::Value column, int64_t lanes, mlir::ValueRange sums)>;
  using Fetch = llvm::function_ref<void(mlir::Value row, mlir::Value column)>;
  /// Sums f32 terms, and hands over each column's sums in f32. `fetch` asks for what a row needs: a processor does not
  /// guess that a tile goes on in the next row.
  void emit(Terms terms, Finish finish, Fetch fetch);

private:
  llvm::SmallVector<mlir::Value> sumRows(mlir::Value from, mlir::Value to, mlir::Value column, mlir::ValueRange start,
                                         int64_t lanes, Terms terms, Fetch fetch);
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
  void fetchRow(mlir::Value number, mlir::Value channel);
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
  llvm::SmallVector<mlir::Value> read;
  ChannelShape shape;
  bool flat;
};

} // namespace amp::compiler

#endif
