// How large a tile of each family of roots is.
#ifndef AMP_COMPILER_TILING_GRAIN_H
#define AMP_COMPILER_TILING_GRAIN_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace amp::compiler {

/// Elements of the smallest piece that a tile may be made of, and how many pieces make a tile.
struct Grain {
  int64_t elements;
  int64_t count;
};

/// An elementwise kernel: whole rows, so that a tile can be walked axis by axis.
Grain elementwiseGrain(mlir::RankedTensorType type);

/// Of the space of a kernel with that root.
Grain rootGrain(mlir::Operation *root);

/// What the space of a Direct root counts: rows, parts.
int64_t directElements(mlir::Operation *root);

/// Bytes that the emitter of a staged root needs beside its stage.
int64_t scratchBytes(mlir::Operation *root, int64_t tileElements);

} // namespace amp::compiler

#endif
