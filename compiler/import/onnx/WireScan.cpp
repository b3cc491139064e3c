// Splits a serialized ModelProto into payload spans and the rest; see WireScan.h.
#include "compiler/import/onnx/WireScan.h"

using namespace amp::compiler;
using amp::runtime::ByteSpan;

namespace {

// Field numbers of onnx.proto.
constexpr uint64_t modelGraph = 7;
constexpr uint64_t graphInitializer = 5;
constexpr uint64_t tensorRawData = 9;

enum WireType : unsigned { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct Field {
  uint64_t number;
  unsigned wire;
  uint64_t start;   // of the tag
  uint64_t payload; // of the value
  uint64_t end;
};

class Scanner {
public:
  Scanner(ByteSpan file, ScannedModel &model) : file(file), model(model) {}

  bool scanModelMessage(uint64_t at, uint64_t end);
  std::string problem;

private:
  bool scanGraph(uint64_t at, uint64_t end, std::string &out);
  bool scanTensor(uint64_t at, uint64_t end, std::string &out, PayloadSpan &span);
  bool readVarint(uint64_t &at, uint64_t end, uint64_t &value);
  bool nextField(uint64_t &at, uint64_t end, Field &field);
  bool payloadEnd(const Field &field, uint64_t end, uint64_t length);
  void copy(const Field &field, std::string &out) const {
    out.append(reinterpret_cast<const char *>(file.data()) + field.start, field.end - field.start);
  }

  ByteSpan file;
  ScannedModel &model;
};

void appendVarint(uint64_t value, std::string &out) {
  for (; value >= 0x80; value >>= 7)
    out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

void appendMessage(uint64_t number, const std::string &message, std::string &out) {
  appendVarint((number << 3) | Bytes, out);
  appendVarint(message.size(), out);
  out += message;
}

} // namespace

bool Scanner::readVarint(uint64_t &at, uint64_t end, uint64_t &value) {
  value = 0;
  const uint64_t start = at;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (at >= end) {
      problem = "byte " + std::to_string(start) + ": a number is cut off; the file is truncated or damaged";
      return false;
    }
    const uint8_t byte = file[at++];
    if (shift < 64)
      value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return true;
  }
  problem = "byte " + std::to_string(start) + ": a number has more than 10 bytes; the file is damaged";
  return false;
}

bool Scanner::payloadEnd(const Field &field, uint64_t end, uint64_t length) {
  if (length <= end - field.payload)
    return true;
  problem = "byte " + std::to_string(field.start) + ": field " + std::to_string(field.number) + " announces " +
            std::to_string(length) + " bytes, but " + std::to_string(end - field.payload) +
            " are left; the file is truncated or damaged";
  return false;
}

bool Scanner::nextField(uint64_t &at, uint64_t end, Field &field) {
  uint64_t tag = 0, length = 0;
  field.start = at;
  if (!readVarint(at, end, tag))
    return false;
  field.number = tag >> 3;
  field.wire = tag & 7;
  field.payload = at;
  if (field.number == 0 || field.number >= (uint64_t(1) << 29)) {
    problem = "byte " + std::to_string(field.start) + ": field number " + std::to_string(field.number) +
              " is outside [1, 536870911]; the file is damaged";
    return false;
  }
  switch (field.wire) {
  case Varint:
    if (!readVarint(at, end, length))
      return false;
    field.end = at;
    return true;
  case Bytes:
    if (!readVarint(at, end, length))
      return false;
    field.payload = at;
    break;
  case Fixed64:
    length = 8;
    break;
  case Fixed32:
    length = 4;
    break;
  default:
    problem = "byte " + std::to_string(field.start) + ": wire type " + std::to_string(field.wire) +
              " does not occur in ONNX files; the file is damaged";
    return false;
  }
  if (!payloadEnd(field, end, length))
    return false;
  at = field.end = field.payload + length;
  return true;
}

bool Scanner::scanTensor(uint64_t at, uint64_t end, std::string &out, PayloadSpan &span) {
  Field field;
  while (at < end) {
    if (!nextField(at, end, field))
      return false;
    if (field.number == tensorRawData && field.wire == Bytes)
      span = {true, field.payload, field.end - field.payload};
    else
      copy(field, out);
  }
  return true;
}

bool Scanner::scanGraph(uint64_t at, uint64_t end, std::string &out) {
  Field field;
  while (at < end) {
    if (!nextField(at, end, field))
      return false;
    if (field.number != graphInitializer || field.wire != Bytes) {
      copy(field, out);
      continue;
    }
    std::string tensor;
    PayloadSpan span;
    if (!scanTensor(field.payload, field.end, tensor, span))
      return false;
    model.payloads.push_back(span);
    appendMessage(graphInitializer, tensor, out);
  }
  return true;
}

bool Scanner::scanModelMessage(uint64_t at, uint64_t end) {
  Field field;
  while (at < end) {
    if (!nextField(at, end, field))
      return false;
    if (field.number != modelGraph || field.wire != Bytes) {
      copy(field, model.rest);
      continue;
    }
    std::string graph;
    if (!scanGraph(field.payload, field.end, graph))
      return false;
    appendMessage(modelGraph, graph, model.rest);
  }
  return true;
}

std::optional<std::string> amp::compiler::scanModel(ByteSpan file, ScannedModel &model) {
  Scanner scanner(file, model);
  if (scanner.scanModelMessage(0, file.size()))
    return std::nullopt;
  return scanner.problem;
}
