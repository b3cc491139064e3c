// One kernel as a function: entry, arguments, stage and root.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"
#include "dialects/train/Train.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

static bool isView(Operation *op) {
  return isa<graph::ConstantOp, graph::ReshapeOp, graph::TransposeOp, graph::ExpandOp, graph::SliceOp,
             graph::SliceGradOp, graph::TriluOp>(op);
}

KernelEmitter::KernelEmitter(ImplicitLocOpBuilder &builder, plan::KernelOp kernel, plan::GeneratedAttr step,
                             const CpuTarget &target)
    : b(builder), target(target), kernel(kernel), step(step), body(kernel.getBody().front()),
      isEpilogue(step.getPart() == "epilogue") {
  // A prologue follows the operands of the library's step.
  if (step.getPart() == "prologue")
    return;
  tiling = isEpilogue ? tileKernel(body, int64_t(kernel.getTiles())) : tileKernel(body);
}

LogicalResult KernelEmitter::checkOps() {
  // The library before an epilogue has scratch of its own.
  int64_t needed = isEpilogue ? tiling.scratchOffset : tiling.workspace;
  if (int64_t(kernel.getTiles()) != tiling.tiles || int64_t(kernel.getWorkspace()) < needed)
    return kernel.emitOpError() << "has " << kernel.getTiles() << " tiles and " << kernel.getWorkspace()
                                << " bytes of workspace, its code has " << tiling.tiles << " and " << needed
                                << "; please report this";
  for (Operation &op : body.without_terminator()) {
    // What a library unpacks, an epilogue does not read.
    bool known =
        &op == tiling.root || (isEpilogue && isa<plan::UnpackOp>(op)) || isa<graph::EmitOpInterface>(op) || isView(&op);
    if (!known)
      return op.emitOpError("has no code for a CPU: it is neither elementwise nor a view nor the root of its kernel");
  }
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    if (tiling.form == RootForm::Direct &&
        (value.getDefiningOp() != tiling.root || direct(cast<OpResult>(value).getResultNumber()) != number))
      return tiling.root->emitOpError("has an epilogue in its kernel, its code takes none; please report this");
  return success();
}

void KernelEmitter::begins() {
  Value arguments = entry->getArgument(0);
  tile = entry->getArgument(1);
  workspace = entry->getArgument(2);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto argument = [&](int64_t number) -> Value {
    Value slot = LLVM::GEPOp::create(b, pointer, pointer, arguments, ArrayRef<LLVM::GEPArg>{int32_t(number)});
    return LLVM::LoadOp::create(b, pointer, slot, 8);
  };
  begin = mul(tile, tiling.tileElements);
  end = smaller(add(begin, tiling.tileElements), constant(tiling.elements));
  for (BlockArgument input : body.getArguments()) {
    Memory memory{argument(input.getArgNumber()), typeOf(input).getElementType()};
    memories[input] = memory;
    if (typeOf(input).getNumElements() == 1)
      scalars[input] = load(memory, constant(0));
  }
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    resultMemories.push_back({argument(body.getNumArguments() + int64_t(number)), typeOf(value).getElementType()});
  if (tiling.form == RootForm::Staged)
    makeStage();
}

/// A result that is the root's value itself, in its compute type, is the stage: nothing is copied.
void KernelEmitter::makeStage() {
  int64_t offset = 0;
  Operation *yield = body.getTerminator();
  for (Value result : tiling.root->getResults()) {
    Type element = typeOf(result).getElementType();
    int64_t elements = std::min(tiling.tileElements, typeOf(result).getNumElements());
    Memory stage = scratch(offset, element);
    stage.origin = typeOf(result).getNumElements() == tiling.elements ? begin : Value();
    offset += llvm::alignTo(elements * computeBytes(element), 64);
    auto direct = llvm::find(yield->getOperands(), result);
    if (direct != yield->getOperands().end() && computeType(element) == element)
      stage = resultMemories[direct - yield->getOperands().begin()];
    memories[result] = stage;
  }
}

