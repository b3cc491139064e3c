// Stored members with the time stamp 1980-01-01, zip64 fields only where a number needs them.
#include "runtime/base/Checked.h"
#include "runtime/base/Half.h"
#include "runtime/format/Npy.h"
#include "runtime/format/Npz.h"

#include <algorithm>
#include <cstring>
#include <zlib.h>

namespace amp::runtime {
namespace {

constexpr uint16_t plainVersion = 20, zip64Version = 45;
constexpr uint16_t utf8Flag = 0x800;
constexpr uint16_t firstDay = 0x21; // 1980-01-01

bool isWide(uint64_t value) {
  return value >= UINT32_MAX;
}
uint32_t narrowed(uint64_t value) {
  return isWide(value) ? UINT32_MAX : uint32_t(value);
}

// What local header and directory entry have in common: version to check sum to sizes to length of the name.
void appendMember(std::string &to, const ZipMember &member, bool wide) {
  bool ascii = std::all_of(member.name.begin(), member.name.end(), [](char c) { return (c & 0x80) == 0; });
  appendU16(to, wide ? zip64Version : plainVersion);
  appendU16(to, ascii ? 0 : utf8Flag);
  appendU16(to, 0); // stored
  appendU16(to, 0); // midnight
  appendU16(to, firstDay);
  appendU32(to, member.crc);
  appendU32(to, narrowed(member.packedBytes));
  appendU32(to, narrowed(member.bytes));
  appendU16(to, uint16_t(member.name.size()));
}

std::string localHeader(const ZipMember &member) {
  bool wide = isWide(member.bytes);
  std::string header;
  appendU32(header, 0x04034b50);
  appendMember(header, member, wide);
  appendU16(header, wide ? 20 : 0);
  header += member.name;
  if (wide) {
    appendU16(header, 1);
    appendU16(header, 16);
    appendU64(header, member.bytes);
    appendU64(header, member.packedBytes);
  }
  return header;
}

std::string directoryEntry(const ZipMember &member) {
  std::string sizes;
  for (uint64_t value : {member.bytes, member.packedBytes, member.headerOffset})
    if (isWide(value))
      appendU64(sizes, value);
  std::string entry;
  appendU32(entry, 0x02014b50);
  appendU16(entry, zip64Version);
  appendMember(entry, member, !sizes.empty());
  appendU16(entry, uint16_t(sizes.empty() ? 0 : sizes.size() + 4));
  appendU16(entry, 0); // comment
  appendU16(entry, 0); // disk
  appendU16(entry, 0); // internal attributes
  appendU32(entry, 0); // external attributes
  appendU32(entry, narrowed(member.headerOffset));
  entry += member.name;
  if (!sizes.empty()) {
    appendU16(entry, 1);
    appendU16(entry, uint16_t(sizes.size()));
    entry += sizes;
  }
  return entry;
}

void appendEnd64(std::string &to, uint64_t members, uint64_t bytes, uint64_t offset) {
  appendU32(to, 0x06064b50);
  appendU64(to, 44); // of the record, behind this number
  appendU16(to, zip64Version);
  appendU16(to, zip64Version);
  appendU32(to, 0); // this disk
  appendU32(to, 0); // the directory's disk
  appendU64(to, members);
  appendU64(to, members);
  appendU64(to, bytes);
  appendU64(to, offset);
  appendU32(to, 0x07064b50);
  appendU32(to, 0); // the record's disk
  appendU64(to, offset + bytes);
  appendU32(to, 1); // disks
}

} // namespace

ByteSpan NpzWriter::widened(ByteSpan halves) {
  converted.emplace_back(halves.size() * 2);
  std::vector<uint8_t> &floats = converted.back();
  for (size_t i = 0; i + 1 < halves.size(); i += 2) {
    float value = bf16ToFloat(loadU16(halves.data() + i));
    std::memcpy(floats.data() + 2 * i, &value, sizeof value);
  }
  return floats;
}

Status NpzWriter::add(const std::string &name, ScalarType type, const std::vector<uint64_t> &shape, ByteSpan bytes) {
  std::optional<uint64_t> wanted = arrayBytes(type, shape);
  if (!wanted || *wanted != bytes.size())
    return Status(StatusCode::Internal,
                  std::to_string(bytes.size()) + " bytes for " + std::string(scalarName(type)) + shapeText(shape),
                  "npz array " + quoted(name));
  if (name.size() > UINT16_MAX - 4)
    return unfit("npz array " + quoted(name),
                 "name of " + std::to_string(name.size()) + " bytes, wanted at most 65531");
  if (!names.emplace(name, members.size()).second)
    return Status(StatusCode::Internal, "added twice", "npz array " + quoted(name));
  Member member;
  member.elements = type == ScalarType::BF16 ? widened(bytes) : bytes;
  Result<std::string> header = npyHeader(type == ScalarType::BF16 ? ScalarType::F32 : type, shape);
  if (!header.isOk())
    return header.status();
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef *>(header->data()), header->size());
  // With a null pointer zlib would start over.
  if (!member.elements.empty())
    crc = crc32_z(crc, member.elements.data(), member.elements.size());
  member.zip.name = name + ".npy";
  member.zip.crc = uint32_t(crc);
  member.zip.headerOffset = offset;
  member.zip.bytes = member.zip.packedBytes = header->size() + member.elements.size();
  member.head = localHeader(member.zip) + *header;
  offset += member.head.size() + member.elements.size();
  members.push_back(std::move(member));
  return Status();
}

std::string NpzWriter::directory() const {
  std::string text;
  for (const Member &member : members)
    text += directoryEntry(member.zip);
  uint64_t bytes = text.size();
  bool wide = isWide(bytes) || isWide(offset) || members.size() >= UINT16_MAX;
  if (wide)
    appendEnd64(text, members.size(), bytes, offset);
  uint16_t count = wide ? UINT16_MAX : uint16_t(members.size());
  appendU32(text, 0x06054b50);
  appendU16(text, 0);
  appendU16(text, 0);
  appendU16(text, count);
  appendU16(text, count);
  appendU32(text, wide ? UINT32_MAX : uint32_t(bytes));
  appendU32(text, wide ? UINT32_MAX : uint32_t(offset));
  appendU16(text, 0);
  return text;
}

std::vector<ByteSpan> NpzWriter::parts(const std::string &directory) const {
  std::vector<ByteSpan> parts;
  for (const Member &member : members) {
    parts.push_back(bytesOf(member.head));
    parts.push_back(member.elements);
  }
  parts.push_back(bytesOf(directory));
  return parts;
}

Status NpzWriter::write(FileSystem &files, const std::string &path) const {
  std::string end = directory();
  std::vector<ByteSpan> pieces = parts(end);
  return writeBeside(files, path, pieces);
}

std::vector<uint8_t> NpzWriter::bytes() const {
  std::string end = directory();
  std::vector<uint8_t> all;
  for (ByteSpan part : parts(end))
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

} // namespace amp::runtime
