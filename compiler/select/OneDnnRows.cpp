// Rows of the catalogue that call oneDNN: the library computes a tile of the root, generated code its epilogue.
#include "compiler/select/OneDnnRows.h"
#include "compiler/select/Catalogue.h"

#include "compiler/support/Remarks.h"
#include "compiler/tiling/Tiling.h"
#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/ShapeRules.h"
#include "runtime/library/onednn/Catalogue.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;
namespace onednn = amp::runtime::onednn;

namespace {

constexpr int64_t floatBytes = 4;

/// One of the two tensors that the root reads: an input of the kernel, and how far tiles lie apart in it.
struct Source {
  BlockArgument input;
  int64_t tileStride = 0;
};

/// What the steps of a kernel are made of.
struct LibraryPlan {
  Tiling tiling;
  std::string_view operation;
  std::vector<int64_t> numbers;
  onednn::Description description;
  Source sources[2];
  int64_t products = 0;       ///< multiplications of a tile
  int64_t weightElements = 0; ///< that a tile packs before it multiplies
};

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}
bool isF32(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType().isF32();
}

/// The kernel's input whose bytes `value` has: itself or a reshape of it.
BlockArgument inputBehind(Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getX();
  return dyn_cast<BlockArgument>(value);
}

/// Fills in what oneDNN says to the call, and whether it takes it at all.
template <typename Call> bool describe(plan::KernelOp kernel, const Call &call, LibraryPlan &plan) {
  auto description = onednn::describe(plan.operation, call);
  if (!description.isOk()) {
    compiler::remark(kernel, "select") << "kept " << nodeName(plan.tiling.root)
                                       << " from onednn: " << description.status().text();
    return false;
  }
  plan.description = *description;
  plan.numbers = onednn::numbersOf(call, *description);
  return true;
}

onednn::Convolution convolutionOf(ArrayRef<int64_t> image, ArrayRef<int64_t> weight, ArrayRef<int64_t> result,
                                  ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations, ArrayRef<int64_t> pads,
                                  int64_t groups) {
  graph::ImageAxes axes(graph::ChannelLayout::ChannelsLast);
  onednn::Convolution c;
  c.groups = groups;
  c.channels = image[axes.channels], c.height = image[axes.height], c.width = image[axes.width];
  c.outChannels = result[axes.channels], c.outHeight = result[axes.height], c.outWidth = result[axes.width];
  c.kernelHeight = weight[2], c.kernelWidth = weight[3];
  c.strideHeight = strides[0], c.strideWidth = strides[1];
  c.dilationHeight = dilations[0], c.dilationWidth = dilations[1];
  c.padTop = pads[0], c.padLeft = pads[1], c.padBottom = pads[2], c.padRight = pads[3];
  return c;
}

/// Of a conv2d or conv2d_input_grad: `source` is x or dy, `made` y or dx.
template <typename Op>
std::optional<LibraryPlan> planConvolution(plan::KernelOp kernel, Op op, Value source, Value made) {
  constexpr bool forward = std::is_same_v<Op, graph::Conv2dOp>;
  Value weight = op.getWeight();
  LibraryPlan plan;
  plan.sources[0].input = inputBehind(source);
  plan.sources[1].input = inputBehind(weight);
  if (op.getLayout() != graph::ChannelLayout::ChannelsLast || !isF32(source) || !isF32(weight) || !isF32(made) ||
      !plan.sources[0].input || !plan.sources[1].input)
    return std::nullopt;
  plan.tiling = tileKernel(kernel.getBody().front());
  plan.operation = forward ? onednn::convolutionForward : onednn::convolutionInputGradient;
  onednn::Convolution c =
      convolutionOf(shapeOf(forward ? source : made), shapeOf(weight), shapeOf(forward ? made : source),
                    op.getStrides(), op.getDilations(), op.getPads(), op.getGroups());
  int64_t image = plan.tiling.elements / shapeOf(made)[0];
  if (plan.tiling.tileElements % image != 0 || plan.tiling.elements % plan.tiling.tileElements != 0)
    return std::nullopt;
  c.batch = plan.tiling.tileElements / image;
  plan.sources[0].tileStride =
      cast<RankedTensorType>(source.getType()).getNumElements() / plan.tiling.tiles * floatBytes;
  plan.weightElements = cast<RankedTensorType>(weight.getType()).getNumElements();
  plan.products = c.batch * c.outHeight * c.outWidth * plan.weightElements;
  if (!describe(kernel, c, plan))
    return std::nullopt;
  return plan;
}

/// Rows of a tile: a divisor of all rows, few enough for several tiles, many enough that oneDNN's own packing of the
/// right side is cheap beside the products.
int64_t matMulRows(int64_t rows, int64_t columns, int64_t depth) {
  constexpr int64_t fewest = 64, products = 1 << 22;
  int64_t wanted = std::max(fewest, products / std::max<int64_t>(columns * depth, 1));
  for (int64_t candidate = wanted; candidate < rows; ++candidate)
    if (rows % candidate == 0)
      return candidate;
  return rows;
}

