// amp-memory-place-buffers: lives of tensors, slots, and launches.
#include "compiler/memory/Passes.h"
#include "compiler/memory/SlotPacking.h"

namespace amp::compiler::memory {
#define GEN_PASS_DEF_PLACEBUFFERSPASS
#include "compiler/memory/Passes.h.inc"
} // namespace amp::compiler::memory

using namespace mlir;
using namespace amp;
using namespace amp::compiler::memory;

namespace {

/// Where a tensor lies: a program input, a state, or the slot of a life.
struct Place {
  enum class Kind { Argument, State, Slot } kind = Kind::Slot;
  int64_t index = 0; ///< number of the argument, or of the life
  StringAttr state;

  bool operator==(const Place &other) const {
    return kind == other.kind && index == other.index && state == other.state;
  }
};

class ProgramPlacement {
public:
  ProgramPlacement(train::ProgramOp program, SymbolTable &symbols) : program(program), symbols(symbols) {}

  LogicalResult place();
  /// Replaces the body by launches; returns the bytes of scratch.
  int64_t rewrite();
  size_t slotCount() const { return lives.size(); }

private:
  LogicalResult placeCall(plan::CallOp call, int64_t step);
  LogicalResult placeResult(plan::CallOp call, plan::KernelOp kernel, unsigned result, int64_t step);
  LogicalResult checkOverwrites();
  Value buffer(OpBuilder &builder, Location loc, Value tensor);
  int64_t lastUse(Value value);

