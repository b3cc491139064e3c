// amp-shape-infer: shape rules to a fixed point, with folding in between, since a shape may depend on a folded value.
#include "compiler/shape/Passes.h"
#include "compiler/shape/Simplify.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace amp::compiler::shape {
#define GEN_PASS_DEF_INFERPASS
#include "compiler/shape/Passes.h.inc"
} // namespace amp::compiler::shape

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

constexpr int64_t mostRangeElements = int64_t(1) << 24;

struct InferPass : shape::impl::InferPassBase<InferPass> {
  using InferPassBase::InferPassBase;
  void runOnOperation() override;

private:
  LogicalResult inferProgram(train::ProgramOp program);
  FailureOr<bool> inferTypes(Operation *op);
  FailureOr<bool> simplify(Operation *op);
  FailureOr<bool> foldConstants(Operation *op);
  bool foldShape(graph::ShapeOp op);
  void replaceByConstants(Operation *op, ArrayRef<DenseElementsAttr> values);
};

/// What both know of a shape; `fresh` wins where both know it, as the rule has checked them against each other.
Type mergeTypes(Type old, Type fresh) {
  auto before = cast<RankedTensorType>(old), after = cast<RankedTensorType>(fresh);
  if (before.getRank() != after.getRank())
    return fresh;
  SmallVector<int64_t> shape(after.getShape());
  for (auto [length, known] : llvm::zip_equal(shape, before.getShape()))
    if (ShapedType::isDynamic(length))
      length = known;
  return RankedTensorType::get(shape, after.getElementType());
}

bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

} // namespace

StringRef shape::nameOf(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName();
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (StringRef name = nameOf(part); !name.empty())
        return name;
  return StringRef();
}

/// Import has checked what the file says by itself; a contradiction now comes of a length that the user bound.
static LogicalResult reportContradiction(Operation *op, StringRef problem) {
  InFlightDiagnostic error = op->emitError();
  if (StringRef name = shape::nameOf(op->getLoc()); !name.empty())
    error << "node '" << name << "' ";
  error << "(" << op->getName() << ") ";
  if (problem.starts_with("'") && problem.contains("' op "))
    problem = problem.split("' op ").second;
  return error << problem
               << "; if --batch or --shape replaced a length that the file fixes, this node still holds the old one: "
                  "export the model with symbolic axes";
}

/// Whether a type has so many elements that sizes in bytes, and sums of them, might not fit 64 bits.
static bool isHuge(Type type) {
  constexpr int64_t mostElements = int64_t(1) << 40;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || llvm::is_contained(tensor.getShape(), 0))
    return false;
  int64_t count = 1;
  return llvm::any_of(tensor.getShape(),
                      [&](int64_t length) { return llvm::MulOverflow(count, length, count) || count > mostElements; });
}

FailureOr<bool> InferPass::inferTypes(Operation *op) {
  auto rule = dyn_cast<graph::ShapeOpInterface>(op);
  if (!rule)
    return false;
  SmallVector<Type> types;
  std::string problem;
  {
    ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &diagnostic) {
      problem += (problem.empty() ? "" : "; ") + diagnostic.str();
      return success();
    });
    if (succeeded(rule.inferResultTypes(types)))
      problem.clear();
  }
  if (!problem.empty())
    return reportContradiction(op, problem);
  bool changed = false;
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types)) {
    Type merged = mergeTypes(result.getType(), type);
    if (isHuge(merged))
      return op->emitError() << "node '" << shape::nameOf(op->getLoc()) << "' (" << op->getName() << ") gives "
                             << merged << ", more than 2^40 elements; use a smaller --batch or --shape";
    changed |= merged != result.getType();
    result.setType(merged);
  }
  return changed;
}

void InferPass::replaceByConstants(Operation *op, ArrayRef<DenseElementsAttr> values) {
  OpBuilder builder(op);
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    result.replaceAllUsesWith(graph::ConstantOp::create(builder, op->getLoc(), value.getType(), value));
  op->erase();
  ++foldedCount;
}

FailureOr<bool> InferPass::foldConstants(Operation *op) {
  auto reference = dyn_cast<graph::ReferenceOpInterface>(op);
  // What an op with modes computes is decided by the program that it will lie in.
  if (!reference || op->getNumOperands() == 0 || !isPure(op) || isa<graph::ModeOpInterface>(op))
    return false;
  // No code counts: a range becomes a constant, however long.
  const int64_t most = isa<graph::RangeOp>(op) ? mostRangeElements : int64_t(maxFoldElements);
  auto isSmall = [&](Value value) {
    return isStatic(value) && cast<RankedTensorType>(value.getType()).getNumElements() <= most;
  };
  if (!llvm::all_of(op->getResults(), isSmall) || !llvm::all_of(op->getOperands(), isSmall))
    return false;
  SmallVector<graph::ReferenceTensor> operands, results;
  for (Value operand : op->getOperands()) {
    DenseElementsAttr value;
    if (!matchPattern(operand, m_Constant(&value)))
      return false;
    operands.emplace_back(value);
  }
  if (failed(reference.evaluate(operands, results)))
    return failure();
  SmallVector<DenseElementsAttr> values;
  for (auto [tensor, result] : llvm::zip_equal(results, op->getResults())) {
    if (tensor.type != result.getType())
      return false;
    values.push_back(tensor.toAttribute());
  }
  replaceByConstants(op, values);
  return true;
}

bool InferPass::foldShape(graph::ShapeOp op) {
  ArrayRef<int64_t> lengths = cast<RankedTensorType>(op.getX().getType()).getShape();
  lengths = lengths.slice(op.getStart(), op.getEnd() - op.getStart());
  if (llvm::any_of(lengths, ShapedType::isDynamic))
    return false;
  auto type = RankedTensorType::get({int64_t(lengths.size())}, IntegerType::get(op.getContext(), 64));
  replaceByConstants(op, DenseElementsAttr::get(type, lengths));
  return true;
}

/// One step of everything on one op, which may be gone afterwards. True if anything changed.
FailureOr<bool> InferPass::simplify(Operation *op) {
  if (isOpTriviallyDead(op)) {
    op->erase();
    return true;
  }
  FailureOr<bool> changed = inferTypes(op);
  if (failed(changed))
    return failure();
  if (auto lengths = dyn_cast<graph::ShapeOp>(op); lengths && foldShape(lengths))
    return true;
  // Operands that an op cannot take are an error of the file, whatever the program goes on to do with them.
  if (FailureOr<bool> folded = foldConstants(op); failed(folded) || *folded)
    return folded;
  if (shape::simplifyOp(op)) {
    ++simplifiedCount;
    return true;
  }
  return *changed;
}

LogicalResult InferPass::inferProgram(train::ProgramOp program) {
  Block &block = program.getBody().front();
  for (bool isFixed = false; !isFixed;) {
    isFixed = true;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      FailureOr<bool> changed = simplify(&op);
      if (failed(changed))
        return failure();
      isFixed &= !*changed;
    }
  }
  program.setFunctionType(
      FunctionType::get(program.getContext(), block.getArgumentTypes(), block.getTerminator()->getOperandTypes()));
  return success();
}

void InferPass::runOnOperation() {
  for (auto program : getOperation().getOps<train::ProgramOp>())
    if (failed(inferProgram(program)))
      return signalPassFailure();
}
