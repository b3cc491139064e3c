// amp-autocast-assign-types: gives ops their element types and places the casts.
#include "compiler/autocast/Colouring.h"
#include "compiler/autocast/DerivedCopies.h"
#include "compiler/autocast/Passes.h"
#include "compiler/support/Remarks.h"
#include "dialects/train/Train.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

#define GEN_PASS_DEF_ASSIGNTYPES
#include "compiler/autocast/Passes.h.inc"

FloatType lowType(Precision precision, MLIRContext *context) {
  switch (precision) {
  case Precision::Fp32:
    return Float32Type::get(context);
  case Precision::Bf16:
    return BFloat16Type::get(context);
  case Precision::Fp16:
    return Float16Type::get(context);
  }
  llvm_unreachable("every precision has a type");
}

namespace {

Type elementType(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// Rewrites one program to its colours, op by op, so that producers have their types before their users ask.
class TypeAssigner {
public:
  TypeAssigner(train::ProgramOp program, const Colouring &colouring, FloatType low, DerivedCopies &copies)
      : program(program), colouring(colouring), low(low), wide(Float32Type::get(program.getContext())), copies(copies) {
  }

  LogicalResult run();
  unsigned castCount() const { return casts; }

private:
  LogicalResult assign(Operation *op);
  LogicalResult assignResults(Operation *op, Type wanted);
  void restoreOperands(Operation *op);
  bool readsLow(Operation *op) const;
  bool readsAnyFloat(Operation *op) const;
  void setOperand(Operation *op, unsigned operand, Type wanted);
  Value castTo(Value value, Type wanted);
  void eraseDeadReads();

  train::ProgramOp program;
  const Colouring &colouring;
  FloatType low, wide;
  DerivedCopies &copies;
  DenseMap<std::pair<Value, Type>, Value> made;
  DenseSet<Value> lowered; ///< values that were f32 before this pass
  unsigned casts = 0;
};

/// The value in another type: one cast a value, where the value is made; none where a weight has a copy, or where the
/// value is a widened one of that type already.
Value TypeAssigner::castTo(Value value, Type wanted) {
  if (elementType(value) == wanted)
    return value;
  auto inner = value.getDefiningOp<CastOp>();
  if (inner && elementType(inner.getX()) == wanted && elementType(value) == wide)
    return inner.getX();
  if (wanted == low && isWeightRead(value))
    return copies.read(value.getDefiningOp<train::ReadOp>());
  Value &cast = made[{value, wanted}];
  if (cast)
    return cast;
  OpBuilder builder(program.getContext());
  builder.setInsertionPointAfterValue(value);
  auto type = llvm::cast<RankedTensorType>(value.getType()).clone(wanted);
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue()) : DenseFPElementsAttr();
  if (elements) {
    auto round = [&](const APFloat &element) {
      APFloat rounded = element;
      bool losesInfo = false;
      rounded.convert(llvm::cast<FloatType>(wanted).getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      return rounded.bitcastToAPInt();
    };
    ElementsAttr rounded = elements.mapValues(wanted, round);
    return cast = ConstantOp::create(builder, value.getLoc(), type, rounded);
  }
  ++casts;
  return cast = CastOp::create(builder, value.getLoc(), type, value);
}

void TypeAssigner::setOperand(Operation *op, unsigned operand, Type wanted) {
  op->setOperand(operand, castTo(op->getOperand(operand), wanted));
}

/// Whether the op, as it is, reads what it has now and gives no float: what it tells holds in any type.
bool TypeAssigner::readsAnyFloat(Operation *op) const {
  auto shape = dyn_cast<ShapeOpInterface>(op);
  if (!shape || llvm::any_of(op->getResults(), [](Value value) { return isa<FloatType>(elementType(value)); }))
    return false;
  SmallVector<Type> types;
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  return succeeded(shape.inferResultTypes(types)) && llvm::equal(types, op->getResultTypes());
}

/// Gives operands that this pass lowered back in f32: to ops that it does not touch, and at operands that must stay.
void TypeAssigner::restoreOperands(Operation *op) {
  // A cast of the model's reads any type.
  if (isa<CastOp>(op) || readsAnyFloat(op))
    return;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    if (lowered.contains(op->getOperand(operand)))
      setOperand(op, operand, wide);
}

bool TypeAssigner::readsLow(Operation *op) const {
  Colour colour = colouring.colour(op);
  if (colour != Colour::Either)
    return colour == Colour::Low;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    if (isCastable(op, operand) && !lowered.contains(op->getOperand(operand)))
      return false;
  // The castable operands are those that were f32; lowered ones are not f32 any more.
  return llvm::any_of(op->getOperands(), [&](Value value) { return lowered.contains(value); });
}

LogicalResult TypeAssigner::assign(Operation *op) {
  if (colouring.colour(op) == Colour::Untouched) {
    restoreOperands(op);
    return success();
  }
  auto precision = cast<PrecisionOpInterface>(op);
  bool reads = readsLow(op);
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
    Value value = op->getOperand(operand);
    if (!lowered.contains(value) && !elementType(value).isF32())
      continue;
    setOperand(op, operand, reads && precision.mayCastOperand(operand) ? low : wide);
  }
  bool writes = colouring.colour(op) == Colour::Low && !colouring.leavesWide(op);
  return assignResults(op, writes ? Type(low) : Type(wide));
}

LogicalResult TypeAssigner::assignResults(Operation *op, Type wanted) {
  SmallVector<OpResult> changed;
  for (OpResult result : op->getResults())
    if (elementType(result).isF32()) {
      result.setType(cast<RankedTensorType>(result.getType()).clone(wanted));
      changed.push_back(result);
    }
  // The op's own rule has the last word: a loss is f32 whatever it reads.
  auto shape = dyn_cast<ShapeOpInterface>(op);
  SmallVector<Type> types;
  if (!shape || failed(shape.inferResultTypes(types)))
    return op->emitOpError() << "has no result type once its operands have the types of its precision class";
  for (OpResult result : changed) {
    result.setType(types[result.getResultNumber()]);
    if (elementType(result) == low)
      lowered.insert(result);
  }
  return success();
}

void TypeAssigner::eraseDeadReads() {
  for (auto read : llvm::make_early_inc_range(program.getBody().getOps<train::ReadOp>()))
    if (read->use_empty())
      read->erase();
}

LogicalResult TypeAssigner::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : program.getBody().front())
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(assign(op)))
      return failure();
  eraseDeadReads();
  return success();
}

