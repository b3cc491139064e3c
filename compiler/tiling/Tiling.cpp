// How a kernel is cut: its root, its form, and whether its results can be made tile by tile.
#include "compiler/tiling/Tiling.h"

#include "compiler/tiling/Grain.h"

#include "dialects/graph/Graph.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

int64_t lastLength(RankedTensorType type) {
  return type.getRank() ? type.getShape().back() : 1;
}

Operation *findRoot(Block &body) {
  for (Operation &op : body)
    if (auto fusion = dyn_cast<graph::FusionOpInterface>(op))
      if (fusion.getFusionClass() == graph::FusionClass::Root || fusion.getFusionClass() == graph::FusionClass::Alone)
        return &op;
  return nullptr;
}

RootForm formOf(Operation *root) {
  if (!root)
    return RootForm::None;
  return llvm::TypeSwitch<Operation *, RootForm>(root)
      .Case<graph::ConcatOp, graph::GatherGradOp, graph::LayerNormGradOp>([](Operation *) { return RootForm::Direct; })
      .Case<graph::MaxPool2dOp, graph::AveragePool2dOp, graph::AveragePool2dGradOp, graph::DropoutOp, graph::GatherOp,
            graph::GatherElementsOp, graph::GatherNdOp>([](Operation *) { return RootForm::Pulled; })
      .Case([](graph::MaxPool2dGradOp op) {
        return op.getLayout() == graph::ChannelLayout::ChannelsLast ? RootForm::Staged : RootForm::Pulled;
      })
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp>(
          [](Operation *op) { return columnReduction(op) ? RootForm::Staged : RootForm::Pulled; })
      .Default([](Operation *) { return RootForm::Staged; });
}

bool isView(Operation *op) {
  auto fusion = dyn_cast<graph::FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == graph::FusionClass::View;
}

/// Whether a view, or another op, has its elements where its operand of the same size has them.
bool keepsPlaces(Operation *op) {
  return !isView(op) || isa<graph::ReshapeOp, graph::ExpandOp, graph::TriluOp>(op);
}

/// Whether element i of `value` needs only element i (row-major) of the root: no transpose, no broadcast in between.
bool followsLinearly(Value value, Operation *root, int64_t elements) {
  Operation *op = value.getDefiningOp();
  if (!op || op == root)
    return true;
  bool reachesRoot = false;
  bool linear = true;
  for (Value operand : op->getOperands()) {
    SetVector<Operation *> slice;
    for (SmallVector<Value> work{operand}; !work.empty();) {
      Operation *producer = work.pop_back_val().getDefiningOp();
      if (producer && slice.insert(producer))
        llvm::append_range(work, producer->getOperands());
    }
    if (!slice.contains(root))
      continue;
    reachesRoot = true;
    linear &= tensorType(operand).getNumElements() == elements && followsLinearly(operand, root, elements);
  }
  return !reachesRoot || (linear && tensorType(value).getNumElements() == elements && keepsPlaces(op));
}

RankedTensorType largestResult(Operation *yield) {
  RankedTensorType largest;
  for (Value value : yield->getOperands())
    if (!largest || tensorType(value).getNumElements() > largest.getNumElements())
      largest = tensorType(value);
  return largest;
}

/// Whether the results can be made tile by tile: each has the elements of the space, in its order, and is walked by its
/// position or by whole rows.
bool cutsTogether(Operation *yield, const Tiling &tiling) {
  bool flat = llvm::all_of(yield->getOperands(),
                           [&](Value value) { return readsFlat(value, tiling.elements, /*row=*/0, tiling); });
  return llvm::all_of(yield->getOperands(), [&](Value value) {
    RankedTensorType type = tensorType(value);
    if (type.getNumElements() != tiling.elements || (!flat && tiling.tileElements % lastLength(type) != 0))
      return false;
    return tiling.form != RootForm::Staged || followsLinearly(value, tiling.root, tiling.elements);
  });
}

/// Whether an operand is one row that every row of the result meets: along its last axis.
bool isRowOperand(OpOperand &use, int64_t row) {
  Operation *op = use.getOwner();
  RankedTensorType part = tensorType(use.get()), whole = tensorType(op->getResult(0));
  if (part.getNumElements() != row || lastLength(whole) != row || part.getRank() == 0)
    return false;
  auto emits = dyn_cast<graph::EmitOpInterface>(op);
  std::optional<int64_t> axis = emits ? emits.getVectorAxis(use.getOperandNumber()) : std::nullopt;
  return axis ? *axis == whole.getRank() - 1 : lastLength(part) == row;
}

void planStage(Tiling &tiling) {
  for (Value result : tiling.root->getResults()) {
    int64_t elements = std::min(tiling.tileElements, tensorType(result).getNumElements());
    tiling.workspace += llvm::alignTo(elements * computeBytes(tensorType(result).getElementType()), 64);
  }
  tiling.scratchOffset = tiling.workspace;
  tiling.workspace += scratchBytes(tiling.root, tiling.tileElements);
}

} // namespace

bool amp::compiler::readsFlat(Value value, int64_t elements, int64_t row, const Tiling &tiling) {
  if (tensorType(value).getNumElements() == 1)
    return true;
  if (tensorType(value).getNumElements() != elements)
    return false;
  Operation *op = value.getDefiningOp();
  bool isStage = op && op == tiling.root && tiling.form == RootForm::Staged;
  if (!op || isStage || isa<graph::ConstantOp>(op))
    return true;
  if (op == tiling.root && !isa<graph::DropoutOp>(op))
    return false;
  if (isView(op) && !isa<graph::ReshapeOp, graph::ExpandOp>(op))
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &use) {
    if (row > 1 && tensorType(use.get()).getNumElements() != elements && isRowOperand(use, row))
      return readsFlat(use.get(), row, row, tiling);
    return readsFlat(use.get(), elements, row, tiling);
  });
}

int64_t amp::compiler::computeBytes(Type type) {
  if (isa<FloatType>(type))
    return type.isF64() ? 8 : 4;
  return std::max<int64_t>(type.getIntOrFloatBitWidth() / 8, 1);
}

int64_t amp::compiler::weightGradientBlock(int64_t outChannels) {
  return outChannels >= 64 ? 16 : 8;
}

Tiling amp::compiler::tileKernel(Block &body, int64_t tiles) {
  Tiling tiling;
  tiling.root = findRoot(body);
  tiling.form = formOf(tiling.root);
  Operation *yield = body.getTerminator();
  RankedTensorType space =
      tiling.form == RootForm::Staged ? tensorType(tiling.root->getResult(0)) : largestResult(yield);
  Grain grain = tiling.root ? rootGrain(tiling.root) : elementwiseGrain(space);
  tiling.elements = tiling.form == RootForm::Direct ? directElements(tiling.root) : space.getNumElements();
  tiling.tileElements = std::max<int64_t>(std::min(grain.elements * grain.count, tiling.elements), 1);
  if (tiles > 0)
    tiling.tileElements = llvm::divideCeil(tiling.elements, tiles);
  if (tiling.form != RootForm::Direct && !cutsTogether(yield, tiling))
    tiling.tileElements = std::max<int64_t>(tiling.elements, 1);
  tiling.tiles = std::max<int64_t>(llvm::divideCeil(tiling.elements, tiling.tileElements), 1);
  if (tiling.form == RootForm::Staged)
    planStage(tiling);
  return tiling;
}
