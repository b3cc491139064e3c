// The program that remakes derived state: empty until a later stage derives something.
#include "compiler/trainstep/Passes.h"
#include "compiler/trainstep/Programs.h"

using namespace mlir;
using namespace amp;

namespace amp::compiler::trainstep {
#define GEN_PASS_DEF_BUILDDERIVEPASS
#include "compiler/trainstep/Passes.h.inc"
} // namespace amp::compiler::trainstep

namespace {

class BuildDerive : public compiler::trainstep::impl::BuildDerivePassBase<BuildDerive> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    ArrayAttr none = builder.getArrayAttr({});
    auto program =
        train::ProgramOp::create(builder, module.getLoc(), compiler::trainstep::freeSymbol(module, "derive"),
                                 builder.getFunctionType({}, {}), train::ProgramKind::Derive, none, none,
                                 DenseI64ArrayAttr(), DenseI64ArrayAttr(), ArrayAttr(), ArrayAttr(), IntegerAttr());
    builder.createBlock(&program.getBody());
    train::ReturnOp::create(builder, module.getLoc(), ValueRange());
  }
};

} // namespace
