// A direct translation: each op of plan and train has one table in runtime/format/Package.fbs.
#include "compiler/package/Metadata.h"

#include "compiler/support/Remarks.h"
#include "dialects/plan/Plan.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;
namespace fb = flatbuffers;
using runtime::Status;

namespace {

format::ElementType elementType(Type type) {
  if (type.isF32())
    return format::ElementType::F32;
  if (type.isBF16())
    return format::ElementType::BF16;
  if (type.isF16())
    return format::ElementType::F16;
  if (type.isF64())
    return format::ElementType::F64;
  if (type.isInteger(64))
    return format::ElementType::I64;
  if (type.isInteger(32))
    return format::ElementType::I32;
  if (type.isInteger(1))
    return format::ElementType::I1;
  return type.isUnsignedInteger(8) ? format::ElementType::U8 : format::ElementType::I8;
}

std::vector<uint64_t> shapeOf(Type type) {
  auto shape = cast<RankedTensorType>(type).getShape();
  return {shape.begin(), shape.end()};
}

class MetadataBuilder {
public:
  MetadataBuilder(ModuleOp module, Blobs &blobs, fb::FlatBufferBuilder &builder)
      : module(module), blobs(blobs), builder(builder) {}

  Status buildStates();
  void buildKernels();
  void buildPrograms();
  void finish(const PackageDescription &description, ArrayRef<KernelBinary> binaries);

private:
  format::Argument argument(Value buffer);
  fb::Offset<format::KernelStep> step(plan::KernelOp kernel, Attribute step);
  fb::Offset<format::Program> program(train::ProgramOp program);
  fb::Offset<format::Binary> binary(const KernelBinary &binary);
  fb::Offset<fb::String> text(StringRef value) { return builder.CreateString(value.data(), value.size()); }

