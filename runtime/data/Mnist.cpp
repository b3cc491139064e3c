// mnist:DIR - two IDX files a part, pixels to 0..1, digits to the labels.
#include "runtime/data/Convert.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/Idx.h"

#include "runtime/base/Half.h"

#include <cstring>

namespace amp::data {

using runtime::ElementType;
using runtime::Result;
using runtime::Status;

namespace {

class MnistDataset final : public Dataset {
public:
  MnistDataset(IdxFile images, IdxFile digits, std::vector<InputSpec> inputs)
      : images(std::move(images)), digits(std::move(digits)), inputs(std::move(inputs)) {}

  uint64_t size() const override { return images.view.shape[0]; }
  Status copySample(uint64_t index, size_t input, uint8_t *to) const override;

private:
  IdxFile images;
  IdxFile digits;
  std::vector<InputSpec> inputs;
};

void storePixel(uint8_t pixel, ElementType type, uint64_t at, uint8_t *to) {
  float value = float(pixel) / 255.0f;
  if (type == ElementType::F32) {
    std::memcpy(to + 4 * at, &value, 4);
  } else if (type == ElementType::F64) {
    double wide = double(pixel) / 255.0;
    std::memcpy(to + 8 * at, &wide, 8);
  } else {
    uint16_t half = type == ElementType::F16 ? runtime::floatToF16(value) : runtime::floatToBf16(value);
    std::memcpy(to + 2 * at, &half, 2);
  }
}

Status MnistDataset::copySample(uint64_t index, size_t input, uint8_t *to) const {
  const InputSpec &spec = inputs[input];
  if (spec.isLabels())
    return convertElements(digits.view.type, digits.view.bytes.slice(index, 1), spec.type, to);
  uint64_t pixels = spec.sampleCount();
  const uint8_t *from = images.view.bytes.data() + index * pixels;
  for (uint64_t i = 0; i < pixels; ++i)
    storePixel(from[i], spec.type, i, to);
  return Status();
}

Status checkImages(const IdxFile &images, const IdxFile &digits) {
  if (images.view.shape.size() != 3 || images.view.type != runtime::ScalarType::U8)
    return runtime::unfit(images.path, "holds " + std::string(runtime::scalarName(images.view.type)) +
                                           runtime::shapeText(images.view.shape) +
                                           ", wanted uint8[images, rows, "
                                           "columns]");
  if (digits.view.shape.size() != 1 || digits.view.shape[0] != images.view.shape[0])
    return runtime::unfit(digits.path, "holds " + runtime::shapeText(digits.view.shape) + " labels, wanted [" +
                                           std::to_string(images.view.shape[0]) + "], one an image");
  if (images.view.shape[0] == 0)
    return runtime::unfit(images.path, "holds no image, wanted at least one");
  return Status();
}

Status checkInput(const InputSpec &input, const IdxFile &images) {
  std::string who = "input " + runtime::quoted(input.name);
  uint64_t pixels = images.view.bytes.size() / images.view.shape[0];
  bool floating = canConvert(runtime::ScalarType::F32, input.type);
  if (input.isLabels() && input.sampleCount() == 1 && input.type != ElementType::I1)
    return Status();
  if (input.isLabels())
    return runtime::unfit(images.path, who + " takes " + runtime::shapeText(input.sampleShape()) +
                                           " a sample, but MNIST has one digit a sample; compile with "
                                           "--loss=cross-entropy or give a FILE.npz");
  if (floating && input.sampleCount() == pixels)
    return Status();
  return runtime::unfit(images.path, who + " takes " + std::string(runtime::elementName(input.type)) +
                                         runtime::shapeText(input.sampleShape()) + " a sample, but the images are " +
                                         std::to_string(images.view.shape[1]) + "x" +
                                         std::to_string(images.view.shape[2]) + " pixels between 0 and 1");
}

} // namespace

Result<std::unique_ptr<Dataset>> openMnist(runtime::FileSystem &files, const std::string &folder, Part part,
                                           const std::vector<InputSpec> &inputs, const runtime::Limits &limits) {
  std::string prefix = folder + (part == Part::Training ? "/train" : "/t10k");
  Result<IdxFile> images = openIdx(files, prefix + "-images-idx3-ubyte", limits);
  if (!images.isOk())
    return images.status();
  Result<IdxFile> digits = openIdx(files, prefix + "-labels-idx1-ubyte", limits);
  if (!digits.isOk())
    return digits.status();
  if (Status status = checkImages(*images, *digits); !status.isOk())
    return status;
  size_t imageInputs = 0;
  for (const InputSpec &input : inputs) {
    imageInputs += input.isLabels() ? 0 : 1;
    if (Status status = checkInput(input, *images); !status.isOk())
      return status;
  }
  if (imageInputs != 1)
    return runtime::unfit(images->path, "the program has " + std::to_string(imageInputs) +
                                            " inputs besides its labels, wanted one for the images");
  return std::unique_ptr<Dataset>(new MnistDataset(std::move(*images), std::move(*digits), inputs));
}

} // namespace amp::data
