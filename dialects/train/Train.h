// The train dialect: state, programs and the ops of an update.
#ifndef AMP_DIALECTS_TRAIN_TRAIN_H
#define AMP_DIALECTS_TRAIN_TRAIN_H

#include "dialects/graph/Graph.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "dialects/train/Enums.h.inc"

#include "dialects/train/Dialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/train/Attributes.h.inc"

namespace amp::train {
class ReturnOp;
}

#define GET_OP_CLASSES
#include "dialects/train/ops/State.h.inc"
#define GET_OP_CLASSES
#include "dialects/train/ops/Update.h.inc"

#endif
