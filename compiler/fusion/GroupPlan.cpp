// Which ops of a program form which group: one walk in program order, so that the plan depends on nothing else.
#include "compiler/fusion/GroupPlan.h"

#include "dialects/train/Train.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

bool computes(Operation *op) {
  return isa<FusionOpInterface>(op);
}
FusionClass fusionClass(Operation *op) {
  return cast<FusionOpInterface>(op).getFusionClass();
}

static bool isElementwise(Operation *op) {
  return computes(op) && fusionClass(op) == FusionClass::Elementwise;
}
static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}
static int64_t countOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

static unsigned bitsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementTypeBitWidth();
}

/// The reshape whose value reaches one use alone, or null.
static ReshapeOp loneReshape(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return reshape && value.hasOneUse() ? reshape : ReshapeOp();
}

GroupPlan::GroupPlan(Block &body, Refusal refusal) : refusal(std::move(refusal)) {
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator()) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  findInlined(ops);
  for (Operation *op : ops)
    if (computes(op) && needsGroup(op))
      place(op);
}

bool GroupPlan::allUsesInline(Operation *op) const {
  return llvm::all_of(op->getUses(), [&](OpOperand &use) { return acceptsInlined(use); });
}

/// Whether an elementwise op reads one tensor of its result's size and no wider, and beside it scalars and what is
/// computed again anyway: its users then read as much when they compute it again, and nobody writes it.
bool GroupPlan::rereadsOne(Operation *op) const {
  if (!isElementwise(op) || op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0), whole;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isInlined(operand) || countOf(value) == 1 || value == whole)
      continue;
    if (whole || shapeOf(value) != shapeOf(result) || bitsOf(value) > bitsOf(result))
      return false;
    whole = value;
  }
  return whole != nullptr;
}

/// What costs no more than reading its result: constants, scalars of the program, views that repeat elements, and
/// elementwise functions of a value that lies in memory before the program runs.
bool GroupPlan::mayInline(Operation *op) const {
  if (op->getNumResults() != 1 || op->use_empty())
    return false;
  Value result = op->getResult(0);
  if (fusionClass(op) == FusionClass::View)
    return countOf(result) > countOf(op->getOperand(0)) && allUsesInline(op);
  if (!isElementwise(op))
    return false;
  bool readsMemory = llvm::none_of(op->getOperands(), [](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && computes(producer);
  });
  if (readsMemory && rereadsOne(op) && allUsesInline(op))
    return true;
  bool readsProgramValues = llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return !producer || !computes(producer) || (isElementwise(producer) && producer->getNumOperands() == 0) ||
           (isElementwise(producer) && shapeOf(operand).empty() && mayInline(producer));
  });
  return readsProgramValues && (op->getNumOperands() == 0 || shapeOf(result).empty());
}

bool GroupPlan::acceptsInlined(OpOperand &use) const {
  Operation *user = use.getOwner();
  if (!computes(user))
    return false;
  return isElementwise(user) || inlined.contains(user) ||
         cast<FusionOpInterface>(user).acceptsPrologue(use.getOperandNumber());
}

bool GroupPlan::isInlined(OpOperand &use) const {
  Operation *producer = use.get().getDefiningOp();
  return producer && inlined.contains(producer) && acceptsInlined(use);
}

/// Users first: whether a view may be inlined depends on what becomes of its users.
void GroupPlan::findInlined(ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops))
    if (computes(op) && mayInline(op))
      inlined.insert(op);
}

/// An inlined op has a group of its own only for users that cannot compute it again.
bool GroupPlan::needsGroup(Operation *op) const {
  return !inlined.contains(op) || llvm::any_of(op->getUses(), [&](OpOperand &use) { return !acceptsInlined(use); });
}

