// The tile rules, one a family of roots.
#include "compiler/tiling/Grain.h"

#include "compiler/tiling/Tiling.h"
#include "compiler/tiling/WeightGradient.h"

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
constexpr int64_t splits = 4;             // tiles of columns: better few, so that rows of a tile are long

RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

int64_t product(ArrayRef<int64_t> lengths) {
  int64_t result = 1;
  for (int64_t length : lengths)
    result *= length;
  return result;
}

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

/// Steps of the axes before `axis`.
Grain rowGrain(RankedTensorType type, int64_t axis) {
  int64_t piece = product(type.getShape().drop_front(axis));
  return {piece, std::max<int64_t>(tileTarget / 4 / std::max<int64_t>(piece, 1), 1)};
}

/// Columns of a matrix of `rows` rows of which a tile owns some: a quarter, but whole cache lines and enough work.
int64_t columnBlock(int64_t rows, int64_t columns, int64_t lineElements) {
  int64_t enough = llvm::divideCeil(4 * tileTarget, std::max<int64_t>(rows, 1));
  int64_t wanted = llvm::alignTo(std::max<int64_t>(llvm::divideCeil(columns, splits), enough), lineElements);
  return std::max<int64_t>(std::min(wanted, columns), 1);
}

/// Elements of two cache lines of the memory that an operand lies in: processors fetch them together.
int64_t lineElements(Value value) {
  return std::max<int64_t>(128 * 8 / tensorType(value).getElementTypeBitWidth(), 16);
}

int64_t channelBlock(Value image, int64_t axis) {
  ChannelShape shape = channelShape(tensorType(image), axis);
  return columnBlock(shape.outer * shape.inner, shape.channels, shape.inner == 1 ? lineElements(image) : 1);
}

/// Whole rows of the result, as many as read some tiles' worth of the operand.
Grain reductionGrain(Operation *root) {
  RankedTensorType result = tensorType(root->getResult(0));
  if (auto columns = columnReduction(root)) {
    if (columns->outer == 1)
      return {1, columnBlock(columns->reduced, columns->inner, lineElements(root->getOperand(0)))};
    int64_t piece = columns->reduced * columns->inner;
    return {columns->inner, std::max<int64_t>(4 * tileTarget / std::max<int64_t>(piece, 1), 1)};
  }
  int64_t row = result.getRank() ? std::max<int64_t>(result.getShape().back(), 1) : 1;
  int64_t terms = tensorType(root->getOperand(0)).getNumElements() / std::max<int64_t>(result.getNumElements(), 1);
  return {row, std::max<int64_t>(4 * tileTarget / std::max<int64_t>(row * terms, 1), 1)};
}

Grain poolGrain(RankedTensorType type) {
  int64_t image = product(type.getShape().drop_front());
  return {image, std::max<int64_t>(tileTarget / 4 / std::max<int64_t>(image, 1), 1)};
}

/// Rows of an image: windows that cover the border of two tiles are looked at twice, so a tile has some rows.
Grain poolGradientGrain(graph::MaxPool2dGradOp op) {
  RankedTensorType type = tensorType(op.getDx());
  if (op.getLayout() == graph::ChannelLayout::ChannelsFirst)
    return poolGrain(type);
  int64_t height = type.getDimSize(1), row = type.getDimSize(2) * type.getDimSize(3), rows = height;
  while (rows > 1 && (rows * row > 4 * tileTarget || height % rows != 0))
    --rows;
  return {row, rows};
}

/// Rows of the table of a gather's gradient.
Grain tableGrain(graph::GatherGradOp op) {
  int64_t length = int64_t(op.getLength()), all = tensorType(op.getDx()).getNumElements();
  int64_t enough = llvm::divideCeil(tileTarget * length, std::max<int64_t>(all, 1));
  return {1, std::max<int64_t>(llvm::divideCeil(length, 4 * splits), enough)};
}

Grain joinGrain(graph::ConcatOp op) {
  int64_t row = tensorType(op.getY()).getNumElements() / std::max<int64_t>(directElements(op), 1);
  return {1, std::max<int64_t>(tileTarget / std::max<int64_t>(row, 1), 1)};
}

} // namespace

Grain amp::compiler::elementwiseGrain(RankedTensorType type) {
  int64_t row = type.getRank() ? type.getShape().back() : 1;
  return {row, std::max<int64_t>(tileTarget / std::max<int64_t>(row, 1), 1)};
}

