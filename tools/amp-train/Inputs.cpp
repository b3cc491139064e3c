#include "tools/amp-train/Inputs.h"

namespace amp::tools {

using runtime::Result;
using runtime::Status;
using runtime::StatusCode;

Result<std::vector<data::InputSpec>> programInputs(const runtime::PackageReader &package, const std::string &program) {
  const format::Program *found = package.program(program);
  if (!found)
    return Status(StatusCode::Argument, "no program " + runtime::quoted(program) + "; compile with --mode=train",
                  package.path());
  std::vector<data::InputSpec> inputs;
  for (const format::Input *input : *found->inputs()) {
    data::InputSpec spec;
    spec.name = std::string(runtime::viewOf(input->name()));
    spec.type = runtime::elementTypeOf(input->type());
    runtime::Span<const uint64_t> shape = runtime::spanOf(input->shape());
    spec.shape.assign(shape.begin(), shape.end());
    spec.indexLimit = input->index_limit();
    spec.ignoreIndex = input->ignore_index();
    inputs.push_back(std::move(spec));
  }
  Result<uint64_t> batch = data::batchSize(inputs);
  if (!batch.isOk())
    return Status(batch.status()).at(package.path());
  return inputs;
}

std::vector<runtime::TensorView> viewsOf(const data::LoadedBatch &batch, const std::vector<data::InputSpec> &inputs) {
  std::vector<runtime::TensorView> views;
  for (size_t i = 0; i < inputs.size(); ++i)
    views.push_back({inputs[i].name, inputs[i].type, inputs[i].shape, batch.inputs[i].data(), batch.inputs[i].size()});
  return views;
}

} // namespace amp::tools
