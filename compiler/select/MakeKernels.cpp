// Groups become kernels, found by content, and calls of them.
#include "compiler/select/Passes.h"

#include "compiler/select/Aliases.h"
#include "compiler/select/Catalogue.h"
#include "compiler/select/Overwrites.h"

#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

namespace amp::compiler {
#define GEN_PASS_DEF_MAKEKERNELSPASS
#include "compiler/select/Passes.h.inc"
} // namespace amp::compiler

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// The group's only op, if it is a reshape: no kernel is needed.
graph::ReshapeOp loneReshape(graph::GroupOp group) {
  Block &body = group.getBody().front();
  auto reshape = dyn_cast<graph::ReshapeOp>(body.front());
  bool alone = reshape && reshape->getNextNode() == body.getTerminator() && isa<BlockArgument>(reshape.getX()) &&
               body.getTerminator()->getNumOperands() == 1 && body.getTerminator()->getOperand(0) == reshape.getY();
  return alone ? reshape : graph::ReshapeOp();
}

/// Which input each result of a group overwrites: a result that is committed to the state that the input reads.
SmallVector<int64_t> aliasesOf(graph::GroupOp group) {
  SmallVector<int64_t> aliases;
  for (OpResult result : group.getResults()) {
    int64_t alias = -1;
    for (Operation *user : result.getUsers()) {
      auto commit = dyn_cast<train::CommitOp>(user);
      if (!commit || commit.getValue() != result)
        continue;
      for (auto [number, input] : llvm::enumerate(group.getInputs())) {
        auto read = input.getDefiningOp<train::ReadOp>();
        if (read && read.getState() == commit.getState() && !llvm::is_contained(aliases, int64_t(number)) &&
            mayOverwrite(group.getBody().front(), result.getResultNumber(), unsigned(number)))
          alias = int64_t(number);
      }
    }
    aliases.push_back(alias);
  }
  return aliases;
}

class KernelMaker {
public:
  KernelMaker(ModuleOp module, StringRef select)
      : module(module), select(select), kernels(OpBuilder::atBlockEnd(module.getBody())) {
    // Kernels stand before the first program that calls them.
    auto programs = module.getOps<train::ProgramOp>();
    if (!programs.empty())
      kernels.setInsertionPoint(*programs.begin());
  }

  LogicalResult convert(graph::GroupOp group) {
    OpBuilder builder(group);
    if (graph::ReshapeOp reshape = loneReshape(group)) {
      auto view = plan::ViewOp::create(builder, group.getLoc(), reshape.getType(), group.getInputs()[0]);
      group.replaceAllUsesWith(ValueRange{view.getY()});
      group.erase();
      return success();
    }
    SmallVector<int64_t> aliases = aliasesOf(group);
    auto call =
        plan::CallOp::create(builder, group.getLoc(), group.getResultTypes(), FlatSymbolRefAttr(), group.getInputs());
    group.replaceAllUsesWith(call.getResults());
    FailureOr<FlatSymbolRefAttr> kernel = kernelFor(group.getBody(), aliases, group.getLoc());
    group.erase();
    if (failed(kernel))
      return failure();
    call.setKernelAttr(*kernel);
    ++calls;
    return success();
  }

  /// A call that copies `value`.
  Value copy(OpBuilder &builder, Value value) {
    Region body;
    Block &block = body.emplaceBlock();
    BlockArgument argument = block.addArgument(value.getType(), value.getLoc());
    OpBuilder inside(builder.getContext());
    inside.setInsertionPointToEnd(&block);
    graph::YieldOp::create(inside, value.getLoc(), ValueRange{argument});
    // Copies are generated, and generated code takes every kernel.
    FlatSymbolRefAttr kernel = *kernelFor(body, {-1}, value.getLoc());
    ++copies;
    ++calls;
    return plan::CallOp::create(builder, value.getLoc(), value.getType(), kernel, value).getResult(0);
  }

  unsigned kernelCount = 0, calls = 0, copies = 0;

private:
  FailureOr<FlatSymbolRefAttr> kernelFor(Region &body, ArrayRef<int64_t> aliases, Location location) {
    std::string name = "kernel_" + std::to_string(kernelCount);
    auto kernel = plan::KernelOp::create(kernels, location, "kernel", "", 1, 0, aliases, kernels.getArrayAttr({}));
    kernel.getBody().takeBody(body);
    std::string text;
    llvm::raw_string_ostream stream(text);
    kernel->print(stream,
                  OpPrintingFlags().useLocalScope().elideLargeElementsAttrs(std::numeric_limits<int64_t>::max()));
    auto [known, isNew] = names.try_emplace(text, name);
    if (!isNew) {
      kernel.erase();
      return FlatSymbolRefAttr::get(module.getContext(), known->second);
    }
    const KernelRow *row = chooseRow(kernel, select);
    if (!row) {
      emitError(location) << "no row of the kernel catalogue takes this group; use --select=auto";
      kernel.erase();
      return failure();
    }
    kernel.setSymName(name);
    row->plan(kernel);
    ++kernelCount;
    return FlatSymbolRefAttr::get(kernel);
  }

  ModuleOp module;
  StringRef select;
  OpBuilder kernels;
  llvm::StringMap<std::string> names; ///< of kernels, by their text without locations
};

class MakeKernels : public amp::compiler::impl::MakeKernelsPassBase<MakeKernels> {
public:
  using MakeKernelsPassBase::MakeKernelsPassBase;

  void runOnOperation() override {
    bool known =
        select == "auto" || llvm::any_of(kernelRows(), [&](const KernelRow &row) { return row.library == select; });
    if (!known) {
      getOperation().emitError() << "'" << select << "' is no library of the kernel catalogue; use auto or generated";
      return signalPassFailure();
    }
    KernelMaker maker(getOperation(), select);
    for (auto program : llvm::to_vector(getOperation().getOps<train::ProgramOp>())) {
      for (auto group : llvm::to_vector(program.getBody().getOps<graph::GroupOp>()))
        if (failed(maker.convert(group)))
          return signalPassFailure();
      orderOverwrites(program, [&](OpBuilder &builder, Value value) { return maker.copy(builder, value); });
    }
    kernels += maker.kernelCount;
    calls += maker.calls;
    copies += maker.copies;
  }
};

} // namespace
