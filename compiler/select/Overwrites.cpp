// The order of calls around states: a state has one buffer, so the call that makes its new value ends the old one.
#include "compiler/select/Overwrites.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

train::ReadOp amp::compiler::readBehind(Value value) {
  while (auto view = value.getDefiningOp<plan::ViewOp>())
    value = view.getX();
  return value.getDefiningOp<train::ReadOp>();
}

namespace {

class Overwrites {
public:
  Overwrites(train::ProgramOp program, MakeCopy makeCopy)
      : body(program.getBody().front()), makeCopy(makeCopy), commits(llvm::to_vector(body.getOps<train::CommitOp>())) {}

  void run() {
    copyReturnedReads();
    for (train::CommitOp commit : commits)
      if (!writesDirectly(commit))
        copy(commit);
    // Each round gives one commit a copy, and a copy is in no cycle: nothing reads what it makes.
    while (train::CommitOp commit = order())
      copy(commit);
  }

private:
  static Operation *callOf(train::CommitOp commit) { return commit.getValue().getDefiningOp<plan::CallOp>(); }

  void copy(train::CommitOp commit) {
    OpBuilder builder(commit);
    commit.getValueMutable().assign(makeCopy(builder, commit.getValue()));
  }

  /// An output of the program lies where its value lies: not in a state that is about to change.
  void copyReturnedReads() {
    Operation *terminator = body.getTerminator();
    for (OpOperand &operand : terminator->getOpOperands()) {
      train::ReadOp read = readBehind(operand.get());
      bool changes =
          read && llvm::any_of(commits, [&](train::CommitOp commit) { return commit.getState() == read.getState(); });
      if (!changes)
        continue;
      OpBuilder builder(body.getParentOp()->getContext());
      builder.setInsertionPointAfterValue(operand.get());
      operand.set(makeCopy(builder, operand.get()));
    }
  }

  /// Whether `value` matters only where the predicate holds: its users are commits under it, or calls of which that is
  /// true in turn.
  bool onlyUnder(Value value, Value predicate) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      if (auto commit = dyn_cast<train::CommitOp>(user))
        return commit.getPredicate() == predicate && commit.getValue() == value;
      return isa<plan::CallOp>(user) &&
             llvm::all_of(user->getResults(), [&](Value result) { return onlyUnder(result, predicate); });
    });
  }

  bool writesDirectly(train::CommitOp commit) {
    auto call = commit.getValue().getDefiningOp<plan::CallOp>();
    if (!call)
      return false;
    for (train::CommitOp other : commits) {
      if (other == commit)
        break;
      if (other.getValue() == commit.getValue())
        return false;
    }
    auto committed = [&](Value result) {
      return result.use_empty() || (onlyUnder(result, commit.getPredicate()) &&
                                    llvm::any_of(result.getUsers(), llvm::IsaPred<train::CommitOp>));
    };
    if (commit.getPredicate() && !llvm::all_of(call.getResults(), committed))
      return false;
    // Whatever reads the old value in this very call must be overwritten element by element.
    auto kernel = SymbolTable::lookupNearestSymbolFrom<plan::KernelOp>(call, call.getKernelAttr());
    int64_t alias = kernel.getAliases()[cast<OpResult>(commit.getValue()).getResultNumber()];
    for (auto [number, input] : llvm::enumerate(call.getInputs())) {
      train::ReadOp read = readBehind(input);
      if (read && read.getState() == commit.getState() && int64_t(number) != alias &&
          !(alias >= 0 && input == call.getInputs()[alias]))
        return false;
    }
    return true;
  }

  /// What must run before each op, in the order of the block.
  llvm::MapVector<Operation *, SetVector<Operation *>> dependences() {
    llvm::MapVector<Operation *, SetVector<Operation *>> before;
    llvm::StringMap<SmallVector<Operation *>> readers;
    for (Operation &op : body.without_terminator()) {
      SetVector<Operation *> &needs = before[&op];
      for (Value operand : op.getOperands()) {
        if (Operation *producer = operand.getDefiningOp())
          needs.insert(producer);
        if (train::ReadOp read = readBehind(operand))
          readers[read.getState()].push_back(&op);
      }
    }
    for (train::CommitOp commit : commits) {
      SetVector<Operation *> &needs = before[callOf(commit)];
      for (Operation *reader : readers[commit.getState()])
        if (reader != callOf(commit))
          needs.insert(reader);
      Operation *predicate = commit.getPredicate() ? commit.getPredicate().getDefiningOp() : nullptr;
      if (predicate)
        needs.insert(predicate);
    }
    return before;
  }

  /// Brings the block into an order, as near as possible to the old one. Gives a commit to copy where there is none.
  train::CommitOp order() {
    auto before = dependences();
    SetVector<Operation *> placed;
    while (placed.size() < before.size()) {
      Operation *next = nullptr;
      for (auto &[op, needs] : before)
        if (!placed.contains(op) && llvm::all_of(needs, [&](Operation *need) { return placed.contains(need); })) {
          next = op;
          break;
        }
      if (!next)
        return stuck(before, placed);
      placed.insert(next);
    }
    for (Operation *op : placed)
      op->moveBefore(body.getTerminator());
    return {};
  }

  /// In a cycle there is a call that waits for a reader which waits for the call: the first commit of such a call.
  train::CommitOp stuck(llvm::MapVector<Operation *, SetVector<Operation *>> &before,
                        const SetVector<Operation *> &placed) {
    for (train::CommitOp commit : commits) {
      Operation *call = callOf(commit);
      SetVector<Operation *> reached;
      SmallVector<Operation *> work(before[call].begin(), before[call].end());
      while (!work.empty()) {
        Operation *op = work.pop_back_val();
        if (!placed.contains(op) && reached.insert(op))
          work.append(before[op].begin(), before[op].end());
      }
      if (reached.contains(call) && hasOldReaders(commit, reached))
        return commit;
    }
    llvm_unreachable("a cycle without an overwritten state");
  }

  bool hasOldReaders(train::CommitOp commit, const SetVector<Operation *> &reached) {
    return llvm::any_of(reached,
                        [&](Operation *op) {
                          return op != callOf(commit) && llvm::any_of(op->getOperands(), [&](Value operand) {
                                   train::ReadOp read = readBehind(operand);
                                   return read && read.getState() == commit.getState();
                                 });
                        }) ||
           (commit.getPredicate() && reached.contains(commit.getPredicate().getDefiningOp()));
  }

  Block &body;
  MakeCopy makeCopy;
  SmallVector<train::CommitOp> commits;
};

} // namespace

void amp::compiler::orderOverwrites(train::ProgramOp program, MakeCopy makeCopy) {
  Overwrites(program, makeCopy).run();
}
