// The attributes that convolution and pooling share: kernel, strides, pads, dilations, auto_pad.
#ifndef AMP_COMPILER_IMPORT_ONNX_WINDOW_H
#define AMP_COMPILER_IMPORT_ONNX_WINDOW_H

#include "compiler/import/onnx/NodeImport.h"

namespace amp::compiler {

struct Window {
  Integers kernel;
  Integers strides;
  Integers pads; ///< top, left, bottom, right
  Integers dilations;
  bool isExact = false; ///< SAME: pads make every window fit, so ceil_mode changes nothing
};

/// Reads the attributes for 2-D images of `shape`. `kernel` is known for a convolution and empty for a pool, whose
/// attribute kernel_shape is required.
llvm::FailureOr<Window> readWindow(NodeImport &node, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> kernel);

} // namespace amp::compiler

#endif
