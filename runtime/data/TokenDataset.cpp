// tokens:FILE.bin - one run of uint16 tokens, cut into windows; the labels are the tokens that follow.
#include "runtime/data/Convert.h"
#include "runtime/data/Dataset.h"

#include "runtime/format/Array.h"

namespace amp::data {

using runtime::ElementType;
using runtime::Result;
using runtime::ScalarType;
using runtime::Status;

namespace {

constexpr uint64_t tokenBytes = 2;

class TokenDataset final : public Dataset {
public:
  TokenDataset(std::unique_ptr<runtime::MappedFile> file, std::vector<InputSpec> inputs, uint64_t window)
      : file(std::move(file)), inputs(std::move(inputs)), window(window) {}

  /// Windows do not overlap, but for the last label of one, which is the first token of the next.
  uint64_t size() const override { return (file->bytes().size() / tokenBytes - 1) / window; }

  Status copySample(uint64_t index, size_t input, uint8_t *to) const override {
    uint64_t first = index * window + (inputs[input].isLabels() ? 1 : 0);
    runtime::ByteSpan tokens = file->bytes().slice(first * tokenBytes, window * tokenBytes);
    return convertElements(ScalarType::U16, tokens, inputs[input].type, to);
  }

private:
  std::unique_ptr<runtime::MappedFile> file;
  std::vector<InputSpec> inputs;
  uint64_t window;
};

bool holdsTokens(ElementType type) {
  return type == ElementType::I64 || type == ElementType::I32;
}

/// The input that takes tokens, if labels are all that is left beside it.
Result<const InputSpec *> tokenInput(const std::string &path, const std::vector<InputSpec> &inputs) {
  const InputSpec *found = nullptr;
  for (const InputSpec &input : inputs) {
    if (!holdsTokens(input.type) || input.sampleCount() == 0)
      return runtime::unfit(path, "input " + runtime::quoted(input.name) + " takes " +
                                      std::string(runtime::elementName(input.type)) +
                                      runtime::shapeText(input.sampleShape()) +
                                      " a sample, wanted int64 or int32 tokens; give a FILE.npz");
    if (input.isLabels())
      continue;
    if (found)
      return runtime::unfit(path, "inputs " + runtime::quoted(found->name) + " and " + runtime::quoted(input.name) +
                                      " besides the labels, wanted one for the tokens; make the other an initializer "
                                      "of the model or give a FILE.npz");
    found = &input;
  }
  if (!found)
    return runtime::unfit(path, "the program takes labels alone, wanted an input for the tokens");
  return found;
}

Status checkLabels(const std::string &path, const std::vector<InputSpec> &inputs, const InputSpec &tokens) {
  for (const InputSpec &input : inputs)
    if (input.sampleCount() != tokens.sampleCount())
      return runtime::unfit(path, "input " + runtime::quoted(input.name) + " takes " +
                                      runtime::shapeText(input.sampleShape()) + " a sample, wanted " +
                                      runtime::shapeText(tokens.sampleShape()) +
                                      ", the token after each; compile a model that predicts every next token");
  return Status();
}

} // namespace

Result<std::unique_ptr<Dataset>> openTokens(runtime::FileSystem &files, const std::string &path,
                                            const std::vector<InputSpec> &inputs) {
  Result<const InputSpec *> tokens = tokenInput(path, inputs);
  if (!tokens.isOk())
    return tokens.status();
  if (Status status = checkLabels(path, inputs, **tokens); !status.isOk())
    return status;
  Result<std::unique_ptr<runtime::MappedFile>> file = files.map(path);
  if (!file.isOk())
    return file.status();
  uint64_t bytes = (*file)->bytes().size(), window = (*tokens)->sampleCount();
  if (bytes % tokenBytes != 0)
    return runtime::unfit(path, "holds " + std::to_string(bytes) + " bytes, wanted an even number: tokens are uint16");
  if (bytes / tokenBytes <= window)
    return runtime::unfit(path, "holds " + std::to_string(bytes / tokenBytes) + " tokens, wanted at least " +
                                    std::to_string(window + 1) + ", a sample and the token after it");
  return std::unique_ptr<Dataset>(new TokenDataset(std::move(*file), inputs, window));
}

} // namespace amp::data
