#include "runtime/format/Safetensors.h"

#include "runtime/base/Checked.h"
#include "runtime/format/SafetensorsHeader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace amp::runtime {
namespace {

constexpr uint64_t lengthBytes = 8;

// The tensors, in the order of their bytes, must follow one another from 0 to the end: no byte is unclaimed and none
// is claimed twice.
Status checkTiling(const std::vector<SafetensorsEntry> &entries, uint64_t dataBytes, const std::string &place) {
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return entries[a].offsets < entries[b].offsets; });
  uint64_t reached = 0;
  for (size_t i : order) {
    if (entries[i].offsets[0] != reached)
      return damaged(place, "tensor " + runtime::quoted(entries[i].name) + " begins at " +
                                std::to_string(entries[i].offsets[0]) + ", wanted " + std::to_string(reached) +
                                ", where the one before it ends");
    reached = entries[i].offsets[1];
  }
  if (reached != dataBytes)
    return damaged(place, "the tensors end at " + std::to_string(reached) + ", wanted " + std::to_string(dataBytes) +
                              ", the end of the file");
  return Status();
}

} // namespace

Result<SafetensorsFile> SafetensorsFile::open(FileSystem &files, const std::string &path, const Limits &limits) {
  Result<std::unique_ptr<MappedFile>> mapping = files.map(path);
  if (!mapping.isOk())
    return mapping.status();
  Result<SafetensorsFile> file = parse((*mapping)->bytes(), path, limits);
  if (file.isOk())
    file->mapping = std::move(*mapping);
  return file;
}

Result<SafetensorsFile> SafetensorsFile::parse(ByteSpan file, const std::string &place, const Limits &limits) {
  if (file.size() < lengthBytes)
    return damaged(place, std::to_string(file.size()) + " bytes, a safetensors file has at least 8");
  uint64_t headerBytes = loadU64(file.data());
  uint64_t most = std::min<uint64_t>(limits.headerBytes, file.size() - lengthBytes);
  if (headerBytes > most)
    return damaged(place, "safetensors header of " + std::to_string(headerBytes) + " bytes, wanted at most " +
                              std::to_string(most));
  ByteSpan data = file.slice(lengthBytes + headerBytes, file.size() - lengthBytes - headerBytes);
  std::string_view text(reinterpret_cast<const char *>(file.data()) + lengthBytes, headerBytes);
  Result<SafetensorsHeader> header = parseSafetensorsHeader(text, data.size(), place, limits);
  if (!header.isOk())
    return header.status();
  if (Status status = checkTiling(header->entries, data.size(), place); !status.isOk())
    return status;
  SafetensorsFile parsed;
  parsed.texts = std::move(header->metadata);
  for (SafetensorsEntry &entry : header->entries) {
    ByteSpan bytes = data.slice(entry.offsets[0], entry.offsets[1] - entry.offsets[0]);
    parsed.places.emplace(entry.name, parsed.all.size());
    parsed.all.push_back({std::move(entry.name), {entry.type, std::move(entry.shape), bytes}});
  }
  return parsed;
}

const ArrayView *SafetensorsFile::find(const std::string &name) const {
  auto found = places.find(name);
  return found == places.end() ? nullptr : &all[found->second].view;
}

Status SafetensorsWriter::add(const std::string &name, ScalarType type, const std::vector<uint64_t> &shape,
                              ByteSpan bytes) {
  std::optional<uint64_t> wanted = arrayBytes(type, shape);
  if (!wanted || *wanted != bytes.size())
    return Status(StatusCode::Internal,
                  std::to_string(bytes.size()) + " bytes for " + std::string(scalarName(type)) + shapeText(shape),
                  "tensor " + runtime::quoted(name));
  if (name == "__metadata__")
    return unfit("tensor " + runtime::quoted(name),
                 "the safetensors format keeps this name for itself; rename the tensor");
  if (!places.emplace(name, all.size()).second)
    return Status(StatusCode::Internal, "added twice", "tensor " + runtime::quoted(name));
  all.push_back({name, type, shape, bytes});
  return Status();
}

// Wider elements first, else in the order of their adding: so every tensor is aligned to its element.
std::vector<const SafetensorsWriter::Tensor *> SafetensorsWriter::placed() const {
  std::vector<const Tensor *> order;
  for (const Tensor &tensor : all)
    order.push_back(&tensor);
  std::sort(order.begin(), order.end(), [](const Tensor *a, const Tensor *b) {
    uint64_t left = scalarBytes(a->type), right = scalarBytes(b->type);
    return left != right ? left > right : a < b; // both point into `all`
  });
  return order;
}

std::string SafetensorsWriter::header() const {
  auto quotedJson = [](std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  std::string text;
  for (const auto &[key, value] : texts)
    text += (text.empty() ? "" : ",") + quotedJson(key) + ":" + quotedJson(value);
  text = texts.empty() ? "{" : "{\"__metadata__\":{" + text + "}";
  uint64_t offset = 0;
  for (const Tensor *tensor : placed()) {
    text += (text.size() > 1 ? "," : "") + quotedJson(tensor->name) + ":{\"dtype\":\"";
    text += safetensorsTypeName(tensor->type);
    text += "\",\"shape\":[";
    for (size_t i = 0; i < tensor->shape.size(); ++i)
      text += (i ? "," : "") + std::to_string(tensor->shape[i]);
    uint64_t end = offset + tensor->bytes.size();
    text += "],\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(end) + "]}";
    offset = end;
  }
  text += "}";
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string all;
  appendU64(all, text.size());
  return all + text;
}

Status SafetensorsWriter::write(FileSystem &files, const std::string &path) const {
  std::string head = header();
  std::vector<ByteSpan> parts = {bytesOf(head)};
  for (const Tensor *tensor : placed())
    parts.push_back(tensor->bytes);
  return writeBeside(files, path, parts);
}

std::vector<uint8_t> SafetensorsWriter::bytes() const {
  std::string head = header();
  std::vector<uint8_t> bytes(head.begin(), head.end());
  for (const Tensor *tensor : placed())
    bytes.insert(bytes.end(), tensor->bytes.begin(), tensor->bytes.end());
  return bytes;
}

} // namespace amp::runtime
