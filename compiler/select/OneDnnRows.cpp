// Rows of the catalogue that call oneDNN: the library computes a tile of the root, generated code its epilogue. Where
// the library cannot multiply a 16-bit type, a generated prologue widens the tile's operands first: the products are
// the same, and so is the type of the sums.
#include "compiler/select/OneDnnRows.h"
#include "compiler/select/Catalogue.h"

#include "compiler/support/Remarks.h"
#include "compiler/tiling/Staging.h"
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

/// What the steps of a kernel are made of.
struct LibraryPlan {
  Tiling tiling;
  std::string_view operation;
  std::vector<int64_t> numbers;
  onednn::Description description;
  bool widens = false;        ///< operands of 16 bits, in a prologue
  int64_t products = 0;       ///< multiplications of a tile
  int64_t weightElements = 0; ///< that a tile packs or widens before it multiplies
};

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}
Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// Whether the root reads two inputs of one type that oneDNN multiplies, maybe after widening.
bool hasOperands(Operation *root) {
  Type element = elementOf(root->getOperand(0));
  return inputBehind(root->getOperand(0)) && inputBehind(root->getOperand(1)) &&
         element == elementOf(root->getOperand(1)) && (element.isF32() || element.isBF16() || element.isF16());
}

void widenStrides(onednn::Convolution &) {}
/// Rows that are cut out of a transposed left side lie dense in the workspace.
void widenStrides(onednn::MatMul &call) {
  if (call.transposeLhs)
    call.lhsStride = call.rows;
}

/// Fills in what oneDNN says to the call, and whether it takes it at all: in the type of the operands, else widened.
template <typename Call> bool describe(plan::KernelOp kernel, Call call, LibraryPlan &plan) {
  Type element = elementOf(plan.tiling.root->getOperand(0));
  call.type = element.isF32() ? runtime::ElementType::F32 : runtime::ElementType::BF16;
  auto description = onednn::describe(plan.operation, call);
  plan.widens = element.isF16() || (element.isBF16() && !description.isOk());
  if (plan.widens) {
    call.type = runtime::ElementType::F32;
    widenStrides(call);
    description = onednn::describe(plan.operation, call);
  }
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
  if (op.getLayout() != graph::ChannelLayout::ChannelsLast || !hasOperands(op))
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
  auto lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  bool oneMatrix = rhs.size() == 2 && (lhs.size() == 2 || !op.getTransposeLhs());
  int64_t elements = cast<RankedTensorType>(op.getY().getType()).getNumElements();
  if (!oneMatrix || elements == 0 || !hasOperands(op))
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
  plan.products = m.rows * m.columns * m.depth;
  if (!describe(kernel, m, plan))
    return std::nullopt;
  plan.weightElements = plan.widens ? m.columns * m.depth : 0;
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

/// The workspace of a tile: what the epilogue reads, the widened tile, the library's scratch, the widened weight. It
/// ends with what a packed weight makes superfluous.
class StepBuilder {
public:
  StepBuilder(plan::KernelOp kernel, const LibraryPlan &plan)
      : kernel(kernel), context(kernel.getContext()), plan(plan), body(kernel.getBody().front()) {}

  void apply();

private:
  plan::OperandAttr inArgument(int64_t index, int64_t tileStride) {
    return plan::OperandAttr::get(context, false, index, 0, tileStride);
  }
  plan::OperandAttr inWorkspace(int64_t bytes, int64_t index = 0) {
    auto operand = plan::OperandAttr::get(context, true, index, workspace, 0);
    workspace += llvm::alignTo(bytes, 64);
    return operand;
  }
  plan::OperandAttr source(unsigned number) {
    StagedOperand staged = stagedOperand(plan.tiling.root, number, plan.tiling.tiles);
    int64_t bytes = elementOf(plan.tiling.root->getOperand(number)).getIntOrFloatBitWidth() / 8;
    if (plan.widens)
      return inWorkspace(staged.elements() * floatBytes, staged.input.getArgNumber());
    return inArgument(staged.input.getArgNumber(), staged.tileStride * bytes);
  }

  plan::KernelOp kernel;
  MLIRContext *context;
  const LibraryPlan &plan;
  Block &body;
  int64_t workspace = 0;
};

/// The tile goes to the argument that the root's own value is, where there is one; else the epilogue finds it staged at
/// the start of the workspace (compiler/tiling).
void StepBuilder::apply() {
  OperandRange results = body.getTerminator()->getOperands();
  Value made = plan.tiling.root->getResult(0);
  auto direct = llvm::find(results, made);
  bool staged = direct == results.end() || !elementOf(made).isF32();
  bool hasEpilogue = staged || results.size() > 1;
  auto target =
      staged ? plan::OperandAttr::get(context, true, 0, 0, 0)
             : inArgument(body.getNumArguments() + (direct - results.begin()), plan.tiling.tileElements * floatBytes);
  workspace = hasEpilogue ? plan.tiling.scratchOffset : 0;
  auto first = source(0);
  auto scratch = inWorkspace(plan.description.scratchBytes);
  auto second = source(1);
  SmallVector<Attribute> operands{first, second, target, scratch}, steps;
  if (plan.widens)
    steps.push_back(plan::GeneratedAttr::get(context, "prologue"));
  steps.push_back(plan::LibraryAttr::get(context, "onednn", StringRef(plan.operation.data(), plan.operation.size()),
                                         plan.description.implementation, plan.description.version, plan.numbers,
                                         operands));
  if (hasEpilogue)
    steps.push_back(plan::GeneratedAttr::get(context, "epilogue"));
  kernel.setImplementation("onednn");
  kernel.setTiles(plan.tiling.tiles);
  kernel.setWorkspace(workspace);
  kernel.setStepsAttr(ArrayAttr::get(context, steps));
}

void apply(plan::KernelOp kernel, const LibraryPlan &plan) {
  StepBuilder(kernel, plan).apply();
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
