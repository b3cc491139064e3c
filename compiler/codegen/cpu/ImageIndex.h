// The place of an image's element, whatever the layout.
#ifndef AMP_COMPILER_CODEGEN_CPU_IMAGEINDEX_H
#define AMP_COMPILER_CODEGEN_CPU_IMAGEINDEX_H

#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/interfaces/ShapeRules.h"

namespace amp::compiler {

/// With lanes > 1, that many channels from `c` on.
inline Index imageIndex(const graph::ImageAxes &axes, int64_t lanes, mlir::Value n, mlir::Value c, mlir::Value h,
                        mlir::Value w) {
  Index index;
  index.axes.assign(4, n);
  index.axes[axes.channels] = c;
  index.axes[axes.height] = h;
  index.axes[axes.width] = w;
  index.lanes = lanes;
  index.vectorAxis = lanes > 1 ? int(axes.channels) : -1;
  return index;
}

} // namespace amp::compiler

#endif
