// Values that a graph computes from constants alone, where an operator wants a constant.
#ifndef AMP_COMPILER_IMPORT_ONNX_CONSTANTFOLDING_H
#define AMP_COMPILER_IMPORT_ONNX_CONSTANTFOLDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace amp::compiler {

/// The elements of a small value that is computed from constants and known shapes; null of any other. The ops stay:
/// the shape stage removes those that nobody reads.
mlir::DenseElementsAttr foldConstant(mlir::Value value);

} // namespace amp::compiler

#endif
