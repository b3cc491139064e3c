// The graph dialect: tensor ops with value semantics, and the interfaces through which passes ask about them.
#ifndef AMP_DIALECTS_GRAPH_GRAPH_H
#define AMP_DIALECTS_GRAPH_GRAPH_H

#include "dialects/graph/interfaces/Classes.h"
#include "dialects/graph/interfaces/ReferenceTensor.h"
#include "dialects/graph/interfaces/ShapeRules.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/BitVector.h"

#include "dialects/graph/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/graph/Attributes.h.inc"

#include "dialects/graph/Dialect.h.inc"
#include "dialects/graph/interfaces/Interfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/graph/ops/Contraction.h.inc"
#define GET_OP_CLASSES
#include "dialects/graph/ops/Convolution.h.inc"
#define GET_OP_CLASSES
#include "dialects/graph/ops/Elementwise.h.inc"
#define GET_OP_CLASSES
#include "dialects/graph/ops/Group.h.inc"
#define GET_OP_CLASSES
#include "dialects/graph/ops/Loss.h.inc"
#define GET_OP_CLASSES
#include "dialects/graph/ops/Movement.h.inc"
#define GET_OP_CLASSES
#include "dialects/graph/ops/Normalization.h.inc"
#define GET_OP_CLASSES
#include "dialects/graph/ops/Pooling.h.inc"
#define GET_OP_CLASSES
#include "dialects/graph/ops/Random.h.inc"
#define GET_OP_CLASSES
#include "dialects/graph/ops/Reduction.h.inc"

namespace amp::graph {

/// Creates an op whose result type the shape rule finds: the arguments are those of the op's builder after the result
/// type, as in createInferred<MatMulOp>(builder, loc, lhs, rhs, transposeLhs). Null, with an error emitted on the op,
/// when the operands do not fit. Not for ops whose result type is a choice (reshape, expand, cast, constant).
template <class OpTy, class... Arguments>
OpTy createInferred(mlir::OpBuilder &builder, mlir::Location loc, Arguments &&...arguments) {
  OpTy op = OpTy::create(builder, loc, mlir::Type(builder.getNoneType()), std::forward<Arguments>(arguments)...);
  llvm::SmallVector<mlir::Type> types;
  if (failed(op.inferResultTypes(types))) {
    op->erase();
    return nullptr;
  }
  op->getResult(0).setType(types.front());
  return op;
}

} // namespace amp::graph

#endif
