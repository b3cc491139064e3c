#include "runtime/step/InputBinder.h"

#include "runtime/base/Checked.h"

#include <cstring>
#include <limits>

namespace amp::runtime {
namespace {

std::string wantedText(const format::Input &input) {
  return std::string(elementName(elementTypeOf(input.type()))) + " " + shapeText(spanOf(input.shape()));
}

std::string inputText(const format::Input &input) {
  return "input " + quoted(viewOf(input.name()));
}

bool isInteger(ElementType type) {
  return type == ElementType::I64 || type == ElementType::I32 || type == ElementType::I8 || type == ElementType::U8;
}

int64_t loadInteger(ElementType type, const uint8_t *data, uint64_t at) {
  auto load = [&](auto zero) -> int64_t {
    std::memcpy(&zero, data + at * sizeof zero, sizeof zero);
    return zero;
  };
  switch (type) {
  case ElementType::I64:
    return load(int64_t());
  case ElementType::I32:
    return load(int32_t());
  case ElementType::I8:
    return load(int8_t());
  default:
    return load(uint8_t());
  }
}

/// False when the value does not fit.
bool storeInteger(ElementType type, uint8_t *data, uint64_t at, int64_t value) {
  auto store = [&](auto zero) {
    using T = decltype(zero);
    if (value < static_cast<int64_t>(std::numeric_limits<T>::min()) ||
        value > static_cast<int64_t>(std::numeric_limits<T>::max()))
      return false;
    T narrow = static_cast<T>(value);
    std::memcpy(data + at * sizeof narrow, &narrow, sizeof narrow);
    return true;
  };
  switch (type) {
  case ElementType::I64:
    return store(int64_t());
  case ElementType::I32:
    return store(int32_t());
  case ElementType::I8:
    return store(int8_t());
  default:
    return store(uint8_t());
  }
}

/// "[3, 0]": where element `at` of a tensor lies.
std::string positionText(Span<const uint64_t> shape, uint64_t at) {
  std::vector<uint64_t> position(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    position[axis] = at % shape[axis];
    at /= shape[axis];
  }
  return shapeText(Span<const uint64_t>(position));
}

template <typename T> Status checkIndices(const format::Input &input, const uint8_t *data, uint64_t count) {
  int64_t limit = input.index_limit();
  int64_t ignored = input.ignore_index();
  for (uint64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, data + i * sizeof value, sizeof value);
    if ((value >= 0 && value < limit) || value == ignored)
      continue;
    std::string allowed = "0 to " + std::to_string(limit - 1);
    if (ignored < 0 || ignored >= limit)
      allowed += ", or " + std::to_string(ignored) + " to ignore an element";
    return Status(StatusCode::Argument, inputText(input) + ": value " + std::to_string(value) + " at position " +
                                            positionText(spanOf(input.shape()), i) + " is out of range, wanted " +
                                            allowed);
  }
  return Status();
}

} // namespace

InputBinder::InputBinder(const format::Program &program) {
  for (const format::Input *input : *program.inputs()) {
    Slot slot;
    slot.input = input;
    slot.count = *elementCount(spanOf(input->shape())); // proven by checkPackage
    slots.push_back(std::move(slot));
  }
}

Status InputBinder::bind(Span<const TensorView> tensors) {
  for (const TensorView &tensor : tensors) {
    bool known = false;
    for (const Slot &slot : slots)
      known |= viewOf(slot.input->name()) == tensor.name;
    if (known)
      continue;
    std::string names;
    for (const Slot &slot : slots)
      names += (names.empty() ? "" : ", ") + quoted(viewOf(slot.input->name()));
    return Status(StatusCode::Argument,
                  "there is no input " + quoted(tensor.name) + "; the model takes " + (names.empty() ? "none" : names));
  }
  for (Slot &slot : slots) {
    const TensorView *found = nullptr;
    for (const TensorView &tensor : tensors) {
      if (tensor.name != viewOf(slot.input->name()))
        continue;
      if (found)
        return Status(StatusCode::Argument, inputText(*slot.input) + " is given twice; give it once");
      found = &tensor;
    }
    if (!found)
      return Status(StatusCode::Argument,
                    inputText(*slot.input) + " is missing; give a tensor of " + wantedText(*slot.input));
    if (Status status = bindSlot(slot, *found); !status.isOk())
      return status;
  }
  return Status();
}

Status InputBinder::bindSlot(Slot &slot, const TensorView &tensor) {
  const format::Input &input = *slot.input;
  ElementType wanted = elementTypeOf(input.type());
  Span<const uint64_t> shape = spanOf(input.shape());
  bool sameShape = shape.size() == tensor.shape.size() && std::equal(shape.begin(), shape.end(), tensor.shape.begin());
  bool convertible = tensor.type == wanted || (isInteger(wanted) && isInteger(tensor.type));
  if (!sameShape || !convertible)
    return Status(
        StatusCode::Argument,
        inputText(input) + " has " + std::string(elementName(tensor.type)) + " " + shapeText(tensor.shape) +
            ", the package was compiled for " + wantedText(input) +
            (convertible ? "; give that shape, or recompile with --batch or --shape" : "; convert the tensor"));
  if (tensor.bytes != slot.count * elementBytes(tensor.type) || (!tensor.data && tensor.bytes != 0))
    return Status(StatusCode::Argument, inputText(input) + " has " + std::to_string(tensor.data ? tensor.bytes : 0) +
                                            " bytes, its shape needs " +
                                            std::to_string(slot.count * elementBytes(tensor.type)));

  const auto *data = static_cast<const uint8_t *>(tensor.data);
  // Kernels may count on 64 bytes of alignment, which malloc and archives do not give.
  bool usable = tensor.type == wanted && reinterpret_cast<uintptr_t>(data) % 64 == 0 && data;
  if (usable) {
    slot.data = data;
    return checkRange(slot);
  }
  uint64_t bytes = slot.count * elementBytes(wanted);
  if (!slot.owned.data()) {
    Result<Memory> owned = Memory::allocate(bytes, "a copy of an input");
    if (!owned.isOk())
      return owned.status();
    slot.owned = std::move(*owned);
  }
  slot.data = slot.owned.data();
  if (tensor.type == wanted && bytes != 0)
    std::memcpy(slot.owned.data(), data, bytes);
  else if (Status status = copyIntegers(slot, tensor); !status.isOk())
    return status;
  return checkRange(slot);
}

Status InputBinder::copyIntegers(Slot &slot, const TensorView &tensor) {
  ElementType wanted = elementTypeOf(slot.input->type());
  const auto *data = static_cast<const uint8_t *>(tensor.data);
  for (uint64_t i = 0; i < slot.count; ++i) {
    int64_t value = loadInteger(tensor.type, data, i);
    if (!storeInteger(wanted, slot.owned.data(), i, value))
      return Status(StatusCode::Argument, inputText(*slot.input) + ": value " + std::to_string(value) +
                                              " at position " + positionText(spanOf(slot.input->shape()), i) +
                                              " does not fit into " + std::string(elementName(wanted)));
  }
  return Status();
}

Status InputBinder::checkRange(const Slot &slot) const {
  if (slot.input->index_limit() <= 0)
    return Status();
  if (slot.input->type() == format::ElementType::I64)
    return checkIndices<int64_t>(*slot.input, slot.data, slot.count);
  return checkIndices<int32_t>(*slot.input, slot.data, slot.count);
}

uint64_t InputBinder::ownedBytes() const {
  uint64_t bytes = 0;
  for (const Slot &slot : slots)
    bytes += slot.owned.size();
  return bytes;
}

} // namespace amp::runtime