/// One matrix on the right; on the left one, or a batch of them whose rows follow each other.
std::optional<LibraryPlan> planMatMul(plan::KernelOp kernel, graph::MatMulOp op) {
  LibraryPlan plan;
  plan.sources[0].input = inputBehind(op.getLhs());
  plan.sources[1].input = inputBehind(op.getRhs());
  auto lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  bool oneMatrix = rhs.size() == 2 && (lhs.size() == 2 || !op.getTransposeLhs());
  int64_t elements = cast<RankedTensorType>(op.getY().getType()).getNumElements();
  if (!oneMatrix || elements == 0 || !isF32(op.getLhs()) || !isF32(op.getRhs()) || !isF32(op.getY()) ||
      !plan.sources[0].input || !plan.sources[1].input)
    return std::nullopt;
  plan.operation = onednn::matmul;
  onednn::MatMul m;
  m.columns = shapeOf(op.getY()).back();
  m.depth = op.getTransposeLhs() ? lhs[0] : lhs.back();
  int64_t rows = elements / m.columns;
  m.transposeLhs = op.getTransposeLhs(), m.transposeRhs = op.getTransposeRhs();
  m.lhsStride = lhs.back(), m.rhsStride = rhs.back(), m.resultStride = m.columns;
  plan.tiling = tileKernel(kernel.getBody().front(), rows / matMulRows(rows, m.columns, m.depth));
  m.rows = plan.tiling.tileElements / m.columns;
  plan.sources[0].tileStride = (m.transposeLhs ? m.rows : m.rows * m.lhsStride) * floatBytes;
  plan.products = m.rows * m.columns * m.depth;
  if (!describe(kernel, m, plan))
    return std::nullopt;
  return plan;
}

std::optional<LibraryPlan> planConvolution(plan::KernelOp kernel) {
  Operation *root = tileKernel(kernel.getBody().front()).root;
  if (auto forward = dyn_cast_if_present<graph::Conv2dOp>(root))
    return planConvolution(kernel, forward, forward.getX(), forward.getY());
  if (auto gradient = dyn_cast_if_present<graph::Conv2dInputGradOp>(root))
    return planConvolution(kernel, gradient, gradient.getDy(), gradient.getDx());
  return std::nullopt;
}

std::optional<LibraryPlan> planMatMul(plan::KernelOp kernel) {
  auto root = dyn_cast_if_present<graph::MatMulOp>(tileKernel(kernel.getBody().front()).root);
  return root ? planMatMul(kernel, root) : std::nullopt;
}

plan::OperandAttr operandOf(const Source &source) {
  return plan::OperandAttr::get(source.input.getContext(), false, source.input.getArgNumber(), 0, source.tileStride);
}

/// The tile goes to the argument that the root's own value is, where there is one; else the epilogue finds it staged at
/// the start of the workspace (compiler/tiling).
void apply(plan::KernelOp kernel, const LibraryPlan &plan) {
  MLIRContext *context = kernel.getContext();
  Block &body = kernel.getBody().front();
  OperandRange results = body.getTerminator()->getOperands();
  auto direct = llvm::find(results, plan.tiling.root->getResult(0));
  bool staged = direct == results.end();
  auto made = staged ? plan::OperandAttr::get(context, true, 0, 0, 0)
                     : plan::OperandAttr::get(context, false, body.getNumArguments() + (direct - results.begin()), 0,
                                              plan.tiling.tileElements * floatBytes);
  bool hasEpilogue = staged || results.size() > 1;
  int64_t scratchOffset = hasEpilogue ? plan.tiling.scratchOffset : 0;
  auto scratch = plan::OperandAttr::get(context, true, 0, scratchOffset, 0);
  SmallVector<Attribute> operands{operandOf(plan.sources[0]), operandOf(plan.sources[1]), made, scratch};
  SmallVector<Attribute> steps{
      plan::LibraryAttr::get(context, "onednn", StringRef(plan.operation.data(), plan.operation.size()),
                             plan.description.implementation, plan.description.version, plan.numbers, operands)};
  if (hasEpilogue)
    steps.push_back(plan::GeneratedAttr::get(context, "epilogue"));
  kernel.setImplementation("onednn");
  kernel.setTiles(plan.tiling.tiles);
  kernel.setWorkspace(scratchOffset + plan.description.scratchBytes);
  kernel.setStepsAttr(ArrayAttr::get(context, steps));
}

// Below this many products a tile, calling the library costs more than its better inner loop gains.
constexpr int64_t worthACall = 1 << 22;
// A packed weight element costs as much as this many products.
constexpr int64_t packCost = 32;

bool pays(const std::optional<LibraryPlan> &plan) {
  return plan && plan->products >= std::max(worthACall, packCost * plan->weightElements);
}

} // namespace

bool amp::compiler::matches_onednnConvolution(plan::KernelOp kernel) {
  return planConvolution(kernel).has_value();
}
bool amp::compiler::pays_onednnConvolution(plan::KernelOp kernel) {
  return pays(planConvolution(kernel));
}
void amp::compiler::plan_onednnConvolution(plan::KernelOp kernel) {
  apply(kernel, *planConvolution(kernel));
}

bool amp::compiler::matches_onednnMatMul(plan::KernelOp kernel) {
  return planMatMul(kernel).has_value();
}
bool amp::compiler::pays_onednnMatMul(plan::KernelOp kernel) {
  return pays(planMatMul(kernel));
}
void amp::compiler::plan_onednnMatMul(plan::KernelOp kernel) {
  apply(kernel, *planMatMul(kernel));
}
