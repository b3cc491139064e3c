// Simpler forms of ops; see Simplify.h.
#include "compiler/shape/Simplify.h"

#include "dialects/graph/Graph.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace amp;

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

static bool replace(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return true;
}

static std::optional<SmallVector<int64_t>> constantList(Value value) {
  DenseElementsAttr list;
  if (!matchPattern(value, m_Constant(&list)))
    return std::nullopt;
  return llvm::to_vector(graph::ReferenceTensor(list).integers);
}

static bool replaceByReshape(Operation *op) {
  if (!isa<graph::FlattenOp, graph::SqueezeOp, graph::UnsqueezeOp, graph::DynamicReshapeOp>(op) ||
      !isStatic(op->getOperand(0)))
    return false;
  OpBuilder builder(op);
  return replace(op, graph::ReshapeOp::create(builder, op->getLoc(), op->getResult(0).getType(), op->getOperand(0)));
}

static bool replaceByExpand(Operation *op) {
  if (!isa<graph::DynamicExpandOp>(op) || !isStatic(op->getOperand(0)))
    return false;
  OpBuilder builder(op);
  return replace(op, graph::ExpandOp::create(builder, op->getLoc(), op->getResult(0).getType(), op->getOperand(0)));
}

static bool replaceBySlice(Operation *op) {
  auto slice = dyn_cast<graph::DynamicSliceOp>(op);
  if (!slice || !isStatic(slice.getX()))
    return false;
  std::optional<SmallVector<int64_t>> starts = constantList(slice.getStarts()), ends = constantList(slice.getEnds());
  std::optional<SmallVector<int64_t>> steps = SmallVector<int64_t>(slice.getAxes().size(), 1);
  if (slice.getSteps())
    steps = constantList(slice.getSteps());
  if (!starts || !ends || !steps)
    return false;
  OpBuilder builder(op);
  return replace(op, graph::SliceOp::create(builder, op->getLoc(), slice.getY().getType(), slice.getX(),
                                            slice.getAxes(), *starts, *ends, *steps));
}

/// Whether the indices of an axis are first, first + step, first + 2 * step, ..
static bool countBy(ArrayRef<int64_t> indices, int64_t length, int64_t step) {
  auto counted = [&](int64_t index) { return index < 0 ? index + length : index; };
  for (auto [at, index] : llvm::enumerate(indices))
    if (counted(index) != counted(indices.front()) + int64_t(at) * step)
      return false;
  return true;
}

/// Indices that count up by one, or that are all the same, take a range or one slice. Both are views, and their
/// gradients do not add up by index.
static bool replaceGatherBySlice(Operation *op) {
  auto gather = dyn_cast<graph::GatherOp>(op);
  if (!gather || !isStatic(gather.getX()))
    return false;
  std::optional<SmallVector<int64_t>> indices = constantList(gather.getIndices());
  if (!indices || indices->empty())
    return false;
  const int64_t axis = gather.getAxis(), length = gather.getX().getType().getDimSize(axis);
  const bool isOne = countBy(*indices, length, 0);
  if (!isOne && !countBy(*indices, length, 1))
    return false;
  const int64_t first = indices->front() < 0 ? indices->front() + length : indices->front();
  const int64_t count = isOne ? 1 : int64_t(indices->size());
  OpBuilder builder(op);
  SmallVector<int64_t> shape(gather.getX().getType().getShape());
  shape[axis] = count;
  auto type = RankedTensorType::get(shape, gather.getX().getType().getElementType());
  Value range =
      graph::SliceOp::create(builder, op->getLoc(), type, gather.getX(), ArrayRef<int64_t>(axis),
                             ArrayRef<int64_t>(first), ArrayRef<int64_t>(first + count), ArrayRef<int64_t>(1));
  // The axis becomes those of the indices: of length 1 each where all are the same, to be expanded.
  SmallVector<int64_t> reshaped(gather.getY().getType().getShape());
  for (int64_t at = axis; isOne && at < axis + gather.getIndices().getType().getRank(); ++at)
    reshaped[at] = 1;
  range =
      graph::ReshapeOp::create(builder, op->getLoc(), RankedTensorType::get(reshaped, type.getElementType()), range);
  if (range.getType() != gather.getY().getType())
    range = graph::ExpandOp::create(builder, op->getLoc(), gather.getY().getType(), range);
  return replace(op, range);
}

