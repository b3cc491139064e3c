// One kernel as a function: entry, root, and the loops that make the results.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"
#include "dialects/train/Train.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// The step that is generated.
static plan::GeneratedAttr generatedStep(plan::KernelOp kernel) {
  return cast<plan::GeneratedAttr>(*llvm::find_if(kernel.getSteps(), llvm::IsaPred<plan::GeneratedAttr>));
}

KernelEmitter::KernelEmitter(ImplicitLocOpBuilder &builder, plan::KernelOp kernel, const CpuTarget &target)
    : b(builder), target(target), kernel(kernel), body(kernel.getBody().front()),
      isEpilogue(generatedStep(kernel).getPart() == "epilogue") {
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
    bool known = &op == tiling.root || (isEpilogue && isa<plan::UnpackOp>(op)) || isa<graph::EmitOpInterface>(op) ||
                 isa<graph::ReshapeOp, graph::TransposeOp, graph::ExpandOp, graph::ConstantOp>(op);
    if (!known)
      return op.emitOpError("has no code for a CPU: it is neither elementwise nor a view nor the root of its kernel");
  }
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
      .Default([](Operation *op) { return op->emitOpError("has no code for a CPU yet"); });
}

LogicalResult KernelEmitter::emit() {
  if (failed(checkOps()))
    return failure();
  OpBuilder::InsertionGuard guard(b);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer, b.getI64Type(), pointer});
  auto function = LLVM::LLVMFuncOp::create(b, plan::generatedSymbol(kernel, generatedStep(kernel)), type);
  entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  begins();
  // An epilogue finds the tile of its root where a library put it.
  if (tiling.form == RootForm::Staged && !isEpilogue) {
    ComputedScope scope(*this);
    if (failed(emitRoot()))
      return failure();
  }
  emitResults();
  LLVM::ReturnOp::create(b, ValueRange{});
  return success();
}

/// Results of one shape share loops, so that what they have in common is computed once.
void KernelEmitter::emitResults() {
  Operation *yield = body.getTerminator();
  SmallVector<std::pair<Type, SmallVector<unsigned>>> spaces;
  for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
    if (memories.contains(value) && memories[value].pointer == resultMemories[number].pointer)
      continue; // the stage itself
    Type shape = typeOf(value).clone(b.getI1Type());
    auto known = llvm::find_if(spaces, [&](auto &space) { return space.first == shape; });
    if (known == spaces.end())
      known = spaces.insert(spaces.end(), {shape, {}});
    known->second.push_back(unsigned(number));
  }
  for (auto &[shape, results] : spaces) {
    ComputedScope scope(*this);
    emitSpace(results);
  }
}

void KernelEmitter::emitSpace(ArrayRef<unsigned> results) {
  OperandRange values = body.getTerminator()->getOperands();
  RankedTensorType type = typeOf(values[results.front()]);
  if (type.getNumElements() == 1) {
    Index index;
    index.axes.assign(type.getRank(), constant(0));
    storeResults(results, index);
    return;
  }
  if (llvm::all_of(results, [&](unsigned result) { return isFlat(values[result], type.getNumElements()); }))
    emitFlat(results, type.getNumElements());
  else
    emitRows(results, type.getShape());
}

void KernelEmitter::emitFlat(ArrayRef<unsigned> results, int64_t elements) {
  bool cut = elements == tiling.elements;
  Value first = cut ? begin : constant(0), last = cut ? end : constant(elements);
  int64_t lanes = target.lanes;
  auto storeAt = [&](Value position, int64_t width) {
    Index index;
    index.axes = {position};
    index.flat = true;
    index.lanes = width;
    index.vectorAxis = 0;
    storeResults(results, index);
  };
  Value whole = add(first, mul(divide(sub(last, first), lanes), lanes));
  if (elements >= lanes)
    loop(first, whole, lanes, [&](Value position) { storeAt(position, lanes); });
  else
    whole = first;
  bool exact = elements % lanes == 0 && (!cut || tiling.tileElements % lanes == 0);
  if (!exact)
    loop(whole, last, 1, [&](Value position) { storeAt(position, 1); });
}

