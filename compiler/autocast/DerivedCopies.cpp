// Low copies of weights as derived state.
#include "compiler/autocast/DerivedCopies.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

static std::string purpose(FloatType type) {
  return type.isBF16() ? "bf16" : "f16";
}

train::StateOp DerivedCopies::copyOf(train::StateOp master) {
  train::StateOp &copy = copies[master];
  if (copy)
    return copy;
  // A model's own name wins: the copy then gets a number.
  std::string name = (master.getSymName() + "/" + purpose(low)).str(), free = name;
  for (unsigned number = 1; symbols.lookup(free); ++number)
    free = name + "_" + std::to_string(number);
  OpBuilder builder(master->getContext());
  builder.setInsertionPointAfter(master);
  copy = train::StateOp::create(builder, master.getLoc(), free, cast<RankedTensorType>(master.getType()).clone(low),
                                train::StateRole::Derived, FlatSymbolRefAttr::get(master.getSymNameAttr()),
                                /*initial=*/Attribute(), /*offset=*/IntegerAttr());
  symbols.insert(copy);
  return copy;
}

Value DerivedCopies::read(train::ReadOp master) {
  auto state = symbols.lookup<train::StateOp>(master.getState());
  train::ReadOp &read = reads[{master->getBlock(), state}];
  if (!read) {
    train::StateOp copy = copyOf(state);
    OpBuilder builder(master);
    read = train::ReadOp::create(builder, master.getLoc(), copy.getType(), copy.getSymName());
  }
  return read.getValue();
}

void DerivedCopies::commitAfter(train::CommitOp commit, train::StateOp copy) {
  OpBuilder builder(commit->getContext());
  builder.setInsertionPointAfter(commit);
  Value value = commit.getValue();
  Location loc = value.getDefiningOp() ? value.getDefiningOp()->getLoc() : commit.getLoc();
  Value rounded = CastOp::create(builder, loc, copy.getType(), value);
  train::CommitOp::create(builder, commit.getLoc(), rounded, copy.getSymName(), commit.getPredicate());
}

train::ProgramOp DerivedCopies::deriveProgram() {
  for (auto program : module.getOps<train::ProgramOp>())
    if (program.getKind() == train::ProgramKind::Derive)
      return program;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  auto program = train::ProgramOp::create(
      builder, loc, "derive", builder.getFunctionType({}, {}), train::ProgramKind::Derive, builder.getStrArrayAttr({}),
      builder.getStrArrayAttr({}), /*index_limits=*/nullptr, /*ignore_indices=*/nullptr, /*arg_attrs=*/nullptr,
      /*res_attrs=*/nullptr, /*scratch_bytes=*/nullptr);
  builder.createBlock(&program.getBody());
  train::ReturnOp::create(builder, loc, ValueRange());
  return program;
}

void DerivedCopies::commitAll() {
  if (copies.empty())
    return;
  SmallVector<std::pair<train::CommitOp, train::StateOp>> updates;
  module.walk([&](train::CommitOp commit) {
    auto found = copies.find(symbols.lookup(commit.getState()));
    if (found != copies.end())
      updates.push_back({commit, found->second});
  });
  for (auto [commit, copy] : updates)
    commitAfter(commit, copy);

  Block &derive = deriveProgram().getBody().front();
  OpBuilder builder(derive.getTerminator());
  for (auto &[master, copy] : copies) {
    auto state = cast<train::StateOp>(master);
    Value value = train::ReadOp::create(builder, master->getLoc(), state.getType(), state.getSymName());
    Value rounded = CastOp::create(builder, master->getLoc(), copy.getType(), value);
    train::CommitOp::create(builder, master->getLoc(), rounded, copy.getSymName(), Value());
  }
}

} // namespace amp::compiler