Memory KernelEmitter::staged(unsigned result) {
  return memories.lookup(tiling.root->getResult(result));
}

std::optional<unsigned> KernelEmitter::direct(unsigned result) {
  OperandRange values = body.getTerminator()->getOperands();
  auto found = llvm::find(values, Value(tiling.root->getResult(result)));
  if (found == values.end())
    return std::nullopt;
  return unsigned(found - values.begin());
}

std::optional<Memory> KernelEmitter::directMemory(unsigned result) {
  std::optional<unsigned> number = direct(result);
  return number ? std::optional<Memory>(resultMemories[*number]) : std::nullopt;
}

LogicalResult KernelEmitter::emitRoot() {
  return llvm::TypeSwitch<Operation *, LogicalResult>(tiling.root)
      .Case([&](graph::MatMulOp op) { return emitMatMul(*this, op), success(); })
      .Case<graph::Conv2dOp, graph::Conv2dInputGradOp>([&](auto op) { return emitConvolution(*this, op), success(); })
      .Case([&](graph::Conv2dWeightGradOp op) { return emitConvolutionWeightGradient(*this, op), success(); })
      .Case<graph::SoftmaxOp, graph::SoftmaxGradOp, graph::LogSoftmaxOp, graph::LogSoftmaxGradOp>(
          [&](auto op) { return emitSoftmax(*this, op), success(); })
      .Case([&](graph::CrossEntropyOp op) { return emitCrossEntropy(*this, op), success(); })
      .Case([&](graph::CrossEntropyGradOp op) { return emitCrossEntropyGradient(*this, op), success(); })
      .Case([&](graph::MseOp op) { return emitMeanSquaredError(*this, op), success(); })
      .Case([&](train::MeasureOp op) { return emitMeasure(*this, op), success(); })
      .Case([&](train::SumSquaresOp op) { return emitSumSquares(*this, op), success(); })
      .Case([&](graph::BatchMomentsOp op) { return emitBatchMoments(*this, op), success(); })
      .Case([&](graph::NormalizeSumsOp op) { return emitNormalizeSums(*this, op), success(); })
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp>([&](auto op) { return emitColumnReduction(*this, op), success(); })
      .Case([&](graph::LayerNormOp op) { return emitLayerNorm(*this, op), success(); })
      .Case([&](graph::LayerNormGradOp op) { return emitLayerNormGradient(*this, op), success(); })
      .Case([&](graph::MaxPool2dGradOp op) { return emitMaxPoolGradient(*this, op), success(); })
      .Case([&](graph::GatherGradOp op) { return emitGatherGradient(*this, op), success(); })
      .Case([&](graph::ConcatOp op) { return emitConcat(*this, op), success(); })
      .Default([](Operation *op) { return op->emitOpError("has no code for a CPU yet"); });
}

LogicalResult KernelEmitter::emit() {
  bool isPrologue = step.getPart() == "prologue";
  if (!isPrologue && failed(checkOps()))
    return failure();
  OpBuilder::InsertionGuard guard(b);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer, b.getI64Type(), pointer});
  auto function = LLVM::LLVMFuncOp::create(b, plan::generatedSymbol(kernel, step), type);
  entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  begins();
  if (isPrologue) {
    if (failed(emitPrologue(*this, kernel)))
      return failure();
  } else if (failed(emitBody())) {
    return failure();
  }
  LLVM::ReturnOp::create(b, ValueRange{});
  return success();
}

LogicalResult KernelEmitter::emitBody() {
  // An epilogue finds the tile of its root where a library put it.
  if ((tiling.form == RootForm::Staged && !isEpilogue) || tiling.form == RootForm::Direct) {
    ComputedScope scope(*this);
    if (failed(emitRoot()))
      return failure();
  }
  if (tiling.form != RootForm::Direct)
    emitResults();
  return success();
}
