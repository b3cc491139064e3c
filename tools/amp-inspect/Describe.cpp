#include "tools/amp-inspect/Describe.h"

#include "runtime/base/Hash.h"

#include <algorithm>
#include <map>

namespace amp::tools {
namespace {

using runtime::spanOf;
using runtime::viewOf;

std::string textOf(const flatbuffers::String *text) {
  return std::string(viewOf(text));
}

std::string typeOf(format::ElementType type) {
  return std::string(runtime::elementName(runtime::elementTypeOf(type)));
}

template <typename Tensor> Json describeTensor(const Tensor &tensor) {
  Json shape = Json::array();
  for (uint64_t dimension : spanOf(tensor.shape()))
    shape.push_back(dimension);
  return {{"name", textOf(tensor.name())}, {"type", typeOf(tensor.type())}, {"shape", shape}};
}

std::string stepText(const format::KernelStep &step) {
  if (step.symbol())
    return textOf(step.symbol());
  return textOf(step.library()->library()) + " " + textOf(step.library()->operation());
}

std::string argumentText(const format::Argument &argument) {
  static const char *const spaces[] = {"state", "scratch", "input"};
  std::string text = spaces[static_cast<int>(argument.space())];
  if (argument.space() == format::Space::Input)
    text += " " + std::to_string(argument.index());
  return text + "[" + std::to_string(argument.offset()) + "+" + std::to_string(argument.bytes()) + "]";
}

/// "cpu", "cuda", or both with a comma.
std::string targetsOf(const runtime::PackageReader &package, uint32_t kernel) {
  bool cpu = false, cuda = false;
  for (const format::Binary *binary : *package.metadata().binaries()) {
    cpu = cpu || viewOf(binary->target()) == "cpu";
    if (binary->kernels())
      for (const format::DeviceKernel *image : *binary->kernels())
        cuda = cuda || image->kernel() == kernel;
  }
  return cpu && cuda ? "cpu, cuda" : cuda ? "cuda" : "cpu";
}

/// Adds what the images of GPUs say of a kernel: of registers and spills the most.
void describeImages(const runtime::PackageReader &package, uint32_t kernel, Json &description) {
  for (const format::Binary *binary : *package.metadata().binaries()) {
    if (!binary->kernels())
      continue;
    for (const format::DeviceKernel *image : *binary->kernels()) {
      if (image->kernel() != kernel)
        continue;
      description["images"].push_back(textOf(binary->arch()));
      description["blocks"] = image->grid()->x();
      description["threads"] = image->block()->x();
      uint32_t registers = image->registers(), spills = image->spill_bytes();
      if (!description["registers"].is_null()) {
        registers = std::max(registers, description["registers"].get<uint32_t>());
        spills = std::max(spills, description["spill_bytes"].get<uint32_t>());
      }
      description["registers"] = registers;
      description["spill_bytes"] = spills;
    }
  }
}

const char *scalingText(const format::LossScaling &scaling) {
  if (scaling.dynamic())
    return "dynamic";
  return scaling.init() == 1 ? "none" : "constant";
}

} // namespace

Json describeSummary(const runtime::PackageReader &package) {
  const format::Package &metadata = package.metadata();
  Json json = {{"model", textOf(metadata.model())},
               {"producer", textOf(metadata.producer())},
               {"precision", textOf(metadata.precision())},
               {"optimizer", textOf(metadata.optimizer())},
               {"learning_rate", metadata.learning_rate()},
               {"loss", textOf(metadata.loss())},
               {"loss_scale", scalingText(*metadata.loss_scaling())},
               {"nonfinite", format::EnumNameNonFinite(metadata.nonfinite())},
               {"file_bytes", package.fileBytes()},
               {"digest", runtime::digestText(package.digest())}};
  Json targets = Json::array();
  for (const format::Binary *binary : *metadata.binaries()) {
    Json features = Json::array();
    if (binary->features())
      for (const flatbuffers::String *feature : *binary->features())
        features.push_back(textOf(feature));
    targets.push_back({{"target", textOf(binary->target())},
                       {"arch", textOf(binary->arch())},
                       {"features", features},
                       {"bytes", binary->bytes()}});
    if (binary->kernels()) {
      targets.back()["compiler"] = textOf(binary->compiler());
      targets.back()["kernels"] = binary->kernels()->size();
    }
  }
  json["targets"] = targets;
  Json programs = Json::object();
  for (const format::Program *program : *metadata.programs())
    programs[textOf(program->name())] = program->launches()->size();
  json["programs"] = programs;
  return json;
}

Json describePlan(const runtime::PackageReader &package) {
  Json plan = Json::array();
  for (const format::Program *program : *package.metadata().programs()) {
    Json launches = Json::array();
    for (const format::Launch *launch : *program->launches()) {
      const format::Kernel &kernel = *package.metadata().kernels()->Get(launch->kernel());
      Json arguments = Json::array();
      for (const format::Argument *argument : *launch->arguments())
        arguments.push_back(argumentText(*argument));
      Json line = {{"kernel", textOf(kernel.name())}, {"tiles", kernel.tiles()}, {"arguments", arguments}};
      if (launch->predicate())
        line["predicate"] = argumentText(*launch->predicate());
      launches.push_back(line);
    }
    plan.push_back({{"program", textOf(program->name())}, {"launches", launches}});
  }
  return plan;
}

Json describeMemory(const runtime::PackageReader &package) {
  const format::Package &metadata = package.metadata();
  std::map<format::Role, uint64_t> byRole;
  for (const format::State *state : *metadata.states())
    byRole[state->role()] += state->bytes();
  uint64_t workspace = 0;
  for (const format::Kernel *kernel : *metadata.kernels())
    workspace = std::max(workspace, kernel->workspace_bytes());
  uint64_t code = 0;
  for (const format::Binary *binary : *metadata.binaries())
    code += binary->bytes();
  Json roles = Json::object();
  for (const auto &entry : byRole)
    roles[format::EnumNameRole(entry.first)] = entry.second;
  // With one thread: each further thread adds one workspace.
  return {{"peak_bytes", metadata.state_bytes() + metadata.scratch_bytes() + workspace},
          {"state_bytes", metadata.state_bytes()},
          {"scratch_bytes", metadata.scratch_bytes()},
          {"workspace_bytes_per_thread", workspace},
          {"code_bytes", code},
          {"state_by_role", roles}};
}

Json describeKernels(const runtime::PackageReader &package) {
  Json kernels = Json::array();
  uint32_t number = 0;
  for (const format::Kernel *kernel : *package.metadata().kernels()) {
    Json nodes = Json::array();
    if (kernel->nodes())
      for (const flatbuffers::String *node : *kernel->nodes())
        nodes.push_back(textOf(node));
    Json steps = Json::array();
    for (const format::KernelStep *step : *kernel->steps())
      steps.push_back(stepText(*step));
    // A CPU's compiler keeps its spills to itself; both fields speak of GPU kernels, of the worst image.
    kernels.push_back({{"name", textOf(kernel->name())},
                       {"nodes", nodes},
                       {"target", targetsOf(package, number)},
                       {"implementation", textOf(kernel->implementation())},
                       {"tiles", kernel->tiles()},
                       {"workspace_bytes", kernel->workspace_bytes()},
                       {"steps", steps},
                       {"spill_bytes", nullptr},
                       {"registers", nullptr}});
    describeImages(package, number++, kernels.back());
  }
  return kernels;
}

Json describePrecision(const runtime::PackageReader &package) {
  Json states = Json::array();
  for (const format::State *state : *package.metadata().states()) {
    Json line = describeTensor(*state);
    line["role"] = format::EnumNameRole(state->role());
    states.push_back(line);
  }
  Json programs = Json::array();
  for (const format::Program *program : *package.metadata().programs()) {
    Json inputs = Json::array();
    for (const format::Input *input : *program->inputs())
      inputs.push_back(describeTensor(*input));
    Json outputs = Json::array();
    for (const format::Output *output : *program->outputs())
      outputs.push_back(describeTensor(*output));
    programs.push_back({{"program", textOf(program->name())}, {"inputs", inputs}, {"outputs", outputs}});
  }
  return {{"states", states}, {"programs", programs}};
}

} // namespace amp::tools