void GroupPlan::place(Operation *op) {
  switch (fusionClass(op)) {
  case FusionClass::Elementwise:
    // A value that others inline stays alone: its group then serves commits only.
    return inlined.contains(op) ? start(op) : placeElementwise(op);
  case FusionClass::Root:
    start(op);
    planned.back().root = op;
    return takePrologue(op);
  case FusionClass::Alone:
    start(op);
    planned.back().root = op;
    return;
  case FusionClass::View:
    return start(op);
  }
}

void GroupPlan::start(Operation *op) {
  groupOf[op] = planned.size();
  planned.push_back({{op}, nullptr});
}

/// Whether nothing but the root uses what the group computes.
bool GroupPlan::servesOnly(const PlannedGroup &group, Operation *root) const {
  auto stays = [&](OpOperand &use) {
    if (use.getOwner() == root)
      return cast<FusionOpInterface>(root).acceptsPrologue(use.getOperandNumber());
    return llvm::is_contained(group.members, use.getOwner());
  };
  return llvm::all_of(group.members, [&](Operation *member) { return llvm::all_of(member->getUses(), stays); });
}

void GroupPlan::takePrologue(Operation *root) {
  unsigned group = groupOf[root];
  for (OpOperand &operand : root->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (!producer || !isElementwise(producer) || isInlined(operand) || groupOf[producer] == group)
      continue;
    PlannedGroup &feeding = planned[groupOf[producer]];
    if (!cast<FusionOpInterface>(root).acceptsPrologue(operand.getOperandNumber()))
      refusal(producer, root, "the root reads this operand from memory alone");
    else if (feeding.root)
      refusal(producer, root, "two roots in one group");
    else if (!servesOnly(feeding, root))
      refusal(producer, root, "its result has users outside");
    else
      merge(group, groupOf[producer]);
  }
}

SmallVector<GroupPlan::Candidate> GroupPlan::candidates(Operation *op) const {
  SmallVector<Candidate> found;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isInlined(operand))
      continue;
    Operation *producer = operand.get().getDefiningOp(), *view = nullptr;
    if (ReshapeOp reshape = loneReshape(operand.get()); reshape && reshape.getX().getDefiningOp()) {
      view = reshape;
      producer = reshape.getX().getDefiningOp();
    }
    auto group = producer ? groupOf.find(producer) : groupOf.end();
    if (group == groupOf.end() || fusionClass(producer) == FusionClass::View)
      continue;
    if (shapeOf(operand.get()) == shapeOf(op->getResult(0)))
      found.push_back({group->second, producer, view});
    else
      refusal(producer, op, "their iteration spaces differ");
  }
  // The latest producer first: what the others made is there by then.
  auto latest = [&](const Candidate &candidate) {
    return std::pair(positions.lookup(planned[candidate.group].members.back()), positions.lookup(candidate.producer));
  };
  llvm::sort(found, [&](const Candidate &a, const Candidate &b) { return latest(a) > latest(b); });
  return found;
}

/// Empty if the op may join the candidate's group.
StringRef GroupPlan::whyApart(const Candidate &candidate, Operation *op) const {
  const PlannedGroup &group = planned[candidate.group];
  if (group.root && fusionClass(group.root) == FusionClass::Alone)
    return "the producer stays alone";
  if (mixesPredicates(group.members, op))
    return "their results are committed under different predicates";
  SmallVector<unsigned> sources;
  operandGroups(op, sources);
  for (unsigned source : sources) {
    bool isView = candidate.view && source == groupOf.lookup(candidate.view);
    if (source != candidate.group && !isView && reaches(candidate.group, source, /*directly=*/true))
      return "another operand depends on the group";
  }
  return "";
}

StringRef GroupPlan::whyNotMerged(unsigned group, unsigned other) const {
  if (planned[group].root && planned[other].root)
    return "two roots in one group";
  if (mixesPredicates(planned[group].members, planned[other].members))
    return "their results are committed under different predicates";
  if (reaches(group, other, /*directly=*/false) || reaches(other, group, /*directly=*/false))
    return "a path leads out of the group and back";
  return "";
}

