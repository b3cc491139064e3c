// Registration of the graph dialect.
#include "dialects/graph/Graph.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp::graph;

#include "dialects/graph/Dialect.cpp.inc"
#include "dialects/graph/Enums.cpp.inc"
#include "dialects/graph/interfaces/Interfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/graph/Attributes.cpp.inc"

void GraphDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/graph/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Contraction.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Convolution.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Elementwise.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Group.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Loss.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Movement.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Normalization.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Pooling.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Random.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/ops/Reduction.cpp.inc"
      >();
}

Operation *GraphDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}
