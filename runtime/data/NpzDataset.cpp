// FILE.npz - one array an input, by name; the first axis counts the samples.
#include "runtime/data/Convert.h"
#include "runtime/data/Dataset.h"

#include "runtime/format/Npz.h"

namespace amp::data {

using runtime::Result;
using runtime::Status;

namespace {

class NpzDataset final : public Dataset {
public:
  NpzDataset(runtime::NpzArchive archive, std::vector<runtime::NpzArray> arrays, std::vector<InputSpec> inputs)
      : archive(std::move(archive)), arrays(std::move(arrays)), inputs(std::move(inputs)) {}

  uint64_t size() const override { return arrays[0].view.shape[0]; }

  Status copySample(uint64_t index, size_t input, uint8_t *to) const override {
    const runtime::ArrayView &view = arrays[input].view;
    uint64_t bytes = view.bytes.size() / view.shape[0];
    Status status = convertElements(view.type, view.bytes.slice(index * bytes, bytes), inputs[input].type, to);
    return std::move(status).at("array " + runtime::quoted(inputs[input].name) + ", sample " + std::to_string(index));
  }

private:
  runtime::NpzArchive archive; // stored arrays are views into its mapping
  std::vector<runtime::NpzArray> arrays;
  std::vector<InputSpec> inputs;
};

std::string listOf(const std::vector<std::string> &names) {
  constexpr size_t most = 20;
  std::string text;
  for (size_t i = 0; i < names.size() && i < most; ++i)
    text += (i ? ", " : "") + runtime::quoted(names[i]);
  return names.empty() ? "nothing" : names.size() > most ? text + ", ..." : text;
}

Status checkArray(const runtime::ArrayView &view, const InputSpec &input, const std::string &path) {
  std::string place = path + ": array " + runtime::quoted(input.name);
  if (!canConvert(view.type, input.type))
    return runtime::unfit(place, "holds " + std::string(runtime::scalarName(view.type)) + ", wanted " +
                                     std::string(runtime::elementName(input.type)) + "; convert it with astype");
  std::vector<uint64_t> sample = input.sampleShape();
  bool fits = !view.shape.empty() && std::vector<uint64_t>(view.shape.begin() + 1, view.shape.end()) == sample;
  std::vector<uint64_t> wanted = sample;
  wanted.insert(wanted.begin(), view.shape.empty() ? 1 : view.shape[0]);
  if (!fits)
    return runtime::unfit(place, "has shape " + runtime::shapeText(view.shape) + ", wanted " +
                                     runtime::shapeText(wanted) + " (samples, then the input's own axes); reshape it");
  if (view.shape[0] == 0)
    return runtime::unfit(place, "holds no sample, wanted at least one");
  return Status();
}

} // namespace

Result<std::unique_ptr<Dataset>> openNpz(runtime::FileSystem &files, const std::string &path,
                                         const std::vector<InputSpec> &inputs, const runtime::Limits &limits) {
  Result<runtime::NpzArchive> archive = runtime::NpzArchive::open(files, path, limits);
  if (!archive.isOk())
    return archive.status();
  std::vector<runtime::NpzArray> arrays;
  for (const InputSpec &input : inputs) {
    if (!archive->has(input.name))
      return runtime::unfit(path, "no array for input " + runtime::quoted(input.name) + "; the file holds " +
                                      listOf(archive->names()));
    Result<runtime::NpzArray> array = archive->read(input.name);
    if (!array.isOk())
      return array.status();
    if (Status status = checkArray(array->view, input, path); !status.isOk())
      return status;
    arrays.push_back(std::move(*array));
    if (arrays.back().view.shape[0] != arrays[0].view.shape[0])
      return runtime::unfit(path, "array " + runtime::quoted(input.name) + " has " +
                                      std::to_string(arrays.back().view.shape[0]) + " samples, but " +
                                      runtime::quoted(inputs[0].name) + " has " +
                                      std::to_string(arrays[0].view.shape[0]));
  }
  return std::unique_ptr<Dataset>(new NpzDataset(std::move(*archive), std::move(arrays), inputs));
}

} // namespace amp::data