  train::ProgramOp program;
  SymbolTable &symbols;
  Operation *lastBuffer = nullptr; ///< buffers stand at the start of the body, in the order of their first use
  llvm::DenseMap<Operation *, int64_t> steps;
  llvm::DenseMap<Value, Place> places;
  SmallVector<Life> lives;
  llvm::DenseMap<std::pair<int, int64_t>, Value> buffers;
  llvm::DenseMap<StringAttr, Value> stateBuffers;
};

/// The only commit of a call's result, or null.
train::CommitOp commitOf(Value value) {
  for (OpOperand &use : value.getUses())
    if (auto commit = dyn_cast<train::CommitOp>(use.getOwner()); commit && use.getOperandNumber() == 0)
      return commit;
  return nullptr;
}

/// The last step that reads the value or a view of it; a returned value lives to the end.
int64_t ProgramPlacement::lastUse(Value value) {
  int64_t last = -1;
  for (Operation *user : value.getUsers()) {
    last = std::max(last, steps.lookup(user));
    if (auto view = dyn_cast<plan::ViewOp>(user))
      last = std::max(last, lastUse(view.getY()));
    // The predicate of a commit is read by the launch that makes the committed value.
    if (auto commit = dyn_cast<train::CommitOp>(user); commit && commit.getPredicate() == value)
      if (Operation *maker = commit.getValue().getDefiningOp())
        last = std::max(last, steps.lookup(maker));
  }
  return last;
}

LogicalResult ProgramPlacement::place() {
  Block &body = program.getBody().front();
  for (auto [step, op] : llvm::enumerate(body))
    steps[&op] = step;
  for (BlockArgument argument : body.getArguments())
    places[argument] = {Place::Kind::Argument, argument.getArgNumber(), {}};
  for (Operation &op : body) {
    if (auto read = dyn_cast<train::ReadOp>(op)) {
      places[read.getValue()] = {Place::Kind::State, 0, read.getStateAttr().getAttr()};
    } else if (auto view = dyn_cast<plan::ViewOp>(op)) {
      places[view.getY()] = places.lookup(view.getX());
    } else if (auto call = dyn_cast<plan::CallOp>(op)) {
      if (failed(placeCall(call, steps[&op])))
        return failure();
    } else if (!isa<train::CommitOp, train::ReturnOp>(op)) {
      return op.emitError() << "is left in program '" << program.getSymName()
                            << "'; amp-select-make-kernels should have put it into a kernel";
    }
  }
  return checkOverwrites();
}

LogicalResult ProgramPlacement::placeCall(plan::CallOp call, int64_t step) {
  auto kernel = symbols.lookup<plan::KernelOp>(call.getKernel());
  if (!kernel)
    return call.emitError() << "calls the kernel @" << call.getKernel() << ", which does not exist";
  Value predicate;
  for (OpResult result : call.getResults()) {
    if (failed(placeResult(call, kernel, result.getResultNumber(), step)))
      return failure();
    train::CommitOp commit = commitOf(result);
    if (!commit || !commit.getPredicate())
      continue;
    if (predicate && predicate != commit.getPredicate())
      return call.emitError(
          "results are committed under different predicates; amp-select-make-kernels should have copied one");
    predicate = commit.getPredicate();
  }
  return success();
}

LogicalResult ProgramPlacement::placeResult(plan::CallOp call, plan::KernelOp kernel, unsigned number, int64_t step) {
  OpResult result = call->getResult(number);
  int64_t alias = kernel.getAliases()[number];
  Place place;
  if (train::CommitOp commit = commitOf(result)) {
    place = {Place::Kind::State, 0, commit.getStateAttr().getAttr()};
    if (alias >= 0 && !(places.lookup(call.getInputs()[alias]) == place))
      return call.emitError() << "result " << number << " is committed to '" << commit.getState()
                              << "' but its kernel overwrites another buffer";
  } else if (alias >= 0) {
    place = places.lookup(call.getInputs()[alias]);
    if (place.kind != Place::Kind::Slot)
      return call.emitError() << "result " << number << " overwrites a state or an input without committing to it";
    Life &life = lives[place.index];
    life.end = std::max(life.end, lastUse(result));
  } else {
    place = {Place::Kind::Slot, int64_t(lives.size()), {}};
    Life life;
    life.bytes = plan::byteSize(cast<RankedTensorType>(result.getType()));
    life.begin = step;
    life.end = std::max(step, lastUse(result));
    lives.push_back(life);
  }
  places[result] = place;
  return success();
}

/// A read gives the old value: no call may read it after the one that overwrites the state.
LogicalResult ProgramPlacement::checkOverwrites() {
  for (auto commit : program.getBody().getOps<train::CommitOp>()) {
    Operation *writer = commit.getValue().getDefiningOp<plan::CallOp>();
    if (!writer)
      return commit.emitError() << "commits to '" << commit.getState()
                                << "' a value that no call makes; amp-select-make-kernels should have copied it";
    for (auto read : program.getBody().getOps<train::ReadOp>())
      if (read.getState() == commit.getState() && lastUse(read.getValue()) > steps.lookup(writer))
        return commit.emitError() << "overwrites '" << commit.getState()
                                  << "' before its last reader; amp-select-make-kernels should have moved the call";
  }
  return success();
}

Value ProgramPlacement::buffer(OpBuilder &builder, Location loc, Value tensor) {
  Place place = places.lookup(tensor);
  auto &slot = place.kind == Place::Kind::State ? stateBuffers[place.state] : buffers[{int(place.kind), place.index}];
  if (slot)
    return slot;
  OpBuilder::InsertionGuard guard(builder);
  if (lastBuffer)
    builder.setInsertionPointAfter(lastBuffer);
  else
    builder.setInsertionPointToStart(&program.getBody().front());
  auto type = plan::BufferType::get(builder.getContext());
  int64_t bytes = plan::byteSize(cast<RankedTensorType>(tensor.getType()));
  if (place.kind == Place::Kind::Argument)
    slot = plan::ArgumentOp::create(builder, loc, type, place.index, bytes);
  else if (place.kind == Place::Kind::State)
    slot = plan::StateSlotOp::create(builder, loc, type, place.state.getValue(),
                                     int64_t(*symbols.lookup<train::StateOp>(place.state).getOffset()), bytes);
  else
    slot = plan::SlotOp::create(builder, loc, type, lives[place.index].offset, lives[place.index].bytes);
  lastBuffer = slot.getDefiningOp();
  return slot;
}

int64_t ProgramPlacement::rewrite() {
  int64_t scratch = packSlots(lives);
  Block &body = program.getBody().front();
  SmallVector<Operation *> dead;
  for (Operation &op : llvm::make_early_inc_range(body)) {
    OpBuilder builder(&op);
    if (auto call = dyn_cast<plan::CallOp>(op)) {
      SmallVector<Value> tensors(call.getInputs());
      llvm::append_range(tensors, call.getOutputs());
      SmallVector<Value> arguments;
      for (Value tensor : tensors)
        arguments.push_back(buffer(builder, op.getLoc(), tensor));
      Value predicate;
      for (Value result : call.getResults())
        if (train::CommitOp commit = commitOf(result); commit && commit.getPredicate())
          predicate = buffer(builder, op.getLoc(), commit.getPredicate());
      plan::LaunchOp::create(builder, op.getLoc(), call.getKernelAttr(), arguments, predicate);
    } else if (auto ret = dyn_cast<train::ReturnOp>(op)) {
      SmallVector<Value> outputs;
      for (Value value : ret.getValues())
        outputs.push_back(buffer(builder, op.getLoc(), value));
      train::ReturnOp::create(builder, op.getLoc(), outputs);
    } else if (!isa<train::ReadOp, train::CommitOp, plan::ViewOp>(op)) {
      continue;
    }
    dead.push_back(&op);
  }
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  program.setScratchBytes(scratch);
  return scratch;
}

struct PlaceBuffersPass : amp::compiler::memory::impl::PlaceBuffersPassBase<PlaceBuffersPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto program : getOperation().getOps<train::ProgramOp>()) {
      ProgramPlacement placement(program, symbols);
      if (failed(placement.place()))
        return signalPassFailure();
      scratchBytes = std::max<uint64_t>(scratchBytes, placement.rewrite());
      slotCount += placement.slotCount();
    }
  }
};
} // namespace
