// Checks and decodes TensorProtos; nothing is believed before it is compared with the bytes that are there.
#include "compiler/import/onnx/TensorData.h"

#include "runtime/base/Checked.h"
#include "runtime/base/Half.h"
#include "runtime/base/Limits.h"

#include "mlir/IR/Builders.h"

#include <charconv>
#include <cstring>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;
using onnx::TensorProto;

static uint64_t bytesOfType(int32_t dataType) {
  switch (dataType) {
  case TensorProto::BOOL:
  case TensorProto::INT8:
    return 1;
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
    return 2;
  case TensorProto::FLOAT:
  case TensorProto::INT32:
    return 4;
  case TensorProto::DOUBLE:
  case TensorProto::INT64:
    return 8;
  default:
    return 0;
  }
}

std::string amp::compiler::dataTypeName(int32_t dataType) {
  static constexpr const char *names[] = {"undefined", "float32", "uint8",     "int8",       "uint16",  "int16",
                                          "int32",     "int64",   "string",    "bool",       "float16", "float64",
                                          "uint32",    "uint64",  "complex64", "complex128", "bfloat16"};
  if (dataType >= 0 && size_t(dataType) < std::size(names))
    return names[dataType];
  return "type " + std::to_string(dataType);
}

bool amp::compiler::isFloatType(int32_t dataType) {
  return dataType == TensorProto::FLOAT || dataType == TensorProto::FLOAT16 || dataType == TensorProto::BFLOAT16 ||
         dataType == TensorProto::DOUBLE;
}

Type amp::compiler::elementTypeOf(MLIRContext *context, int32_t dataType) {
  Builder builder(context);
  if (isFloatType(dataType))
    return builder.getF32Type();
  switch (dataType) {
  case TensorProto::INT64:
    return builder.getI64Type();
  case TensorProto::INT32:
    return builder.getI32Type();
  case TensorProto::INT8:
    return builder.getI8Type();
  case TensorProto::BOOL:
    return builder.getI1Type();
  default:
    return Type();
  }
}

Type amp::compiler::interfaceTypeOf(MLIRContext *context, int32_t dataType) {
  Builder builder(context);
  switch (dataType) {
  case TensorProto::FLOAT16:
    return builder.getF16Type();
  case TensorProto::BFLOAT16:
    return builder.getBF16Type();
  case TensorProto::DOUBLE:
    return builder.getF64Type();
  default:
    return elementTypeOf(context, dataType);
  }
}

static std::optional<std::string> readShape(const TensorProto &proto, TensorData &tensor) {
  if (uint64_t(proto.dims_size()) > runtime::Limits().rank)
    return "has " + std::to_string(proto.dims_size()) + " dimensions; wants at most " +
           std::to_string(runtime::Limits().rank);
  for (int64_t length : proto.dims()) {
    if (length < 0)
      return "has the negative dimension " + std::to_string(length) + "; wants 0 or more";
    tensor.dims.push_back(length);
  }
  std::optional<uint64_t> elements = runtime::elementCount(tensor.dims);
  if (!elements || *elements > (uint64_t(1) << 48))
    return "has the shape " + shapeText(tensor.dims) + ", more elements than any file holds";
  tensor.elements = *elements;
  return std::nullopt;
}

static std::optional<std::string> checkLength(const TensorData &tensor, uint64_t length, llvm::StringRef where) {
  const uint64_t wanted = tensor.elements * bytesOfType(tensor.dataType);
  if (length == wanted)
    return std::nullopt;
  return (llvm::Twine("has ") + llvm::Twine(length) + " bytes of " + where + "; its shape " + shapeText(tensor.dims) +
          " of " + dataTypeName(tensor.dataType) + " wants " + llvm::Twine(wanted))
      .str();
}

