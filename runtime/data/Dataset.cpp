#include "runtime/data/Dataset.h"

#include "runtime/base/Checked.h"
#include "runtime/format/Array.h"

namespace amp::data {

using runtime::Result;
using runtime::Status;
using runtime::StatusCode;

namespace {

bool startsWith(const std::string &text, std::string_view head) {
  return text.compare(0, head.size(), head) == 0;
}

bool endsWith(const std::string &text, std::string_view tail) {
  return text.size() >= tail.size() && text.compare(text.size() - tail.size(), tail.size(), tail) == 0;
}

} // namespace

uint64_t InputSpec::sampleCount() const {
  return *runtime::elementCount(sampleShape());
}

Result<uint64_t> batchSize(const std::vector<InputSpec> &inputs) {
  if (inputs.empty())
    return Status(StatusCode::Argument, "the program has no input that data could feed");
  for (const InputSpec &input : inputs) {
    std::string who = "input " + runtime::quoted(input.name);
    if (input.shape.empty() || input.shape[0] == 0)
      return Status(StatusCode::Argument, who + " has shape " + runtime::shapeText(input.shape) +
                                              ", wanted a first axis for the samples; make it an initializer of "
                                              "the model");
    if (!runtime::arrayBytes(runtime::scalarTypeOf(input.type), input.shape))
      return Status(StatusCode::Damaged,
                    who + " has shape " + runtime::shapeText(input.shape) + ", whose size does not fit 64 bits");
    if (input.shape[0] != inputs[0].shape[0])
      return Status(StatusCode::Argument, who + " takes " + std::to_string(input.shape[0]) + " samples a batch, but " +
                                              runtime::quoted(inputs[0].name) + " takes " +
                                              std::to_string(inputs[0].shape[0]));
  }
  return inputs[0].shape[0];
}

Result<std::unique_ptr<Dataset>> openDataset(runtime::FileSystem &files, const std::string &spec, Part part,
                                             const std::vector<InputSpec> &inputs, const runtime::Limits &limits) {
  if (Result<uint64_t> batch = batchSize(inputs); !batch.isOk())
    return batch.status();
  constexpr std::string_view mnist = "mnist:";
  if (startsWith(spec, mnist))
    return openMnist(files, spec.substr(mnist.size()), part, inputs, limits);
  constexpr std::string_view tokens = "tokens:";
  if (startsWith(spec, tokens))
    return openTokens(files, spec.substr(tokens.size()), inputs);
  if (startsWith(spec, "images:"))
    return Status(StatusCode::Unsupported,
                  "data " + runtime::quoted(spec) + ": images: is not there yet; convert the data to a FILE.npz");
  if (endsWith(spec, ".npz"))
    return openNpz(files, spec, inputs, limits);
  return Status(StatusCode::Argument,
                "data " + runtime::quoted(spec) + ", wanted mnist:DIR, tokens:FILE.bin or FILE.npz");
}

} // namespace amp::data
