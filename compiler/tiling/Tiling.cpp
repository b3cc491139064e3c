// The tile rules, one a family of roots.
#include "compiler/tiling/Tiling.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/ShapeRules.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

constexpr int64_t tileTarget = 16384;     // elements of an elementwise tile: 64 KiB of fp32
constexpr int64_t tileProducts = 1 << 18; // multiplications of a contraction's tile: some 10 us

RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
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
  bool pulled = isa<graph::MaxPool2dOp, graph::MaxPool2dGradOp, graph::AveragePool2dOp, graph::AveragePool2dGradOp,
                    graph::ReduceSumOp, graph::ReduceMeanOp, graph::DropoutOp>(root);
  return pulled ? RootForm::Pulled : RootForm::Staged;
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
  return !reachesRoot || (linear && tensorType(value).getNumElements() == elements && !isa<graph::TransposeOp>(op));
}

/// Elements of the smallest piece that a tile may be made of, and how many pieces make a tile.
struct Grain {
  int64_t elements;
  int64_t count;
};

Grain matMulGrain(graph::MatMulOp op) {
  RankedTensorType y = tensorType(op.getY());
  int64_t columns = y.getShape().back();
  int64_t rows = y.getShape()[y.getRank() - 2];
  RankedTensorType lhs = tensorType(op.getLhs());
  int64_t depth = lhs.getDimSize(lhs.getRank() - (op.getTransposeLhs() ? 2 : 1));
  int64_t wanted = llvm::alignTo(llvm::divideCeil(tileProducts, std::max<int64_t>(columns * depth, 1)), 4);
  if (wanted >= rows)
    return {columns, rows};
  if (y.getNumElements() == rows * columns)
    return {columns, wanted};
  // A tile must not cross matrices of the batch, so its rows divide theirs.
  while (rows % wanted != 0)
    --wanted;
  return {columns, wanted < 4 ? rows : wanted};
}

Grain softmaxGrain(RankedTensorType type, int64_t axis) {
  int64_t outer = 1;
  for (int64_t length : type.getShape().take_front(axis))
    outer *= length;
  int64_t piece = type.getNumElements() / std::max<int64_t>(outer, 1);
  return {piece, std::max<int64_t>(tileTarget / 4 / std::max<int64_t>(piece, 1), 1)};
}

/// An elementwise kernel: whole rows, so that a tile can be walked axis by axis.
Grain elementwiseGrain(RankedTensorType type) {
  int64_t row = type.getRank() ? type.getShape().back() : 1;
  return {row, std::max<int64_t>(tileTarget / std::max<int64_t>(row, 1), 1)};
}

/// Whole rows of the result, as many as read some tiles' worth of the operand.
Grain reductionGrain(Operation *root) {
  RankedTensorType result = tensorType(root->getResult(0));
  int64_t row = result.getRank() ? std::max<int64_t>(result.getShape().back(), 1) : 1;
  int64_t terms = tensorType(root->getOperand(0)).getNumElements() / std::max<int64_t>(result.getNumElements(), 1);
  return {row, std::max<int64_t>(4 * tileTarget / std::max<int64_t>(row * terms, 1), 1)};
}

Grain rootGrain(Operation *root) {
  RankedTensorType type = tensorType(root->getResult(0));
  int64_t all = type.getNumElements();
  int64_t image = all / std::max<int64_t>(type.getRank() ? type.getDimSize(0) : 1, 1);
  return llvm::TypeSwitch<Operation *, Grain>(root)
      .Case([](graph::MatMulOp op) { return matMulGrain(op); })
      .Case<graph::Conv2dOp, graph::Conv2dInputGradOp>([&](Operation *) { return Grain{image, 1}; })
      .Case([&](graph::Conv2dWeightGradOp) { return Grain{image, weightGradientBlock(type.getDimSize(0))}; })
      .Case<graph::SoftmaxOp, graph::SoftmaxGradOp, graph::LogSoftmaxOp, graph::LogSoftmaxGradOp>(
          [&](auto op) { return softmaxGrain(type, op.getAxis()); })
      .Case([&](graph::CrossEntropyGradOp op) { return softmaxGrain(type, op.getAxis()); })
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp>([&](Operation *op) { return reductionGrain(op); })
      .Case([&](graph::DropoutOp) { return elementwiseGrain(type); })
      .Case<graph::MaxPool2dOp, graph::MaxPool2dGradOp, graph::AveragePool2dOp, graph::AveragePool2dGradOp>(
          [&](Operation *) { return Grain{image, std::max<int64_t>(tileTarget / 4 / std::max<int64_t>(image, 1), 1)}; })
      .Default([&](Operation *) { return Grain{all, 1}; });
}

int64_t scratchBytes(Operation *root) {
  if (isa<graph::Conv2dOp, graph::Conv2dInputGradOp>(root)) {
    ConvolutionShape shape = convolutionShape(root);
    int64_t bytes = computeBytes(tensorType(root->getResult(0)).getElementType());
    return llvm::alignTo(shape.sourceElements() * bytes, 64) + llvm::alignTo(shape.weightElements() * bytes, 64);
  }
  return 0;
}

