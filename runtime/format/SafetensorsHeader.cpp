#include "runtime/format/SafetensorsHeader.h"

#include <nlohmann/json.hpp>
#include <unordered_set>

namespace amp::runtime {
namespace {

constexpr std::string_view typeNames[scalarTypeCount] = {"F32", "F64", "F16", "BF16", "I64", "I32",
                                                         "I16", "I8",  "U8",  "U16",  "BOOL"};

// Where in the header an event arrives.
enum class Inside : uint8_t { Nothing, Header, Metadata, Tensor, Shape, Offsets };

class HeaderEvents final : public nlohmann::json_sax<nlohmann::json> {
public:
  HeaderEvents(uint64_t dataBytes, const std::string &place, const Limits &limits)
      : dataBytes(dataBytes), place(place), limits(limits) {}

  bool null() override { return refuse("null"); }
  bool boolean(bool) override { return refuse("a boolean"); }
  bool number_integer(number_integer_t value) override { return refuse("the number " + std::to_string(value)); }
  bool number_float(number_float_t, const string_t &text) override { return refuse("the number " + text); }
  bool number_unsigned(number_unsigned_t value) override;
  bool string(string_t &value) override;
  bool binary(binary_t &) override { return refuse("bytes"); }
  bool start_object(size_t) override;
  bool key(string_t &value) override;
  bool end_object() override;
  bool start_array(size_t) override;
  bool end_array() override;
  bool parse_error(size_t position, const std::string &token, const nlohmann::detail::exception &) override {
    return fail("safetensors header is no JSON from byte " + std::to_string(position) + ": " + runtime::quoted(token));
  }

  SafetensorsHeader header;
  Status failure;

private:
  bool fail(const std::string &text) {
    failure = damaged(place, text);
    return false;
  }
  bool refuse(const std::string &seen);
  bool startHeaderKey(const std::string &value);
  bool startTensorKey(const std::string &value);
  bool finishTensor();
  std::string who() const { return "tensor " + runtime::quoted(entry.name); }

