// The plan dialect: kernels, calls and buffers, the image of a package.
#ifndef AMP_DIALECTS_PLAN_PLAN_H
#define AMP_DIALECTS_PLAN_PLAN_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/plan/Dialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/plan/Attributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/plan/Types.h.inc"

#define GET_OP_CLASSES
#include "dialects/plan/ops/Kernel.h.inc"

namespace amp::plan {
/// Bytes of a tensor with static shape in a buffer: row-major, i1 as one byte an element.
int64_t byteSize(mlir::ShapedType type);

/// The symbol of the function that does a generated step of a kernel: "kernel_3", or "kernel_3_<part>" where a kernel
/// has several generated steps.
std::string generatedSymbol(KernelOp kernel, GeneratedAttr step);
} // namespace amp::plan

#endif