/// A splat needs no folding limit: its elements are one.
static bool replaceBySplat(Operation *op) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  DenseElementsAttr value;
  if (auto fill = dyn_cast<graph::FillOp>(op))
    value = dyn_cast<DenseElementsAttr>(fill.getValue());
  else if (!isa<graph::ReshapeOp, graph::ExpandOp, graph::TransposeOp, graph::SliceOp>(op) ||
           !matchPattern(op->getOperand(0), m_Constant(&value)))
    return false;
  if (!value || !value.isSplat())
    return false;
  value = DenseElementsAttr::get(type, value.getSplatValue<Attribute>());
  return replace(op, graph::ConstantOp::create(builder, op->getLoc(), type, value));
}

/// Only the last shape of several counts.
static bool skipReshape(Operation *op) {
  auto reshape = dyn_cast<graph::ReshapeOp>(op);
  auto before = reshape ? reshape.getX().getDefiningOp<graph::ReshapeOp>() : nullptr;
  if (!before)
    return false;
  reshape.getXMutable().assign(before.getX());
  return true;
}

/// A condition joined with one that always holds, as masks of exporters are: the other one, with the result's shape.
static bool skipCondition(Operation *op) {
  if (!isa<graph::LogicalAndOp, graph::LogicalOrOp>(op))
    return false;
  for (unsigned at : {0u, 1u}) {
    DenseElementsAttr known;
    if (!matchPattern(op->getOperand(at), m_Constant(&known)) || !known.isSplat() ||
        known.getSplatValue<bool>() != isa<graph::LogicalAndOp>(op))
      continue;
    Value other = op->getOperand(1 - at);
    OpBuilder builder(op);
    if (other.getType() != op->getResult(0).getType())
      other = graph::ExpandOp::create(builder, op->getLoc(), op->getResult(0).getType(), other);
    return replace(op, other);
  }
  return false;
}

/// A matmul reads a matrix either way, so that a weight, its cast and its gradient lie as the file has it.
static bool absorbTranspose(Operation *op) {
  auto product = dyn_cast<graph::MatMulOp>(op);
  bool changed = false;
  for (unsigned at = 0; product && at < 2; ++at) {
    auto transpose = product->getOperand(at).getDefiningOp<graph::TransposeOp>();
    if (!transpose)
      continue;
    SmallVector<int64_t> swapped(transpose.getPermutation());
    std::swap(swapped.back(), swapped[swapped.size() - 2]);
    if (!llvm::equal(swapped, llvm::seq<int64_t>(0, int64_t(swapped.size()))))
      continue;
    product->setOperand(at, transpose.getX());
    if (at == 0)
      product.setTransposeLhs(!product.getTransposeLhs());
    else
      product.setTransposeRhs(!product.getTransposeRhs());
    changed = true;
  }
  return changed;
}

static bool changesNothing(Operation *op) {
  if (op->getNumOperands() != 1 || op->getOperand(0).getType() != op->getResult(0).getType())
    return false;
  if (auto transpose = dyn_cast<graph::TransposeOp>(op))
    return llvm::equal(transpose.getPermutation(), llvm::seq<int64_t>(0, int64_t(transpose.getPermutation().size())));
  if (auto slice = dyn_cast<graph::SliceOp>(op))
    return llvm::all_of(slice.getSteps(), [](int64_t step) { return step == 1; });
  return isa<graph::ReshapeOp, graph::ExpandOp, graph::CastOp, graph::ConcatOp>(op);
}

bool amp::compiler::shape::simplifyOp(Operation *op) {
  if (op->getNumResults() != 1 || !isStatic(op->getResult(0)))
    return false;
  if (changesNothing(op))
    return replace(op, op->getOperand(0));
  return replaceByReshape(op) || replaceByExpand(op) || replaceBySlice(op) || replaceBySplat(op) ||
         replaceGatherBySlice(op) || skipReshape(op) || skipCondition(op) || absorbTranspose(op);
}