  uint64_t dataBytes;
  const std::string &place;
  const Limits &limits;
  Inside inside = Inside::Nothing;
  std::string name; // the last key
  SafetensorsEntry entry;
  bool hasType = false, hasShape = false, hasOffsets = false;
  std::unordered_set<std::string> names;
};

bool HeaderEvents::refuse(const std::string &seen) {
  static constexpr std::string_view wanted[] = {"an object",
                                                "an object for each tensor",
                                                "texts in '__metadata__'",
                                                "dtype a text, shape and data_offsets arrays",
                                                "whole numbers of at least 0 in shape",
                                                "two whole numbers of at least 0 in data_offsets"};
  bool deep = inside != Inside::Nothing && inside != Inside::Header;
  std::string where = !deep ? "" : inside == Inside::Metadata ? " at " + runtime::quoted(name) : " in " + who();
  return fail("safetensors header has " + seen + where + ", wanted " + std::string(wanted[unsigned(inside)]));
}

bool HeaderEvents::number_unsigned(number_unsigned_t value) {
  if (inside == Inside::Shape) {
    if (entry.shape.size() == limits.rank)
      return fail(who() + " has more than " + std::to_string(limits.rank) + " dimensions");
    entry.shape.push_back(value);
    return true;
  }
  if (inside != Inside::Offsets || entry.offsets.size() == 2)
    return refuse("the number " + std::to_string(value));
  entry.offsets.push_back(value);
  return true;
}

bool HeaderEvents::string(string_t &value) {
  if (inside == Inside::Metadata) {
    header.metadata[name] = value;
    return true;
  }
  if (inside != Inside::Tensor || name != "dtype")
    return refuse("the text " + runtime::quoted(value));
  for (unsigned i = 0; i < scalarTypeCount; ++i) {
    if (value != typeNames[i])
      continue;
    entry.type = ScalarType(i);
    return true;
  }
  return fail(who() + " has dtype " + runtime::quoted(value) +
              ", wanted one of F32 F64 F16 BF16 I64 I32 I16 I8 U8 U16 BOOL");
}

bool HeaderEvents::start_object(size_t) {
  if (inside == Inside::Nothing) {
    inside = Inside::Header;
    return true;
  }
  if (inside != Inside::Header)
    return refuse("an object");
  if (name == "__metadata__") {
    inside = Inside::Metadata;
    return true;
  }
  if (header.entries.size() == limits.tensors)
    return fail("safetensors header names more than " + std::to_string(limits.tensors) + " tensors");
  inside = Inside::Tensor;
  entry = SafetensorsEntry();
  entry.name = name;
  hasType = hasShape = hasOffsets = false;
  return true;
}

bool HeaderEvents::startHeaderKey(const std::string &value) {
  if (value.size() > limits.nameBytes)
    return fail("tensor name " + runtime::quoted(value) + " of " + std::to_string(value.size()) +
                " bytes, wanted at most " + std::to_string(limits.nameBytes));
  return names.insert(value).second || fail("safetensors header names " + runtime::quoted(value) + " twice");
}

bool HeaderEvents::startTensorKey(const std::string &value) {
  bool *seen = value == "dtype"          ? &hasType
               : value == "shape"        ? &hasShape
               : value == "data_offsets" ? &hasOffsets
                                         : nullptr;
  if (!seen)
    return fail(who() + " has the key " + runtime::quoted(value) + ", wanted dtype, shape and data_offsets");
  if (*seen)
    return fail(who() + " has the key " + runtime::quoted(value) + " twice");
  return *seen = true;
}

bool HeaderEvents::key(string_t &value) {
  name = value;
  if (inside == Inside::Header)
    return startHeaderKey(value);
  if (inside == Inside::Tensor)
    return startTensorKey(value);
  return header.metadata.emplace(value, "").second ||
         fail("safetensors header has the metadata key " + runtime::quoted(value) + " twice");
}

bool HeaderEvents::finishTensor() {
  if (!hasType || !hasShape || !hasOffsets)
    return fail(who() + " lacks " + (!hasType ? "dtype" : !hasShape ? "shape" : "data_offsets"));
  if (entry.offsets.size() != 2)
    return fail(who() + " has " + std::to_string(entry.offsets.size()) + " data_offsets, wanted 2");
  uint64_t begin = entry.offsets[0], end = entry.offsets[1];
  if (begin > end || end > dataBytes)
    return fail(who() + " lies at [" + std::to_string(begin) + ", " + std::to_string(end) + "), wanted inside the " +
                std::to_string(dataBytes) + " bytes of data");
  std::optional<uint64_t> wanted = arrayBytes(entry.type, entry.shape);
  if (!wanted || *wanted != end - begin)
    return fail(who() + " has " + std::to_string(end - begin) + " bytes, wanted " +
                (wanted ? std::to_string(*wanted) : std::string("more than 2^64")) + " for " +
                std::string(typeNames[unsigned(entry.type)]) + shapeText(entry.shape));
  header.entries.push_back(std::move(entry));
  return true;
}

bool HeaderEvents::end_object() {
  bool tensor = inside == Inside::Tensor;
  inside = inside == Inside::Header ? Inside::Nothing : Inside::Header;
  return !tensor || finishTensor();
}

bool HeaderEvents::start_array(size_t) {
  if (inside != Inside::Tensor || (name != "shape" && name != "data_offsets"))
    return refuse("an array");
  inside = name == "shape" ? Inside::Shape : Inside::Offsets;
  return true;
}

bool HeaderEvents::end_array() {
  inside = Inside::Tensor;
  return true;
}

} // namespace

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, uint64_t dataBytes, const std::string &place,
                                                 const Limits &limits) {
  if (text.empty() || text.front() != '{')
    return damaged(place, "safetensors header starts with " + runtime::quoted(text.substr(0, 1)) + ", wanted '{'");
  // The JSON lexer takes a zero byte for the end of its input.
  if (size_t zero = text.find('\0'); zero != std::string_view::npos)
    return damaged(place, "safetensors header has a zero byte at " + std::to_string(zero));
  HeaderEvents events(dataBytes, place, limits);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &events))
    return events.failure.isOk() ? damaged(place, "safetensors header is no JSON") : events.failure;
  return std::move(events.header);
}

std::string_view safetensorsTypeName(ScalarType type) {
  return typeNames[unsigned(type)];
}

} // namespace amp::runtime
