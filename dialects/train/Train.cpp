// Registration of the train dialect.
#include "dialects/train/Train.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp::train;

#include "dialects/train/Dialect.cpp.inc"
#include "dialects/train/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/train/Attributes.cpp.inc"

void TrainDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/train/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/train/ops/State.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/train/ops/Update.cpp.inc"
      >();
}
