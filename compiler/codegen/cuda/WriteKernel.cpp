// One kernel as a function: signature, form, and the elementwise form itself.
#include "compiler/codegen/cuda/KernelWriter.h"
#include "compiler/codegen/cuda/OpPrinter.h"

#include "dialects/graph/Graph.h"
#include "dialects/train/Train.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// Pointers that fit the parameters of a kernel (4 KiB on every architecture).
constexpr unsigned kMostArguments = 500;

/// The Root or Alone op of a body.
static Operation *rootOf(Block &body) {
  for (Operation &op : body)
    if (auto fusion = dyn_cast<graph::FusionOpInterface>(op))
      if (fusion.getFusionClass() == graph::FusionClass::Root || fusion.getFusionClass() == graph::FusionClass::Alone)
        return &op;
  return nullptr;
}

KernelWriter::KernelWriter(plan::KernelOp kernel)
    : body(kernel.getBody().front()), kernel(kernel), root(rootOf(body)) {}

std::string KernelWriter::signature(StringRef name) {
  ArrayRef<int64_t> aliases = kernel.getAliases();
  std::string list;
  // What a result overwrites is read through another pointer.
  for (BlockArgument input : body.getArguments()) {
    bool overwritten = llvm::is_contained(aliases, int64_t(input.getArgNumber()));
    list += (list.empty() ? "const " : ", const ") + cudaStorageType(typeOf(input).getElementType()) +
            (overwritten ? " *a" : " *__restrict__ a") + std::to_string(input.getArgNumber());
  }
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    list += (list.empty() ? "" : ", ") + cudaStorageType(typeOf(value).getElementType()) +
            (aliases[number] >= 0 ? " *r" : " *__restrict__ r") + std::to_string(number);
  return "AMP_KERNEL(" + std::to_string(kCudaThreads) + ") " + name.str() + "(" + list + ") {\n";
}

/// What every form relies on.
void KernelWriter::begin() {
  unsigned results = body.getTerminator()->getNumOperands();
  if (body.getNumArguments() + results > kMostArguments)
    return refuse("its " + Twine(body.getNumArguments() + results) + " arguments are more than the " +
                  Twine(kMostArguments) + " that a CUDA kernel may have here");
  auto check = [&](Value value) {
    if (elementsOf(value) > std::numeric_limits<int32_t>::max())
      refuse("a tensor of " + Twine(elementsOf(value)) + " elements is too large for the CUDA code of this version");
  };
  for (Operation &op : body)
    llvm::for_each(op.getOperands(), check);
  // A thread of another space may read what has been overwritten.
  OperandRange values = body.getTerminator()->getOperands();
  bool oneSpace = llvm::all_of(values, [&](Value value) { return elementsOf(value) == elementsOf(values[0]); });
  for (auto [number, alias] : llvm::enumerate(kernel.getAliases()))
    if (alias >= 0 && (!oneSpace || elementsOf(body.getArgument(alias)) != elementsOf(values[number])))
      refuse("it overwrites an input that results of another shape read, which has no CUDA code yet");
}

bool KernelWriter::resultsLieIn(int64_t elements) {
  for (Value value : body.getTerminator()->getOperands())
    if (elementsOf(value) != elements) {
      refuse(root->getName().getStringRef() + " with a result of " + Twine(elementsOf(value)) +
             " elements beside its " + Twine(elements) + " has no CUDA code yet");
      return false;
    }
  return true;
}

void KernelWriter::writeSpace(ArrayRef<unsigned> results, int64_t elements) {
  blocks = std::max<unsigned>(blocks, unsigned(llvm::divideCeil(elements, kCudaThreads)));
  scope("if (i < " + Twine(elements) + "u)", [&] { store(results, "i"); });
}

void KernelWriter::writeElementwise() {
  line("const u32 i = blockIdx.x * " + Twine(kCudaThreads) + "u + threadIdx.x;");
  SmallVector<std::pair<int64_t, SmallVector<unsigned>>> spaces;
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    int64_t elements = elementsOf(value);
    auto space = llvm::find_if(spaces, [&](auto &known) { return known.first == elements; });
    if (space == spaces.end())
      space = spaces.insert(spaces.end(), {elements, {}});
    space->second.push_back(unsigned(number));
  }
  for (auto &[elements, results] : spaces)
    writeSpace(results, elements);
}

void KernelWriter::writeForm() {
  if (!root)
    return writeElementwise();
  llvm::TypeSwitch<Operation *>(root)
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp>([&](Operation *op) { writeReduction(*this, op); })
      .Case<graph::SoftmaxOp, graph::SoftmaxGradOp, graph::LogSoftmaxOp, graph::LogSoftmaxGradOp>(
          [&](Operation *op) { writeSoftmax(*this, op); })
      .Case([&](graph::CrossEntropyOp op) { writeCrossEntropy(*this, op); })
      .Case([&](graph::CrossEntropyGradOp op) { writeCrossEntropyGradient(*this, op); })
      .Case([&](graph::MseOp op) { writeMeanSquaredError(*this, op); })
      .Case([&](train::SumSquaresOp op) { writeSumSquares(*this, op); })
      .Case([&](train::MeasureOp op) { writeMeasure(*this, op); })
      .Default([&](Operation *op) { refuse(op->getName().getStringRef() + " has no CUDA code yet"); });
}

bool KernelWriter::write(CudaKernel &result) {
  begin();
  if (!refused())
    writeForm();
  if (refused())
    return false;
  result.name = kernel.getSymName().str();
  result.blocks = blocks;
  result.text = signature(result.name) + code + "}\nAMP_ENTRY(" + result.name + ")\n";
  return true;
}
