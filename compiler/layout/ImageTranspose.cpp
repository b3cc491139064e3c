// Which neighbours can take a transpose between the two layouts of an image.
#include "compiler/layout/ImageTranspose.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

static constexpr int64_t lastPermutation[] = {0, 2, 3, 1};
static constexpr int64_t firstPermutation[] = {0, 3, 1, 2};

ArrayRef<int64_t> toChannelsLastPermutation() {
  return lastPermutation;
}
ArrayRef<int64_t> toChannelsFirstPermutation() {
  return firstPermutation;
}

bool isImageTranspose(TransposeOp transpose) {
  return transpose.getPermutation() == toChannelsLastPermutation() ||
         transpose.getPermutation() == toChannelsFirstPermutation();
}

RankedTensorType permuted(RankedTensorType type, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation)
    shape.push_back(type.getDimSize(axis));
  return RankedTensorType::get(shape, type.getElementType());
}

SmallVector<int64_t> inverted(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    inverse[from] = to;
  return inverse;
}

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Value transposed(OpBuilder &builder, Value value, ArrayRef<int64_t> permutation) {
  return TransposeOp::create(builder, value.getLoc(), permuted(tensorType(value), permutation), value, permutation);
}

bool movesUnitAxesOnly(RankedTensorType type, ArrayRef<int64_t> permutation) {
  int64_t previous = -1;
  for (int64_t axis : permutation) {
    if (type.getDimSize(axis) == 1)
      continue;
    if (axis < previous)
      return false;
    previous = axis;
  }
  return true;
}

/// The elementwise op that keeps the layout of all its image operands, or null.
static LayoutOpInterface elementwise(Operation *op) {
  auto layout = dyn_cast_if_present<LayoutOpInterface>(op);
  bool keeps = layout && layout.getLayoutClass() == LayoutClass::Elementwise && op->getNumResults() == 1 &&
               tensorType(op->getResult(0)).getRank() == 4;
  return keeps ? layout : LayoutOpInterface();
}

static bool undoes(TransposeOp transpose, ArrayRef<int64_t> permutation) {
  return transpose && llvm::equal(inverted(permutation), transpose.getPermutation());
}

/// Asks a copy of the op, since absorbing changes the op.
template <class Absorb> static bool wouldAbsorb(Operation *op, Absorb absorb) {
  auto layout = dyn_cast_if_present<LayoutOpInterface>(op);
  if (!layout)
    return false;
  Operation *copy = op->clone();
  bool absorbs = absorb(cast<LayoutOpInterface>(copy));
  copy->destroy();
  return absorbs;
}

bool canGive(Value value, ArrayRef<int64_t> permutation) {
  if (undoes(value.getDefiningOp<TransposeOp>(), permutation))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse())
    return false;
  if (permutation == toChannelsFirstPermutation() &&
      wouldAbsorb(op, [](LayoutOpInterface copy) { return copy.absorbResultTranspose(); }))
    return true;
  LayoutOpInterface layout = elementwise(op);
  if (!layout)
    return false;
  bool any = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!layout.isImageOperand(operand.getOperandNumber()))
      continue;
    any = true;
    if (!canGive(operand.get(), permutation))
      return false;
  }
  return any;
}

Value give(Value value, ArrayRef<int64_t> permutation) {
  if (auto transpose = value.getDefiningOp<TransposeOp>(); undoes(transpose, permutation))
    return transpose.getX();
  Operation *op = value.getDefiningOp();
  if (LayoutOpInterface layout = elementwise(op)) {
    for (OpOperand &operand : op->getOpOperands())
      if (layout.isImageOperand(operand.getOperandNumber()))
        operand.set(give(operand.get(), permutation));
  } else {
    cast<LayoutOpInterface>(op).absorbResultTranspose();
  }
  value.setType(permuted(tensorType(value), permutation));
  return value;
}

bool canTake(OpOperand &use, ArrayRef<int64_t> permutation) {
  Operation *op = use.getOwner();
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return undoes(transpose, permutation);
  unsigned number = use.getOperandNumber();
  if (permutation == toChannelsLastPermutation() &&
      wouldAbsorb(op, [number](LayoutOpInterface copy) { return copy.absorbOperandTranspose(number); }))
    return true;
  LayoutOpInterface layout = elementwise(op);
  if (!layout || op->use_empty())
    return false;
  SmallVector<int64_t> inverse = inverted(permutation);
  for (OpOperand &other : op->getOpOperands())
    if (&other != &use && layout.isImageOperand(other.getOperandNumber()) && !canGive(other.get(), inverse))
      return false;
  return llvm::all_of(op->getUses(), [&](OpOperand &next) { return canTake(next, permutation); });
}

void take(OpOperand &use, Value source, ArrayRef<int64_t> permutation) {
  Operation *op = use.getOwner();
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    transpose.getY().replaceAllUsesWith(source);
    transpose->erase();
    return;
  }
  if (LayoutOpInterface layout = elementwise(op)) {
    SmallVector<int64_t> inverse = inverted(permutation);
    for (OpOperand &other : op->getOpOperands())
      if (&other != &use && layout.isImageOperand(other.getOperandNumber()))
        other.set(give(other.get(), inverse));
    use.set(source);
    Value result = op->getResult(0);
    result.setType(permuted(tensorType(result), inverse));
    SmallVector<OpOperand *> uses;
    for (OpOperand &next : result.getUses())
      uses.push_back(&next);
    for (OpOperand *next : uses)
      take(*next, result, permutation);
    return;
  }
  cast<LayoutOpInterface>(op).absorbOperandTranspose(use.getOperandNumber());
  use.set(source);
}

} // namespace amp::compiler
