// amp-layout-convert-images: makes convolutions and what lies around them channels-last.
#include "compiler/layout/ImageTranspose.h"
#include "compiler/layout/Passes.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp::graph;

namespace amp::compiler {

#define GEN_PASS_DEF_CONVERTIMAGES
#include "compiler/layout/Passes.h.inc"

namespace {

bool isImageOperand(OpOperand &operand) {
  auto layout = dyn_cast<LayoutOpInterface>(operand.getOwner());
  return layout && layout.isImageOperand(operand.getOperandNumber());
}

bool isImageResult(OpResult result) {
  auto layout = dyn_cast<LayoutOpInterface>(result.getOwner());
  return layout && layout.isImageResult(result.getResultNumber());
}

bool hasClass(Operation *op, LayoutClass layoutClass) {
  auto layout = dyn_cast<LayoutOpInterface>(op);
  return layout && layout.getLayoutClass() == layoutClass;
}

/// Ops that may become channels-last: an elementwise op only by an image operand, since its result follows it.
bool canConvert(Operation *op) {
  if (!isa<LayoutOpInterface>(op) || hasClass(op, LayoutClass::Fixed))
    return false;
  return llvm::any_of(op->getOpOperands(), isImageOperand);
}

/// Rewrites one program.
class ImageConverter {
public:
  ImageConverter(Block &body, bool poolsAlone) : body(body), poolsAlone(poolsAlone) {}

  LogicalResult run();
  unsigned convertedCount() const { return region.size(); }
  unsigned borderCount() const { return borders; }

private:
  void findRegion();
  void addNeighbours(Operation *op, SmallVectorImpl<Operation *> &todo);
  LogicalResult convert(Operation *op);
  void giveBackToOthers(OpResult result);

  Block &body;
  bool poolsAlone;
  llvm::SetVector<Operation *> region;
  DenseMap<Value, Value> channelsLast; ///< of values made outside the region
  unsigned borders = 0;
};

void ImageConverter::addNeighbours(Operation *op, SmallVectorImpl<Operation *> &todo) {
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (producer && isImageOperand(operand) && canConvert(producer) && isImageResult(cast<OpResult>(operand.get())))
      todo.push_back(producer);
    if (!isImageOperand(operand))
      continue;
    // Another reader of the same image, such as the gradient beside the forward op.
    for (OpOperand &use : operand.get().getUses())
      if (producer && region.contains(producer) && isImageOperand(use) && canConvert(use.getOwner()))
        todo.push_back(use.getOwner());
  }
  for (OpResult result : op->getResults())
    if (isImageResult(result))
      for (OpOperand &use : result.getUses())
        if (isImageOperand(use) && canConvert(use.getOwner()))
          todo.push_back(use.getOwner());
}

void ImageConverter::findRegion() {
  SmallVector<Operation *> todo;
  for (Operation &op : body)
    if (canConvert(&op) && (hasClass(&op, LayoutClass::Prefers) || (poolsAlone && hasClass(&op, LayoutClass::Accepts))))
      todo.push_back(&op);
  while (!todo.empty()) {
    Operation *op = todo.pop_back_val();
    if (region.insert(op))
      addNeighbours(op, todo);
  }
}

/// Users outside the region read the image as it was.
void ImageConverter::giveBackToOthers(OpResult result) {
  SmallVector<OpOperand *> others;
  for (OpOperand &use : result.getUses())
    if (!region.contains(use.getOwner()) || !isImageOperand(use))
      others.push_back(&use);
  if (others.empty())
    return;
  OpBuilder builder(result.getContext());
  builder.setInsertionPointAfterValue(result);
  Value back = transposed(builder, result, toChannelsFirstPermutation());
  ++borders;
  for (OpOperand *use : others)
    use->set(back);
}

LogicalResult ImageConverter::convert(Operation *op) {
  auto layout = cast<LayoutOpInterface>(op);
  SmallVector<OpResult> images;
  for (OpResult result : op->getResults())
    if (isImageResult(result))
      images.push_back(result);
  for (OpOperand &operand : op->getOpOperands()) {
    auto made = dyn_cast<OpResult>(operand.get());
    if (!isImageOperand(operand) || (made && region.contains(made.getOwner()) && isImageResult(made)))
      continue;
    Value &last = channelsLast[operand.get()];
    if (!last) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfterValue(operand.get());
      last = transposed(builder, operand.get(), toChannelsLastPermutation());
      ++borders;
    }
    operand.set(last);
  }
  layout.convertToChannelsLast();
  for (OpResult result : images) {
    auto type = cast<RankedTensorType>(result.getType());
    result.setType(permuted(type, toChannelsLastPermutation()));
    giveBackToOthers(result);
  }
  SmallVector<Type> types;
  if (auto shape = dyn_cast<ShapeOpInterface>(op))
    if (failed(shape.inferResultTypes(types)) || !llvm::equal(types, op->getResultTypes()))
      return op->emitOpError() << "has another result type once it is channels-last; please report";
  return success();
}

LogicalResult ImageConverter::run() {
  findRegion();
  // In program order: the transposes then stand in the same place whatever order the region was found in.
  SmallVector<Operation *> ops;
  for (Operation &op : body)
    if (region.contains(&op))
      ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(convert(op)))
      return failure();
  return success();
}

struct ConvertImagesPass : impl::ConvertImagesBase<ConvertImagesPass> {
  using ConvertImagesBase::ConvertImagesBase;

  void runOnOperation() override {
    if (layout == ImageLayout::ChannelsFirst)
      return;
    for (auto program : getOperation().getOps<train::ProgramOp>()) {
      ImageConverter converter(program.getBody().front(), layout == ImageLayout::ChannelsLast);
      if (failed(converter.run()))
        return signalPassFailure();
      converted += converter.convertedCount();
      borders += converter.borderCount();
    }
  }
};

} // namespace
} // namespace amp::compiler
