// Convolutions of oneDNN with packed weights, and the calls that pack.
#include "compiler/select/OneDnnPacking.h"

#include "runtime/library/onednn/Catalogue.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;
namespace onednn = amp::runtime::onednn;

namespace {

// Places of operands: x or dy, weight, result, scratch; and of a pack: weight, packed weight, scratch.
constexpr size_t weightOperand = 1, scratchOperand = 3;

StringRef textOf(std::string_view text) {
  return StringRef(text.data(), text.size());
}

plan::LibraryAttr stepOf(MLIRContext *context, std::string_view operation, const onednn::Convolution &call,
                         const onednn::Description &description, ArrayRef<Attribute> operands) {
  return plan::LibraryAttr::get(context, "onednn", textOf(operation), description.implementation, description.version,
                                onednn::numbersOf(call, description), operands);
}

/// The library packs fp32: a prologue widens another type, behind the library's scratch.
void addPack(plan::KernelOp kernel, std::string_view operation, const onednn::Convolution &call,
             const onednn::Description &description, WeightPacking &packing) {
  MLIRContext *context = kernel.getContext();
  auto weight = cast<RankedTensorType>(kernel.getBody().getArgument(packing.input).getType());
  packing.widens = !weight.getElementType().isF32();
  int64_t scratch = llvm::alignTo(description.scratchBytes, 64);
  auto plain = packing.widens ? plan::OperandAttr::get(context, true, 0, scratch, 0)
                              : plan::OperandAttr::get(context, false, 0, 0, 0);
  Attribute operands[] = {plain, plan::OperandAttr::get(context, false, 1, 0, 0),
                          plan::OperandAttr::get(context, true, 0, 0, 0)};
  packing.pack = stepOf(context, operation, call, description, operands);
  packing.packWorkspace = scratch + (packing.widens ? weight.getNumElements() * 4 : 0);
  packing.packedBytes = description.packedBytes;
}

} // namespace

std::optional<WeightPacking> amp::compiler::oneDnnWeightPacking(plan::KernelOp kernel) {
  auto found = llvm::find_if(kernel.getSteps(), llvm::IsaPred<plan::LibraryAttr>);
  auto step = found == kernel.getSteps().end() ? plan::LibraryAttr() : cast<plan::LibraryAttr>(*found);
  if (!step || step.getLibrary() != "onednn")
    return std::nullopt;
  bool forward = step.getOperation() == textOf(onednn::convolutionForward);
  if (!forward && step.getOperation() != textOf(onednn::convolutionInputGradient))
    return std::nullopt;
  onednn::RecordedSizes plain;
  ArrayRef<int64_t> numbers = step.getNumbers();
  auto call = onednn::convolutionOf({numbers.data(), numbers.size()}, plain);
  auto weight = cast<plan::OperandAttr>(step.getOperands()[weightOperand]);
  if (!call.isOk() || call->packedWeight)
    return std::nullopt;
  std::string_view packOperation = forward ? onednn::packForward : onednn::packInputGradient;
  auto pack = onednn::describe(packOperation, *call);
  onednn::Convolution packedCall = *call;
  packedCall.packedWeight = true;
  std::string_view operation = forward ? onednn::convolutionForward : onednn::convolutionInputGradient;
  auto packed = onednn::describe(operation, packedCall);
  // Scratch shrinks exactly where the weight is packed into it; another size would be another format.
  if (!pack.isOk() || !packed.isOk() || packed->scratchBytes >= plain.scratchBytes ||
      packed->packedBytes != pack->packedBytes)
    return std::nullopt;
  WeightPacking packing;
  packing.input = unsigned(weight.getIndex());
  packing.purpose = forward ? "packed_forward" : "packed_input_gradient";
  packing.step = unsigned(found - kernel.getSteps().begin());
  SmallVector<Attribute> operands(step.getOperands());
  operands[weightOperand] = plan::OperandAttr::get(kernel.getContext(), false, weight.getIndex(), 0, 0);
  packing.call = stepOf(kernel.getContext(), operation, packedCall, *packed, operands);
  packing.workspace = cast<plan::OperandAttr>(step.getOperands()[scratchOperand]).getOffset() + packed->scratchBytes;
  addPack(kernel, packOperation, *call, *pack, packing);
  return packing;
}