ConvolutionShape forwardShape(graph::Conv2dOp op) {
  graph::ImageAxes axes(op.getLayout());
  auto x = tensorType(op.getX()).getShape(), w = tensorType(op.getWeight()).getShape();
  auto y = tensorType(op.getY()).getShape();
  auto strides = op.getStrides(), dilations = op.getDilations(), pads = op.getPads();
  ConvolutionShape s{};
  s.batch = x[0];
  s.outHeight = y[axes.height], s.outWidth = y[axes.width], s.outChannels = y[axes.channels];
  s.imageHeight = x[axes.height], s.imageWidth = x[axes.width], s.sourceChannels = x[axes.channels];
  s.kernelHeight = w[2], s.kernelWidth = w[3], s.groups = op.getGroups();
  s.strideH = strides[0], s.strideW = strides[1], s.dilationH = dilations[0], s.dilationW = dilations[1];
  s.offsetH = pads[0], s.offsetW = pads[1], s.spreadH = s.spreadW = 1;
  s.sourceHeight = (s.outHeight - 1) * s.strideH + (s.kernelHeight - 1) * s.dilationH + 1;
  s.sourceWidth = (s.outWidth - 1) * s.strideW + (s.kernelWidth - 1) * s.dilationW + 1;
  return s;
}

// dx = dy, spread by the stride and padded, convolved at stride 1 with the kernel turned by half a turn.
ConvolutionShape inputGradientShape(graph::Conv2dInputGradOp op) {
  graph::ImageAxes axes(op.getLayout());
  auto dy = tensorType(op.getDy()).getShape(), w = tensorType(op.getWeight()).getShape();
  auto dx = tensorType(op.getDx()).getShape();
  auto strides = op.getStrides(), dilations = op.getDilations(), pads = op.getPads();
  ConvolutionShape s{};
  s.batch = dx[0];
  s.outHeight = dx[axes.height], s.outWidth = dx[axes.width], s.outChannels = dx[axes.channels];
  s.imageHeight = dy[axes.height], s.imageWidth = dy[axes.width], s.sourceChannels = dy[axes.channels];
  s.kernelHeight = w[2], s.kernelWidth = w[3], s.groups = op.getGroups();
  s.strideH = s.strideW = 1, s.dilationH = dilations[0], s.dilationW = dilations[1];
  s.offsetH = (w[2] - 1) * dilations[0] - pads[0], s.offsetW = (w[3] - 1) * dilations[1] - pads[1];
  s.spreadH = strides[0], s.spreadW = strides[1];
  s.sourceHeight = s.outHeight + (s.kernelHeight - 1) * s.dilationH;
  s.sourceWidth = s.outWidth + (s.kernelWidth - 1) * s.dilationW;
  return s;
}

RankedTensorType largestResult(Operation *yield) {
  RankedTensorType largest;
  for (Value value : yield->getOperands())
    if (!largest || tensorType(value).getNumElements() > largest.getNumElements())
      largest = tensorType(value);
  return largest;
}

/// Whether the results can be made tile by tile: each has the elements of the space, in its order, and whole rows.
bool cutsTogether(Operation *yield, const Tiling &tiling) {
  return llvm::all_of(yield->getOperands(), [&](Value value) {
    RankedTensorType type = tensorType(value);
    int64_t row = type.getRank() ? type.getShape().back() : 1;
    if (type.getNumElements() != tiling.elements || tiling.tileElements % row != 0)
      return false;
    return tiling.form != RootForm::Staged || followsLinearly(value, tiling.root, tiling.elements);
  });
}

} // namespace

int64_t amp::compiler::computeBytes(Type type) {
  if (isa<FloatType>(type))
    return type.isF64() ? 8 : 4;
  return std::max<int64_t>(type.getIntOrFloatBitWidth() / 8, 1);
}

int64_t amp::compiler::weightGradientBlock(int64_t outChannels) {
  return outChannels >= 64 ? 16 : 8;
}

ConvolutionShape amp::compiler::convolutionShape(Operation *op) {
  if (auto forward = dyn_cast<graph::Conv2dOp>(op))
    return forwardShape(forward);
  return inputGradientShape(cast<graph::Conv2dInputGradOp>(op));
}

Tiling amp::compiler::tileKernel(Block &body, int64_t tiles) {
  Tiling tiling;
  tiling.root = findRoot(body);
  tiling.form = formOf(tiling.root);
  Operation *yield = body.getTerminator();
  RankedTensorType space =
      tiling.form == RootForm::Staged ? tensorType(tiling.root->getResult(0)) : largestResult(yield);
  Grain grain = tiling.root ? rootGrain(tiling.root) : elementwiseGrain(space);
  tiling.elements = space.getNumElements();
  tiling.tileElements = std::max<int64_t>(std::min(grain.elements * grain.count, tiling.elements), 1);
  if (tiles > 0)
    tiling.tileElements = llvm::divideCeil(tiling.elements, tiles);
  if (!cutsTogether(yield, tiling))
    tiling.tileElements = std::max<int64_t>(tiling.elements, 1);
  tiling.tiles = std::max<int64_t>(llvm::divideCeil(tiling.elements, tiling.tileElements), 1);
  if (tiling.form != RootForm::Staged)
    return tiling;
  tiling.workspace = 0;
  for (Value result : tiling.root->getResults()) {
    int64_t elements = std::min(tiling.tileElements, tensorType(result).getNumElements());
    tiling.workspace += llvm::alignTo(elements * computeBytes(tensorType(result).getElementType()), 64);
  }
  tiling.scratchOffset = tiling.workspace;
  tiling.workspace += scratchBytes(tiling.root);
  return tiling;
}