static bool parseNumber(const std::string &text, uint64_t &number) {
  const char *end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

static std::optional<std::string> readExternal(const TensorProto &proto, ModelFile &file, TensorData &tensor) {
  std::string location;
  uint64_t offset = 0, length = 0;
  bool hasLength = false;
  for (const onnx::StringStringEntryProto &entry : proto.external_data()) {
    uint64_t *number = entry.key() == "offset" ? &offset : entry.key() == "length" ? &length : nullptr;
    if (entry.key() == "location")
      location = entry.value();
    if (number && !parseNumber(entry.value(), *number))
      return "has the external data " + entry.key() + " " + quotedName(entry.value()) + "; wants a number, 0 or more";
    hasLength |= entry.key() == "length";
  }
  runtime::ByteSpan all;
  if (std::optional<std::string> problem = file.external.open(location, all))
    return "cannot be read: " + *problem;
  const uint64_t wanted = tensor.elements * bytesOfType(tensor.dataType);
  if (!hasLength)
    length = wanted;
  if (!runtime::fitsInside(offset, length, all.size()))
    return "has external data at offset " + std::to_string(offset) + ", length " + std::to_string(length) +
           ", but the file " + quotedName(location) + " has " + std::to_string(all.size()) + " bytes";
  tensor.isRaw = true;
  tensor.bytes = all.slice(offset, length);
  tensor.path = file.external.pathOf(location);
  tensor.offset = offset;
  return checkLength(tensor, length, "external data");
}

static uint64_t typedCount(const TensorProto &proto) {
  switch (proto.data_type()) {
  case TensorProto::FLOAT:
    return proto.float_data_size();
  case TensorProto::DOUBLE:
    return proto.double_data_size();
  case TensorProto::INT64:
    return proto.int64_data_size();
  default:
    return proto.int32_data_size();
  }
}

std::optional<std::string> amp::compiler::readTensor(const TensorProto &proto, PayloadSpan span, ModelFile &file,
                                                     TensorData &tensor) {
  tensor.proto = &proto;
  tensor.dataType = proto.data_type();
  if (bytesOfType(tensor.dataType) == 0)
    return "has elements of " + dataTypeName(tensor.dataType) +
           "; amp reads float32, float16, bfloat16, float64, int64, int32, int8 and bool";
  if (proto.has_segment())
    return std::string("is stored in segments, which no exporter writes; write the model again");
  if (std::optional<std::string> problem = readShape(proto, tensor))
    return problem;
  if (proto.data_location() == TensorProto::EXTERNAL)
    return readExternal(proto, file, tensor);
  tensor.isRaw = span.present || proto.has_raw_data();
  if (span.present) {
    tensor.bytes = file.bytes().slice(span.offset, span.length);
    tensor.path = file.path();
    tensor.offset = span.offset;
  } else if (tensor.isRaw) {
    tensor.bytes = runtime::bytesOf(proto.raw_data());
  }
  if (tensor.isRaw)
    return checkLength(tensor, tensor.bytes.size(), "raw data");
  if (typedCount(proto) != tensor.elements)
    return "has " + std::to_string(typedCount(proto)) + " elements; its shape " + shapeText(tensor.dims) + " wants " +
           std::to_string(tensor.elements);
  return std::nullopt;
}

template <typename T> static T load(const TensorData &tensor, uint64_t at) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + at * sizeof value, sizeof value);
  return value;
}

static float floatAt(const TensorData &tensor, uint64_t at) {
  const int index = static_cast<int>(at);
  switch (tensor.dataType) {
  case TensorProto::FLOAT:
    return tensor.isRaw ? load<float>(tensor, at) : tensor.proto->float_data(index);
  case TensorProto::DOUBLE:
    return static_cast<float>(tensor.isRaw ? load<double>(tensor, at) : tensor.proto->double_data(index));
  default:
    const uint16_t bits = tensor.isRaw ? load<uint16_t>(tensor, at) : uint16_t(tensor.proto->int32_data(index));
    return tensor.dataType == TensorProto::FLOAT16 ? runtime::f16ToFloat(bits) : runtime::bf16ToFloat(bits);
  }
}

static int64_t integerAt(const TensorData &tensor, uint64_t at) {
  const int index = static_cast<int>(at);
  switch (tensor.dataType) {
  case TensorProto::INT64:
    return tensor.isRaw ? load<int64_t>(tensor, at) : tensor.proto->int64_data(index);
  case TensorProto::INT32:
    return tensor.isRaw ? load<int32_t>(tensor, at) : tensor.proto->int32_data(index);
  default:
    return tensor.isRaw ? load<int8_t>(tensor, at) : int8_t(tensor.proto->int32_data(index));
  }
}

DenseElementsAttr amp::compiler::toAttribute(MLIRContext *context, const TensorData &tensor) {
  Type element = elementTypeOf(context, tensor.dataType);
  auto type = RankedTensorType::get(tensor.dims, element);
  if (isFloatType(tensor.dataType)) {
    std::vector<float> values(tensor.elements);
    for (uint64_t at = 0; at < tensor.elements; ++at)
      values[at] = floatAt(tensor, at);
    return DenseElementsAttr::get(type, llvm::ArrayRef(values));
  }
  const unsigned width = element.getIntOrFloatBitWidth();
  llvm::SmallVector<llvm::APInt> values;
  values.reserve(tensor.elements);
  for (uint64_t at = 0; at < tensor.elements; ++at) {
    const int64_t value = integerAt(tensor, at);
    values.push_back(llvm::APInt(width, uint64_t(width == 1 ? value != 0 : value), false, true));
  }
  return DenseElementsAttr::get(type, llvm::ArrayRef(values));
}
