// Recognition of what exporters spell out: ops of the model become the one op that they are.
#ifndef AMP_COMPILER_IMPORT_RECOGNIZE_PASSES_H
#define AMP_COMPILER_IMPORT_RECOGNIZE_PASSES_H

#include "dialects/graph/Graph.h"

#include "mlir/Pass/Pass.h"

namespace amp::compiler::recognize {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/import/recognize/Passes.h.inc"

} // namespace amp::compiler::recognize

#endif