Grain amp::compiler::rootGrain(Operation *root) {
  RankedTensorType type = tensorType(root->getResult(0));
  int64_t all = type.getNumElements();
  int64_t image = all / std::max<int64_t>(type.getRank() ? type.getDimSize(0) : 1, 1);
  return llvm::TypeSwitch<Operation *, Grain>(root)
      .Case([](graph::MatMulOp op) { return matMulGrain(op); })
      .Case<graph::Conv2dOp, graph::Conv2dInputGradOp>([&](Operation *) { return Grain{image, 1}; })
      .Case([&](graph::Conv2dWeightGradOp op) {
        auto packed = packedWeightGradient(op);
        return Grain{image, packed ? packed->block : weightGradientBlock(type.getDimSize(0))};
      })
      .Case<graph::SoftmaxOp, graph::SoftmaxGradOp, graph::LogSoftmaxOp, graph::LogSoftmaxGradOp,
            graph::CrossEntropyGradOp, graph::LayerNormOp>([&](auto op) { return rowGrain(type, op.getAxis()); })
      .Case<graph::BatchMomentsOp, graph::NormalizeSumsOp>(
          [](auto op) { return Grain{1, channelBlock(op.getX(), op.getAxis())}; })
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp>([](Operation *op) { return reductionGrain(op); })
      .Case<graph::DropoutOp, graph::GatherOp, graph::GatherElementsOp, graph::GatherNdOp>(
          [&](Operation *) { return elementwiseGrain(type); })
      .Case([](graph::GatherGradOp op) { return tableGrain(op); })
      .Case([](graph::ConcatOp op) { return joinGrain(op); })
      .Case<graph::LayerNormGradOp, train::SumSquaresOp>([](Operation *) { return Grain{1, 1}; })
      .Case([](graph::MaxPool2dGradOp op) { return poolGradientGrain(op); })
      .Case<graph::MaxPool2dOp, graph::AveragePool2dOp, graph::AveragePool2dGradOp>(
          [&](Operation *) { return poolGrain(type); })
      .Default([&](Operation *) { return Grain{all, 1}; });
}

int64_t amp::compiler::directElements(Operation *root) {
  return llvm::TypeSwitch<Operation *, int64_t>(root)
      .Case([](graph::LayerNormGradOp op) { return int64_t(op.getParts()); })
      .Case([](graph::GatherGradOp op) { return int64_t(op.getLength()); })
      .Case([](graph::ConcatOp op) { return product(tensorType(op.getY()).getShape().take_front(op.getAxis())); })
      .Default([](Operation *) { return int64_t(1); });
}

int64_t amp::compiler::scratchBytes(Operation *root, int64_t tileElements) {
  // Sums of the columns of a tile, in f64 and in f32.
  auto columns = [&](int64_t count, int64_t sums) {
    return sums * (llvm::alignTo(count * 8, 64) + llvm::alignTo(count * 4, 64));
  };
  return llvm::TypeSwitch<Operation *, int64_t>(root)
      .Case<graph::Conv2dOp, graph::Conv2dInputGradOp>([](Operation *op) {
        ConvolutionShape shape = convolutionShape(op);
        int64_t bytes = computeBytes(tensorType(op->getResult(0)).getElementType());
        return llvm::alignTo(shape.sourceElements() * bytes, 64) + llvm::alignTo(shape.weightElements() * bytes, 64);
      })
      .Case([&](graph::Conv2dWeightGradOp op) {
        auto packed = packedWeightGradient(op);
        int64_t perChannel = tensorType(op.getDweight()).getNumElements() / tensorType(op.getDweight()).getDimSize(0);
        return packed ? packedWeightGradientBytes(*packed, tileElements / perChannel) : 0;
      })
      .Case([&](graph::MatMulOp op) {
        RankedTensorType lhs = tensorType(op.getLhs()), y = tensorType(op.getY());
        int64_t rows = std::min(tileElements / y.getShape().back(), y.getDimSize(y.getRank() - 2));
        int64_t depth = lhs.getDimSize(lhs.getRank() - (op.getTransposeLhs() ? 2 : 1));
        return widensLeft(op) ? llvm::alignTo(rows * depth * 4, 64) : 0;
      })
      .Case<graph::BatchMomentsOp, graph::NormalizeSumsOp>([&](Operation *) { return columns(tileElements, 2); })
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp>(
          [&](Operation *op) { return columns(std::min(columnReduction(op)->inner, tileElements), 1); })
      .Default([](Operation *) { return int64_t(0); });
}

bool amp::compiler::widensLeft(Operation *op) {
  auto matmul = cast<graph::MatMulOp>(op);
  return tensorType(matmul.getLhs()).getElementTypeBitWidth() == 16 &&
         (matmul.getTransposeLhs() || !matmul.getTransposeRhs());
}

ChannelShape amp::compiler::channelShape(RankedTensorType type, int64_t axis) {
  ArrayRef<int64_t> shape = type.getShape();
  return {product(shape.take_front(axis)), shape[axis], product(shape.drop_front(axis + 1))};
}

std::optional<ColumnReduction> amp::compiler::columnReduction(Operation *op) {
  RankedTensorType x = tensorType(op->getOperand(0));
  auto mean = dyn_cast<graph::ReduceMeanOp>(op);
  ArrayRef<int64_t> axes = mean ? mean.getAxes() : cast<graph::ReduceSumOp>(op).getAxes();
  Type element = x.getElementType();
  if (axes.empty() || !isa<FloatType>(element) || element.isF64())
    return std::nullopt;
  int64_t first = axes.front(), last = axes.back();
  for (int64_t axis = first; axis <= last; ++axis)
    if (!llvm::is_contained(axes, axis) && x.getDimSize(axis) != 1)
      return std::nullopt;
  ColumnReduction found{product(x.getShape().take_front(first)), product(x.getShape().slice(first, last + 1 - first)),
                        product(x.getShape().drop_front(last + 1))};
  if (found.inner < 8 || found.reduced < 4)
    return std::nullopt;
  return found;
}
