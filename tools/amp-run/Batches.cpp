#include "tools/amp-run/Batches.h"

#include <cstring>

namespace amp::tools {
namespace {

using runtime::ElementType;
using runtime::ScalarType;

/// Nothing for the 16-bit integers, which packages do not have.
std::optional<ElementType> elementTypeOf(ScalarType type) {
  switch (type) {
  case ScalarType::F32:
    return ElementType::F32;
  case ScalarType::F64:
    return ElementType::F64;
  case ScalarType::F16:
    return ElementType::F16;
  case ScalarType::BF16:
    return ElementType::BF16;
  case ScalarType::I64:
    return ElementType::I64;
  case ScalarType::I32:
    return ElementType::I32;
  case ScalarType::I8:
    return ElementType::I8;
  case ScalarType::U8:
    return ElementType::U8;
  case ScalarType::Bool:
    return ElementType::I1;
  case ScalarType::I16:
  case ScalarType::U16:
    return std::nullopt;
  }
  return std::nullopt;
}

std::vector<int32_t> widen(const runtime::ArrayView &view) {
  std::vector<int32_t> values(view.count());
  for (size_t i = 0; i < values.size(); ++i) {
    uint16_t bits = runtime::loadU16(view.bytes.data() + 2 * i);
    values[i] = view.type == ScalarType::I16 ? static_cast<int16_t>(bits) : static_cast<int32_t>(bits);
  }
  return values;
}

} // namespace

runtime::Result<Batch> Batch::open(runtime::FileSystem &files, const std::string &path,
                                   const format::Program &program) {
  runtime::Result<runtime::NpzArchive> archive = runtime::NpzArchive::open(files, path);
  if (!archive.isOk())
    return archive.status();
  Batch batch(std::move(*archive));
  for (const format::Input *input : *program.inputs()) {
    std::string name = input->name()->str();
    if (!batch.archive->has(name))
      continue;
    if (runtime::Status status = batch.add(name, runtime::elementTypeOf(input->type())); !status.isOk())
      return std::move(status).at(path);
  }
  return batch;
}

runtime::Status Batch::add(const std::string &name, ElementType wanted) {
  runtime::Result<runtime::NpzArray> array = archive->read(name);
  if (!array.isOk())
    return array.status();
  arrays.push_back(std::move(*array));
  const runtime::ArrayView &view = arrays.back().view;
  runtime::TensorView tensor;
  for (const std::string &known : archive->names())
    if (known == name)
      tensor.name = known; // lives as long as the archive
  tensor.shape = runtime::Span<const uint64_t>(view.shape);
  tensor.data = view.bytes.data();
  tensor.bytes = view.bytes.size();
  if (std::optional<ElementType> type = elementTypeOf(view.type)) {
    tensor.type = *type;
  } else if (view.type == ScalarType::U16 && wanted == ElementType::BF16) {
    tensor.type = ElementType::BF16; // numpy has no bfloat16: its bits travel as uint16
  } else {
    widened.push_back(widen(view));
    tensor.type = ElementType::I32;
    tensor.data = widened.back().data();
    tensor.bytes = widened.back().size() * sizeof(int32_t);
  }
  tensors.push_back(tensor);
  return runtime::Status();
}

} // namespace amp::tools