struct AssignTypesPass : impl::AssignTypesBase<AssignTypesPass> {
  using AssignTypesBase::AssignTypesBase;

  void runOnOperation() override {
    if (precision == Precision::Fp32)
      return;
    FloatType low = lowType(precision, &getContext());
    DerivedCopies derived(getOperation(), low);
    if (failed(assignPrograms(low, derived)))
      return signalPassFailure();
    derived.commitAll();
    copies = derived.size();
  }

  LogicalResult assignPrograms(FloatType low, DerivedCopies &derived);
  void explainColours(train::ProgramOp program, const Colouring &colouring);
};

LogicalResult AssignTypesPass::assignPrograms(FloatType low, DerivedCopies &derived) {
  SmallVector<train::ProgramOp> programs;
  for (auto program : getOperation().getOps<train::ProgramOp>()) {
    train::ProgramKind kind = program.getKind();
    if (kind == train::ProgramKind::Micro)
      programs.insert(programs.begin(), program);
    else if (kind == train::ProgramKind::Eval || kind == train::ProgramKind::Model)
      programs.push_back(program);
  }
  // Micro goes first: the others take its colours.
  std::optional<Colouring> leader;
  for (train::ProgramOp program : programs) {
    Colouring colouring(program.getBody().front(), low, leader ? &*leader : nullptr);
    explainColours(program, colouring);
    TypeAssigner assigner(program, colouring, low, derived);
    if (failed(assigner.run()))
      return failure();
    casts += assigner.castCount();
    if (program.getKind() == train::ProgramKind::Micro && !leader)
      leader = std::move(colouring);
  }
  return success();
}

void AssignTypesPass::explainColours(train::ProgramOp program, const Colouring &colouring) {
  if (!explain)
    return;
  for (Operation &op : program.getBody().front()) {
    Colour colour = colouring.colour(&op);
    if (colour == Colour::Untouched)
      continue;
    StringRef name = colour == Colour::Low ? "low" : colour == Colour::Wide ? "f32" : "f32 inside";
    InFlightDiagnostic diagnostic = remark(&op, "autocast");
    diagnostic << nodeName(&op) << " (" << op.getName() << "): " << name << ", " << colouring.reason(&op);
    if (colouring.leavesWide(&op))
      diagnostic << "; leaves in f32 as a gradient";
  }
}

} // namespace
} // namespace amp::compiler