void GroupPlan::placeElementwise(Operation *op) {
  std::optional<unsigned> home;
  for (const Candidate &candidate : candidates(op)) {
    if (candidate.group == home)
      continue;
    StringRef why = home ? whyNotMerged(*home, candidate.group) : whyApart(candidate, op);
    if (why.empty() && home && planned[candidate.group].root &&
        fusionClass(planned[candidate.group].root) == FusionClass::Alone)
      why = "the producer stays alone";
    if (!why.empty()) {
      refusal(candidate.producer, op, why);
      continue;
    }
    // The reshape between them goes along: a view of the same elements.
    if (candidate.view)
      merge(candidate.group, groupOf.lookup(candidate.view));
    if (home)
      merge(*home, candidate.group);
    else
      join(candidate.group, op);
    home = groupOf.lookup(op);
  }
  if (home)
    return;
  if (rereadsOne(op) && allUsesInline(op))
    inlined.insert(op);
  else
    start(op);
}

void GroupPlan::join(unsigned group, Operation *op) {
  planned[group].members.push_back(op);
  groupOf[op] = group;
  ++joined;
}

void GroupPlan::merge(unsigned into, unsigned from) {
  PlannedGroup &target = planned[into], &source = planned[from];
  for (Operation *op : source.members)
    groupOf[op] = into;
  joined += source.members.size();
  target.members.append(source.members);
  llvm::sort(target.members, [&](Operation *a, Operation *b) { return positions.lookup(a) < positions.lookup(b); });
  if (!target.root)
    target.root = source.root;
  source = {};
}

/// The predicate under which a result of the op is committed, or null.
static Value predicateOf(Operation *op) {
  for (Operation *user : op->getUsers())
    if (auto commit = dyn_cast<train::CommitOp>(user); commit && commit.getPredicate())
      return commit.getPredicate();
  return nullptr;
}

/// A launch is predicated as a whole: beside a result that is committed under a predicate, everything that leaves the
/// group must be committed under the same.
bool GroupPlan::mixesPredicates(ArrayRef<Operation *> ops, ArrayRef<Operation *> others) const {
  SmallVector<Operation *> all(ops);
  all.append(others.begin(), others.end());
  Value predicate;
  for (Operation *op : all)
    if (Value own = predicateOf(op); own && !predicate)
      predicate = own;
  if (!predicate)
    return false;
  return llvm::any_of(all, [&](Operation *op) {
    if (predicateOf(op) == predicate)
      return false;
    return llvm::any_of(op->getUses(),
                        [&](OpOperand &use) { return !llvm::is_contained(all, use.getOwner()) && !isInlined(use); });
  });
}

/// The groups that read a result of the op, through inlined ops too.
void GroupPlan::userGroups(Operation *op, SmallVectorImpl<unsigned> &groups) const {
  for (Operation *user : op->getUsers()) {
    if (auto found = groupOf.find(user); found != groupOf.end())
      groups.push_back(found->second);
    if (inlined.contains(user))
      userGroups(user, groups);
  }
}

void GroupPlan::operandGroups(Operation *op, SmallVectorImpl<unsigned> &groups) const {
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (!producer)
      continue;
    if (isInlined(operand))
      operandGroups(producer, groups);
    else if (auto found = groupOf.find(producer); found != groupOf.end())
      groups.push_back(found->second);
  }
}

/// Whether a path leads from one group to another; without `directly`, only a path through a third one counts.
bool GroupPlan::reaches(unsigned from, unsigned to, bool directly) const {
  DenseSet<unsigned> seen = {from};
  SmallVector<unsigned> todo = {from};
  while (!todo.empty()) {
    unsigned group = todo.pop_back_val();
    SmallVector<unsigned> next;
    for (Operation *member : planned[group].members)
      userGroups(member, next);
    for (unsigned user : next) {
      if (user == to && (directly || group != from))
        return true;
      if (user != to && seen.insert(user).second)
        todo.push_back(user);
    }
  }
  return false;
}

} // namespace amp::compiler
