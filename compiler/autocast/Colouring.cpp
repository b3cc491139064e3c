// Which ops of a program compute in the low type. The order of the steps is that of the classes: low ops first, then
// f32 and what must follow it, then what lies between low ops, then what comes right after them.
#include "compiler/autocast/Colouring.h"

#include "dialects/train/Train.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

bool isCastable(Operation *op, unsigned operand) {
  auto precision = dyn_cast<PrecisionOpInterface>(op);
  return precision && getElementTypeOrSelf(op->getOperand(operand).getType()).isF32() &&
         precision.mayCastOperand(operand);
}

static train::StateOp stateOf(Value value) {
  auto read = value.getDefiningOp<train::ReadOp>();
  return read ? SymbolTable::lookupNearestSymbolFrom<train::StateOp>(read, read.getStateAttr()) : train::StateOp();
}

bool isWeightRead(Value value) {
  train::StateOp state = stateOf(value);
  return state && (state.getRole() == train::StateRole::Parameter || state.getRole() == train::StateRole::Frozen ||
                   state.getRole() == train::StateRole::Constant);
}

/// The elements of a constant, which lie in the program or in a state that nothing writes; null for what is none.
static DenseFPElementsAttr constantElements(Value value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return dyn_cast<DenseFPElementsAttr>(constant.getValue());
  train::StateOp state = stateOf(value);
  if (!state || state.getRole() != train::StateRole::Constant)
    return {};
  return dyn_cast_or_null<DenseFPElementsAttr>(state.getInitial().value_or(Attribute()));
}

static SmallVector<Value> castableOperands(Operation *op) {
  SmallVector<Value> values;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    if (isCastable(op, operand))
      values.push_back(op->getOperand(operand));
  return values;
}

static PrecisionClass precisionClass(Operation *op) {
  return cast<PrecisionOpInterface>(op).getPrecisionClass();
}
static bool computesWide(Operation *op) {
  return cast<PrecisionOpInterface>(op).computesWide();
}

/// Users that may read a value in the low type, through an operand that is castable.
static bool readsCastable(OpOperand &use) {
  return isCastable(use.getOwner(), use.getOperandNumber());
}

/// The op's own rule tells: asked with operands in the low type, it lets an f32 result be f32.
bool Colouring::writesAnyFloat(Operation *op) const {
  auto shape = dyn_cast<ShapeOpInterface>(op);
  if (!shape)
    return false;
  Block scratch;
  IRMapping operands;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
    Value value = op->getOperand(operand);
    Type type = value.getType();
    if (isCastable(op, operand))
      type = cast<RankedTensorType>(type).clone(low);
    if (!operands.contains(value))
      operands.map(value, scratch.addArgument(type, op->getLoc()));
  }
  Operation *probe = op->clone(operands);
  SmallVector<Type> types;
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  bool agrees =
      succeeded(cast<ShapeOpInterface>(probe).inferResultTypes(types)) && llvm::equal(types, op->getResultTypes());
  probe->destroy();
  return agrees;
}

void Colouring::decide(Operation *op, Colour colour, StringRef reason) {
  open.erase(op);
  decisions[op] = {colour, reason};
  if (!isa<UnknownLoc>(op->getLoc()))
    byNode.try_emplace({op->getName().getStringRef(), op->getLoc().getAsOpaquePointer()}, colour);
}

Colour Colouring::colour(Operation *op) const {
  auto found = decisions.find(op);
  return found == decisions.end() ? Colour::Untouched : found->second.colour;
}

StringRef Colouring::reason(Operation *op) const {
  auto found = decisions.find(op);
  return found == decisions.end() ? StringRef("has no operand to cast") : found->second.reason;
}

bool Colouring::isLow(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && colour(op) == Colour::Low && !leavesWide(op) && getElementTypeOrSelf(value.getType()).isF32();
}

