// Rewrites a program to the groups of a plan.
#include "compiler/fusion/GroupBuilder.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

#include <queue>

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

namespace {

/// What stands in the new block: a group, or an op that stays outside (reads and commits).
using Item = SmallVector<Operation *>;

/// Copies one group's ops into a new graph.group.
class GroupWriter {
public:
  GroupWriter(const GroupPlan &plan, ArrayRef<Operation *> members) : plan(plan), members(members) {
    inside.insert(members.begin(), members.end());
  }

  /// `outer` maps a value of the old program to the one of the new; the group's results are added to it.
  void write(OpBuilder &builder, IRMapping &outer);

private:
  void copy(Operation *op);
  void resolve(OpOperand &operand);
  SmallVector<Value> results() const;
  Location location() const;

  const GroupPlan &plan;
  ArrayRef<Operation *> members;
  DenseSet<Operation *> inside;
  Block *block = nullptr;
  IRMapping inner;
  llvm::SetVector<Value> inputs;
};

Location GroupWriter::location() const {
  llvm::SmallSetVector<Location, 4> parts;
  for (Operation *op : members)
    parts.insert(op->getLoc());
  return FusedLoc::get(members.front()->getContext(), parts.getArrayRef());
}

/// Gives the copy its operand: a member's result, a producer computed again, or a new input.
void GroupWriter::resolve(OpOperand &operand) {
  Value value = operand.get();
  if (inner.contains(value))
    return;
  if (plan.isInlined(operand))
    return copy(value.getDefiningOp());
  inputs.insert(value);
  inner.map(value, block->addArgument(value.getType(), UnknownLoc::get(value.getContext())));
}

void GroupWriter::copy(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    resolve(operand);
  block->push_back(op->clone(inner));
  inner.map(op->getResults(), block->back().getResults());
}

/// Results with a user that is not in the group; one that computes them again does not count.
SmallVector<Value> GroupWriter::results() const {
  SmallVector<Value> values;
  for (Operation *op : members)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUses(),
                       [&](OpOperand &use) { return !inside.contains(use.getOwner()) && !plan.isInlined(use); }))
        values.push_back(result);
  return values;
}

void GroupWriter::write(OpBuilder &builder, IRMapping &outer) {
  Region body;
  block = new Block();
  body.push_back(block);
  for (Operation *op : members)
    copy(op);
  SmallVector<Value> left = results(), yielded, operands;
  for (Value value : left)
    yielded.push_back(inner.lookup(value));
  for (Value value : inputs)
    operands.push_back(outer.lookupOrDefault(value));
  auto group = GroupOp::create(builder, location(), ValueRange(left).getTypes(), operands);
  group.getBody().takeBody(body);
  OpBuilder inside = OpBuilder::atBlockEnd(&group.getBody().front());
  YieldOp::create(inside, group.getLoc(), yielded);
  for (auto [old, now] : llvm::zip_equal(left, group.getOutputs()))
    outer.map(old, now);
}

/// Sorts the items so that producers come first, otherwise in the order of their first ops.
class ItemOrder {
public:
  ItemOrder(Block &body, const GroupPlan &plan);
  SmallVector<Item> sorted();

private:
  void addUses(Operation *op, unsigned from, bool again);

  const GroupPlan &plan;
  SmallVector<Item> items;
  DenseMap<Operation *, unsigned> itemOf;
  SmallVector<llvm::SmallSetVector<unsigned, 4>> users;
};

ItemOrder::ItemOrder(Block &body, const GroupPlan &plan) : plan(plan) {
  for (const PlannedGroup &group : plan.groups())
    if (!group.members.empty())
      items.push_back(group.members);
  for (Operation &op : body.without_terminator())
    if (!computes(&op))
      items.push_back({&op});
  for (auto [index, item] : llvm::enumerate(items))
    for (Operation *op : item)
      itemOf[op] = index;
  users.resize(items.size());
  for (auto [index, item] : llvm::enumerate(items))
    for (Operation *op : item)
      addUses(op, index, /*again=*/false);
}

/// Adds the items that read the op; `again` asks for those that compute it again, in whose place they read what it
/// reads.
void ItemOrder::addUses(Operation *op, unsigned from, bool again) {
  for (OpOperand &use : op->getUses()) {
    if (plan.isInlined(use) != again)
      continue;
    auto found = itemOf.find(use.getOwner());
    if (found != itemOf.end() && found->second != from)
      users[from].insert(found->second);
    addUses(use.getOwner(), from, /*again=*/true);
  }
}

SmallVector<Item> ItemOrder::sorted() {
  SmallVector<unsigned> waiting(items.size(), 0);
  for (auto &next : users)
    for (unsigned user : next)
      ++waiting[user];
  using Entry = std::pair<unsigned, unsigned>; // position of the first op, item
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  auto release = [&](unsigned item) { ready.push({plan.position(items[item].front()), item}); };
  for (unsigned item = 0; item < items.size(); ++item)
    if (waiting[item] == 0)
      release(item);
  SmallVector<Item> order;
  while (!ready.empty()) {
    unsigned item = ready.top().second;
    ready.pop();
    order.push_back(items[item]);
    for (unsigned user : users[item])
      if (--waiting[user] == 0)
        release(user);
  }
  assert(order.size() == items.size() && "the plan has no cycles");
  return order;
}

} // namespace

unsigned buildGroups(Block &body, const GroupPlan &plan) {
  SmallVector<Item> order = ItemOrder(body, plan).sorted();
  SmallVector<Operation *> old;
  for (Operation &op : body.without_terminator())
    if (computes(&op))
      old.push_back(&op);
  Operation *end = body.getTerminator();
  OpBuilder builder(end);
  IRMapping outer;
  auto rewire = [&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(outer.lookupOrDefault(operand.get()));
  };
  unsigned groups = 0;
  for (const Item &item : order) {
    if (!computes(item.front())) {
      item.front()->moveBefore(end);
      rewire(item.front());
      continue;
    }
    GroupWriter(plan, item).write(builder, outer);
    ++groups;
  }
  rewire(end);
  for (Operation *op : llvm::reverse(old)) {
    op->dropAllUses();
    op->erase();
  }
  return groups;
}

} // namespace amp::compiler