void KernelEmitter::emitRows(ArrayRef<unsigned> results, ArrayRef<int64_t> shape) {
  OperandRange values = body.getTerminator()->getOperands();
  int64_t row = shape.back();
  int axis = int(shape.size()) - 1;
  bool vectorises = llvm::all_of(results, [&](unsigned result) { return canVectorise(values[result], axis); });
  bool cut = typeOf(values[results.front()]).getNumElements() == tiling.elements;
  int64_t rows = 1;
  for (int64_t length : shape.drop_back())
    rows *= length;
  Value first = cut ? divide(begin, row) : constant(0), last = cut ? divide(end, row) : constant(rows);
  loop(first, last, 1, [&](Value number) {
    Index outer = delinearise(shape.drop_back(), number);
    auto storeAt = [&](Value position, int64_t lanes) {
      Index index = outer;
      index.axes.push_back(position);
      index.lanes = lanes;
      index.vectorAxis = lanes > 1 ? axis : -1;
      storeResults(results, index);
    };
    if (vectorises)
      vectors(row, target.lanes, storeAt);
    else
      loop(constant(0), constant(row), 1, [&](Value position) { storeAt(position, 1); });
  });
}

void KernelEmitter::storeResults(ArrayRef<unsigned> results, const Index &index) {
  OperandRange values = body.getTerminator()->getOperands();
  // All are computed before the first is stored: a result may overwrite an input in place.
  SmallVector<Value> made;
  for (unsigned result : results)
    made.push_back(spread(at(values[result], index), index.lanes));
  for (auto [result, value] : llvm::zip_equal(results, made)) {
    ArrayRef<int64_t> shape = typeOf(values[result]).getShape();
    store(resultMemories[result], linear(shape, index), value, std::max<int64_t>(laneStride(shape, index), 1));
  }
}

/// Whether the row-major position alone says where every operand is read.
bool KernelEmitter::isFlat(Value value, int64_t elements) {
  if (typeOf(value).getNumElements() == 1)
    return true;
  if (typeOf(value).getNumElements() != elements)
    return false;
  Operation *op = value.getDefiningOp();
  if (!op || memories.contains(value) || isa<graph::ConstantOp>(op))
    return true;
  if (isa<graph::TransposeOp>(op) || (op == tiling.root && !isa<graph::DropoutOp>(op)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) { return isFlat(operand, elements); });
}

bool KernelEmitter::canVectorise(Value value, int vectorAxis) {
  Operation *op = value.getDefiningOp();
  if (vectorAxis < 0 || typeOf(value).getNumElements() == 1 || !op || memories.contains(value) ||
      isa<graph::ConstantOp>(op))
    return true;
  if (op == tiling.root && !isa<graph::DropoutOp>(op))
    return pullsVectors(op, vectorAxis);
  if (auto transpose = dyn_cast<graph::TransposeOp>(op))
    return canVectorise(op->getOperand(0), int(transpose.getPermutation()[vectorAxis]));
  if (isa<graph::ReshapeOp>(op)) {
    ArrayRef<int64_t> from = typeOf(value).getShape(), to = typeOf(op->getOperand(0)).getShape();
    bool innermost = vectorAxis == int(from.size()) - 1;
    if (innermost && !to.empty() && from.back() == to.back())
      return canVectorise(op->getOperand(0), int(to.size()) - 1);
    return innermost && isFlat(op->getOperand(0), typeOf(value).getNumElements());
  }
  Index probe;
  probe.axes.assign(typeOf(value).getRank(), constant(0));
  probe.vectorAxis = vectorAxis;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    if (!canVectorise(op->getOperand(operand), operandIndex(op, operand, probe).vectorAxis))
      return false;
  return true;
}