/// A constant may come in the low type if no element overflows or vanishes: 1e-12 is 0 in fp16, -3.4e38 is -inf.
bool Colouring::survivesRounding(Value value) const {
  DenseFPElementsAttr elements = constantElements(value);
  if (!elements)
    return false;
  auto survives = [&](APFloat element) {
    bool wasFinite = element.isFinite(), wasZero = element.isZero(), losesInfo = false;
    element.convert(low.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    return element.isFinite() == wasFinite && element.isZero() == wasZero;
  };
  if (elements.isSplat())
    return survives(elements.getSplatValue<APFloat>());
  return llvm::all_of(elements.getValues<APFloat>(), survives);
}

void Colouring::classify(Operation *op, const Colouring *leader) {
  if (!isa<PrecisionOpInterface>(op) || precisionClass(op) == PrecisionClass::Never || castableOperands(op).empty())
    return;
  if (precisionClass(op) == PrecisionClass::Low)
    return decide(op, Colour::Low, "class LOW");
  if (precisionClass(op) == PrecisionClass::Fp32 && !computesWide(op)) {
    wideSources.insert(op);
    return decide(op, Colour::Wide, "class FP32");
  }
  if (leader) {
    auto found = leader->byNode.find({op->getName().getStringRef(), op->getLoc().getAsOpaquePointer()});
    if (found != leader->byNode.end())
      return decide(op, found->second, "as in micro");
  }
  open.insert(op);
}

/// A weight's gradient leaves its matmul or convolution in f32, whatever moves, adds or sums it on its way to the
/// gradient state.
void Colouring::findGradientTails(ArrayRef<Operation *> ops) {
  DenseSet<Operation *> tails;
  auto endsInGradient = [&](Operation *user) {
    if (tails.contains(user))
      return true;
    auto commit = dyn_cast<train::CommitOp>(user);
    auto state = commit ? SymbolTable::lookupNearestSymbolFrom<train::StateOp>(commit, commit.getStateAttr()) : nullptr;
    return state && state.getRole() == train::StateRole::Gradient;
  };
  for (Operation *op : llvm::reverse(ops)) {
    if (!isa<PrecisionOpInterface>(op) || op->use_empty() || !llvm::all_of(op->getUsers(), endsInGradient))
      continue;
    auto fusion = dyn_cast<FusionOpInterface>(op);
    bool moves = fusion && fusion.getFusionClass() == FusionClass::View;
    if (colour(op) == Colour::Low && writesAnyFloat(op))
      wideResults.insert(op);
    else if (moves || precisionClass(op) == PrecisionClass::Promote || computesWide(op))
      tails.insert(op);
  }
}

/// What must follow f32: PROMOTE with one operand from an f32 op or a constant that the low type cannot hold, FOLLOW
/// whose first operand is one.
void Colouring::spreadWide(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    if (!isOpen(op))
      continue;
    SmallVector<Value> operands = castableOperands(op);
    if (precisionClass(op) != PrecisionClass::Promote)
      operands.resize(1);
    bool follows = llvm::any_of(operands, [&](Value value) {
      Operation *producer = value.getDefiningOp();
      return producer && (wideSources.contains(producer) || (constantElements(value) && !survivesRounding(value)));
    });
    if (!follows)
      continue;
    wideSources.insert(op);
    decide(op, computesWide(op) && writesAnyFloat(op) ? Colour::Either : Colour::Wide, "follows FP32");
  }
}

/// Open ops on a path of open ops from one low op to another become low: two casts less a path.
void Colouring::fillBetween(ArrayRef<Operation *> ops) {
  DenseSet<Operation *> below, above;
  for (Operation *op : ops)
    if (isOpen(op) && llvm::any_of(castableOperands(op), [&](Value value) {
          return isLow(value) || (value.getDefiningOp() && below.contains(value.getDefiningOp()));
        }))
      below.insert(op);
  for (Operation *op : llvm::reverse(ops))
    if (isOpen(op) && llvm::any_of(op->getUses(), [&](OpOperand &use) {
          return readsCastable(use) && (colour(use.getOwner()) == Colour::Low || above.contains(use.getOwner()));
        }))
      above.insert(op);
  for (Operation *op : ops)
    if (below.contains(op) && above.contains(op))
      decide(op, Colour::Low, "between LOW ops");
}

/// The rest goes with its operands: FOLLOW with the first, PROMOTE with the widest. An op of class FP32 that no low op
/// waits for stays f32.
void Colouring::followLow(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    if (!isOpen(op))
      continue;
    SmallVector<Value> operands = castableOperands(op);
    if (precisionClass(op) == PrecisionClass::Fp32) {
      bool either = writesAnyFloat(op);
      decide(op, either ? Colour::Either : Colour::Wide, either ? "FP32 inside, reads any type" : "class FP32");
      continue;
    }
    bool promotes = precisionClass(op) == PrecisionClass::Promote;
    if (!promotes)
      operands.resize(1);
    auto isNeutral = [&](Value value) {
      return promotes && (constantElements(value) ? survivesRounding(value) : isWeightRead(value));
    };
    bool low = llvm::any_of(operands, [&](Value value) { return isLow(value); }) &&
               llvm::all_of(operands, [&](Value value) { return isLow(value) || isNeutral(value); });
    if (low)
      decide(op, Colour::Low, "follows a LOW op");
  }
}

/// What low ops read through views alone is cast before the views, also behind f32: the cast is then shared with other
/// users of the value, and that of a weight is made once an update. A view that drops elements is worth it for a weight
/// only.
void Colouring::pullThroughViews(ArrayRef<Operation *> ops) {
  DenseSet<Value> weights;
  SmallVector<Operation *> views;
  for (Operation *op : ops) {
    auto fusion = dyn_cast<FusionOpInterface>(op);
    bool isWide = isOpen(op) || (colour(op) == Colour::Wide && precisionClass(op) == PrecisionClass::Follow);
    if (!isWide || !fusion || fusion.getFusionClass() != FusionClass::View)
      continue;
    SmallVector<Value> operands = castableOperands(op);
    if (llvm::all_of(operands, [&](Value v) { return isWeightRead(v) || weights.contains(v); }))
      weights.insert(op->result_begin(), op->result_end());
    else if (cast<RankedTensorType>(operands.front().getType()).getNumElements() >
             cast<RankedTensorType>(op->getResult(0).getType()).getNumElements())
      continue;
    views.push_back(op);
  }
  for (Operation *op : llvm::reverse(views))
    if (llvm::all_of(op->getUses(),
                     [&](OpOperand &use) { return readsCastable(use) && colour(use.getOwner()) == Colour::Low; }))
      decide(op, Colour::Low, weights.contains(op->getResult(0)) ? "moves a weight for LOW ops" : "moves for LOW ops");
}

Colouring::Colouring(Block &body, FloatType lowType, const Colouring *leader) : low(lowType) {
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    classify(op, leader);
  findGradientTails(ops);
  spreadWide(ops);
  fillBetween(ops);
  followLow(ops);
  pullThroughViews(ops);
  for (Operation *op : ops)
    if (isOpen(op))
      decide(op, Colour::Wide, "no LOW op before it");
}

} // namespace amp::compiler