  ModuleOp module;
  Blobs &blobs;
  fb::FlatBufferBuilder &builder;
  std::vector<fb::Offset<format::State>> states;
  std::vector<fb::Offset<format::Kernel>> kernels;
  std::vector<fb::Offset<format::Program>> programs;
  llvm::StringMap<uint32_t> kernelNumbers;
  uint64_t stateBytes = 0, scratchBytes = 0;
};

Status MetadataBuilder::buildStates() {
  for (auto state : module.getOps<train::StateOp>()) {
    auto type = cast<RankedTensorType>(state.getType());
    uint64_t bytes = plan::byteSize(type), blob = 0;
    if (state.getInitial()) {
      auto offset = blobs.appendInitial(state);
      if (!offset.isOk())
        return std::move(offset).status();
      blob = *offset;
    }
    auto name = text(state.getSymName());
    auto of = state.getOf() ? text(*state.getOf()) : fb::Offset<fb::String>();
    auto shape = builder.CreateVector(shapeOf(type));
    states.push_back(format::CreateState(builder, name, static_cast<format::Role>(state.getRole()), of,
                                         elementType(type.getElementType()), shape, *state.getOffset(), bytes,
                                         state.getInitial().has_value(), blob));
    stateBytes = std::max<uint64_t>(stateBytes, *state.getOffset() + std::max<uint64_t>(bytes, 1));
  }
  stateBytes = (stateBytes + 63) / 64 * 64;
  return Status();
}

fb::Offset<format::KernelStep> MetadataBuilder::step(plan::KernelOp kernel, Attribute step) {
  if (auto generated = dyn_cast<plan::GeneratedAttr>(step))
    return format::CreateKernelStep(builder, text(plan::generatedSymbol(kernel, generated)));
  auto library = cast<plan::LibraryAttr>(step);
  std::vector<format::Operand> operands;
  for (Attribute attr : library.getOperands()) {
    auto operand = cast<plan::OperandAttr>(attr);
    operands.emplace_back(operand.getWorkspace() ? format::OperandSource::Workspace : format::OperandSource::Argument,
                          operand.getIndex(), operand.getOffset(), operand.getTileStride());
  }
  auto numbers = builder.CreateVector(library.getNumbers().data(), library.getNumbers().size());
  auto operandVector = builder.CreateVectorOfStructs(operands);
  auto call =
      format::CreateLibraryCall(builder, text(library.getLibrary()), text(library.getOperation()),
                                text(library.getImplementation()), text(library.getVersion()), numbers, operandVector);
  return format::CreateKernelStep(builder, 0, call);
}

void MetadataBuilder::buildKernels() {
  llvm::StringMap<llvm::SetVector<StringRef>> nodes;
  module.walk([&](plan::LaunchOp launch) {
    forEachNodeName(launch.getLoc(), [&](StringAttr name) { nodes[launch.getKernel()].insert(name); });
  });
  for (auto kernel : module.getOps<plan::KernelOp>()) {
    kernelNumbers[kernel.getSymName()] = kernels.size();
    std::vector<fb::Offset<format::KernelStep>> steps;
    for (Attribute attr : kernel.getSteps())
      steps.push_back(step(kernel, attr));
    std::vector<fb::Offset<fb::String>> names;
    for (StringRef name : nodes[kernel.getSymName()])
      names.push_back(text(name));
    auto stepVector = builder.CreateVector(steps);
    auto nodeVector = builder.CreateVector(names);
    kernels.push_back(format::CreateKernel(builder, text(kernel.getSymName()), text(kernel.getImplementation()),
                                           kernel.getTiles(), kernel.getWorkspace(), stepVector, nodeVector));
  }
}

format::Argument MetadataBuilder::argument(Value buffer) {
  Operation *op = buffer.getDefiningOp();
  if (auto state = dyn_cast<plan::StateSlotOp>(op))
    return {format::Space::State, 0, uint64_t(state.getOffset()), uint64_t(state.getBytes())};
  if (auto slot = dyn_cast<plan::SlotOp>(op))
    return {format::Space::Scratch, 0, uint64_t(slot.getOffset()), uint64_t(slot.getBytes())};
  auto input = cast<plan::ArgumentOp>(op);
  return {format::Space::Input, uint32_t(input.getIndex()), 0, uint64_t(input.getBytes())};
}

fb::Offset<format::Program> MetadataBuilder::program(train::ProgramOp program) {
  std::vector<fb::Offset<format::Input>> inputs;
  for (auto [index, type] : llvm::enumerate(program.getArgumentTypes())) {
    int64_t limit = program.getIndexLimits() ? (*program.getIndexLimits())[index] : 0;
    int64_t ignore = program.getIgnoreIndices() ? (*program.getIgnoreIndices())[index] : 0;
    auto name = text(cast<StringAttr>(program.getInputNames()[index]).getValue());
    auto shape = builder.CreateVector(shapeOf(type));
    inputs.push_back(format::CreateInput(builder, name, elementType(getElementTypeOrSelf(type)), shape, limit, ignore));
  }
  std::vector<fb::Offset<format::Output>> outputs;
  for (auto [index, type] : llvm::enumerate(program.getResultTypes())) {
    format::Argument place = argument(program.getReturn().getValues()[index]);
    auto name = text(cast<StringAttr>(program.getOutputNames()[index]).getValue());
    auto shape = builder.CreateVector(shapeOf(type));
    outputs.push_back(format::CreateOutput(builder, name, elementType(getElementTypeOrSelf(type)), shape, &place));
  }
  std::vector<fb::Offset<format::Launch>> launches;
  for (auto launch : program.getBody().getOps<plan::LaunchOp>()) {
    std::vector<format::Argument> arguments;
    for (Value buffer : launch.getArguments())
      arguments.push_back(argument(buffer));
    auto vector = builder.CreateVectorOfStructs(arguments);
    format::Argument predicate;
    if (launch.getPredicate())
      predicate = argument(launch.getPredicate());
    launches.push_back(format::CreateLaunch(builder, kernelNumbers[launch.getKernel()], vector,
                                            launch.getPredicate() ? &predicate : nullptr));
  }
  scratchBytes = std::max<uint64_t>(scratchBytes, program.getScratchBytes().value_or(0));
  auto inputVector = builder.CreateVector(inputs);
  auto outputVector = builder.CreateVector(outputs);
  auto launchVector = builder.CreateVector(launches);
  return format::CreateProgram(builder, text(train::stringifyProgramKind(program.getKind())), inputVector, outputVector,
                               launchVector);
}

void MetadataBuilder::buildPrograms() {
  for (auto op : module.getOps<train::ProgramOp>())
    programs.push_back(program(op));
}

fb::Offset<format::Binary> MetadataBuilder::binary(const KernelBinary &binary) {
  uint64_t code = blobs.append({binary.code.data(), binary.code.size()});
  std::vector<fb::Offset<fb::String>> features;
  for (const std::string &feature : binary.features)
    features.push_back(text(feature));
  auto featureVector = builder.CreateVector(features);
  auto target = text(binary.target), arch = text(binary.arch);
  if (binary.kernels.empty())
    return format::CreateBinary(builder, target, arch, featureVector, code, binary.code.size());
  std::vector<fb::Offset<format::DeviceKernel>> images;
  for (const ImageKernel &kernel : binary.kernels) {
    format::Extent grid(kernel.blocks, 1, 1), block(kernel.threads, 1, 1);
    images.push_back(format::CreateDeviceKernel(builder, kernelNumbers[kernel.name], text(kernel.name), &grid, &block,
                                                0, kernel.registers, kernel.spillBytes));
  }
  auto imageVector = builder.CreateVector(images);
  return format::CreateBinary(builder, target, arch, featureVector, code, binary.code.size(), text(binary.compiler),
                              imageVector);
}

void MetadataBuilder::finish(const PackageDescription &description, ArrayRef<KernelBinary> binaries) {
  std::vector<fb::Offset<format::Binary>> binaryTables;
  for (const KernelBinary &each : binaries)
    binaryTables.push_back(binary(each));
  const auto &scaling = description.lossScaling;
  auto lossScaling = format::CreateLossScaling(builder, scaling.dynamic, scaling.init, scaling.growth, scaling.backoff,
                                               scaling.interval, scaling.min, scaling.max);
  auto nonfinite = description.nonfinite == "stop"     ? format::NonFinite::Stop
                   : description.nonfinite == "ignore" ? format::NonFinite::Ignore
                                                       : format::NonFinite::Skip;
  auto stateVector = builder.CreateVector(states);
  auto kernelVector = builder.CreateVector(kernels);
  auto programVector = builder.CreateVector(programs);
  auto binaryVector = builder.CreateVector(binaryTables);
  auto producer = text(description.producer), model = text(description.model), precision = text(description.precision);
  auto optimizer = text(description.optimizer), loss = text(description.loss);
  builder.Finish(format::CreatePackage(builder, producer, model, precision, optimizer, description.learningRate, loss,
                                       lossScaling, nonfinite, stateVector, stateBytes, scratchBytes, kernelVector,
                                       programVector, binaryVector, blobs.bytes().size()));
}

} // namespace

Status amp::compiler::buildMetadata(ModuleOp module, const PackageDescription &description,
                                    ArrayRef<KernelBinary> binaries, Blobs &blobs, fb::FlatBufferBuilder &builder) {
  MetadataBuilder metadata(module, blobs, builder);
  Status status = metadata.buildStates();
  if (!status.isOk())
    return status;
  metadata.buildKernels();
  metadata.buildPrograms();
  metadata.finish(description, binaries);
  return Status();
}
