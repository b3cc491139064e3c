// What the reference evaluations of Convolution and Pooling share: where a pixel lies in either layout.
#ifndef AMP_DIALECTS_GRAPH_OPS_IMAGESTRIDES_H
#define AMP_DIALECTS_GRAPH_OPS_IMAGESTRIDES_H

#include "dialects/graph/Graph.h"

namespace amp::graph {

/// Strides of a physical image shape, by meaning.
struct ImageStrides {
  int64_t image, channel, height, width;
  ImageStrides(llvm::ArrayRef<int64_t> shape, const ImageAxes &axes) {
    llvm::SmallVector<int64_t> strides = rowMajorStrides(shape);
    image = strides[0];
    channel = strides[axes.channels];
    height = strides[axes.height];
    width = strides[axes.width];
  }
};

} // namespace amp::graph

#endif
