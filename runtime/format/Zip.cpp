// The zip format after PKWARE's APPNOTE 6.3: the end record leads to the central directory, that to the members.
#include "runtime/format/Zip.h"

#include "runtime/base/Checked.h"
#include "runtime/format/Inflate.h"

#include <algorithm>
#include <unordered_set>
#include <zlib.h>

namespace amp::runtime {
namespace {

constexpr uint32_t endSignature = 0x06054b50, end64Signature = 0x06064b50, locatorSignature = 0x07064b50;
constexpr uint32_t entrySignature = 0x02014b50, localSignature = 0x04034b50;
constexpr uint64_t endBytes = 22, end64Bytes = 56, locatorBytes = 20, entryBytes = 46, localBytes = 30;
constexpr uint16_t zip64Field = 1;

struct Directory {
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint64_t members = 0;
  uint64_t endOffset = 0; // of the record that the directory must reach
};

class DirectoryReader {
public:
  DirectoryReader(ByteSpan file, const std::string &place, const Limits &limits)
      : file(file), place(place), limits(limits) {}

  Result<std::vector<ZipMember>> read();

private:
  Result<uint64_t> findEnd() const;
  Result<Directory> readEnd() const;
  Result<Directory> readEnd64(uint64_t endOffset) const;
  Status checkDirectory(const Directory &directory) const;
  Result<ZipMember> readEntry(uint64_t end);
  Status readWideSizes(ByteSpan extra, ZipMember &member) const;
  Status checkKind(const ZipMember &member, uint16_t flags, uint16_t method) const;
  Status checkLocal(ZipMember &member, uint64_t dataEnd) const;
  Status checkOverlap(const std::vector<ZipMember> &members) const;

  ByteSpan file;
  const std::string &place;
  const Limits &limits;
  uint64_t at = 0;
};

// The end record lies behind everything, under a comment of at most 65,535 bytes that must fill the rest exactly.
Result<uint64_t> DirectoryReader::findEnd() const {
  uint64_t last = file.size() < endBytes ? 0 : file.size() - endBytes;
  uint64_t first = last > UINT16_MAX ? last - UINT16_MAX : 0;
  for (uint64_t offset = last + 1; offset-- > first && file.size() >= endBytes;) {
    const uint8_t *record = file.data() + offset;
    if (loadU32(record) == endSignature && offset + endBytes + loadU16(record + 20) == file.size())
      return offset;
  }
  return damaged(place,
                 "no zip archive, or its end is missing: no end record in " + std::to_string(file.size()) + " bytes");
}

Result<Directory> DirectoryReader::readEnd64(uint64_t endOffset) const {
  if (endOffset < locatorBytes || loadU32(file.data() + endOffset - locatorBytes) != locatorSignature)
    return damaged(place, "zip end record announces zip64, but no zip64 locator precedes it");
  uint64_t recordOffset = loadU64(file.data() + endOffset - locatorBytes + 8);
  if (!fitsInside(recordOffset, end64Bytes, endOffset - locatorBytes))
    return damaged(place, "zip64 end record at " + std::to_string(recordOffset) + " lies outside the file of " +
                              std::to_string(file.size()) + " bytes");
  const uint8_t *record = file.data() + recordOffset;
  if (loadU32(record) != end64Signature)
    return damaged(place, "no zip64 end record at " + std::to_string(recordOffset) + " where the locator puts it");
  return Directory{loadU64(record + 48), loadU64(record + 40), loadU64(record + 32), recordOffset};
}

Result<Directory> DirectoryReader::readEnd() const {
  Result<uint64_t> endOffset = findEnd();
  if (!endOffset.isOk())
    return endOffset.status();
  const uint8_t *record = file.data() + *endOffset;
  if (loadU16(record + 4) != 0 || loadU16(record + 6) != 0)
    return unfit(place, "zip archive in several parts, wanted one file");
  Directory directory{loadU32(record + 16), loadU32(record + 12), loadU16(record + 10), *endOffset};
  if (directory.offset == UINT32_MAX || directory.bytes == UINT32_MAX || directory.members == UINT16_MAX)
    return readEnd64(*endOffset);
  return directory;
}

Status DirectoryReader::checkDirectory(const Directory &directory) const {
  if (!fitsInside(directory.offset, directory.bytes, directory.endOffset) ||
      directory.offset + directory.bytes != directory.endOffset)
    return damaged(place, "zip directory of " + std::to_string(directory.bytes) + " bytes at " +
                              std::to_string(directory.offset) + ", wanted one that ends at " +
                              std::to_string(directory.endOffset));
  uint64_t most = std::min(limits.archiveMembers, directory.bytes / entryBytes);
  if (directory.members > most)
    return damaged(place, "zip directory announces " + std::to_string(directory.members) + " members, wanted at most " +
                              std::to_string(most));
  return Status();
}

// Sizes and offset that do not fit 32 bits stand in an extra field, in this order, only those that are saturated.
Status DirectoryReader::readWideSizes(ByteSpan extra, ZipMember &member) const {
  uint64_t *wide[] = {&member.bytes, &member.packedBytes, &member.headerOffset};
  size_t position = 0;
  while (position + 4 <= extra.size()) {
    uint16_t kind = loadU16(extra.data() + position);
    uint64_t length = loadU16(extra.data() + position + 2);
    position += 4;
    if (length > extra.size() - position)
      return damaged(place, "zip extra field of " + std::to_string(length) + " bytes, wanted at most " +
                                std::to_string(extra.size() - position));
    uint64_t used = 0;
    for (uint64_t *field : wide) {
      if (kind != zip64Field || *field != UINT32_MAX)
        continue;
      if (length - used < 8)
        return damaged(place, "zip64 field of " + std::to_string(length) + " bytes lacks a size");
      *field = loadU64(extra.data() + position + used);
      used += 8;
    }
    position += length;
    if (kind == zip64Field)
      break;
  }
  return Status();
}

Status DirectoryReader::checkKind(const ZipMember &member, uint16_t flags, uint16_t method) const {
  std::string who = "zip member " + quoted(member.name);
  if (flags & 1)
    return unfit(place, who + " is encrypted; write the archive with numpy.savez");
  if (method != 0 && method != 8)
    return unfit(place, who + " is compressed with method " + std::to_string(method) +
                            ", wanted 0 (stored) or 8 "
                            "(deflated)");
  if (member.name.size() > limits.nameBytes)
    return damaged(place, who + " has a name of " + std::to_string(member.name.size()) + " bytes, wanted at most " +
                              std::to_string(limits.nameBytes));
  if (method == 0 && member.bytes != member.packedBytes)
    return damaged(place, who + " is stored in " + std::to_string(member.packedBytes) + " bytes, but announces " +
                              std::to_string(member.bytes));
  if (method == 8 && member.bytes / limits.expansion > member.packedBytes)
    return damaged(place, who + " announces " + std::to_string(member.bytes) +
                              " bytes, more than deflate can make of " + std::to_string(member.packedBytes));
  return Status();
}

Result<ZipMember> DirectoryReader::readEntry(uint64_t end) {
  if (!fitsInside(at, entryBytes, end) || loadU32(file.data() + at) != entrySignature)
    return damaged(place, "no zip directory entry at " + std::to_string(at) + ", where one is announced");
  const uint8_t *entry = file.data() + at;
  uint64_t nameBytes = loadU16(entry + 28), extraBytes = loadU16(entry + 30), commentBytes = loadU16(entry + 32);
  if (!fitsInside(at + entryBytes, nameBytes + extraBytes + commentBytes, end))
    return damaged(place, "zip directory entry at " + std::to_string(at) + " leaves the directory");
  ZipMember member;
  member.name.assign(reinterpret_cast<const char *>(entry) + entryBytes, nameBytes);
  member.crc = loadU32(entry + 16);
  member.packedBytes = loadU32(entry + 20);
  member.bytes = loadU32(entry + 24);
  member.headerOffset = loadU32(entry + 42);
  member.deflated = loadU16(entry + 10) == 8;
  Status status = readWideSizes(file.slice(at + entryBytes + nameBytes, extraBytes), member);
  if (status.isOk())
    status = checkKind(member, loadU16(entry + 8), loadU16(entry + 10));
  if (!status.isOk())
    return status;
  at += entryBytes + nameBytes + extraBytes + commentBytes;
  return member;
}

Status DirectoryReader::checkLocal(ZipMember &member, uint64_t dataEnd) const {
  std::string who = "zip member " + quoted(member.name);
  if (!fitsInside(member.headerOffset, localBytes, dataEnd) ||
      loadU32(file.data() + member.headerOffset) != localSignature)
    return damaged(place, who + " has no header at " + std::to_string(member.headerOffset));
  const uint8_t *local = file.data() + member.headerOffset;
  uint64_t nameBytes = loadU16(local + 26), extraBytes = loadU16(local + 28);
  uint64_t nameOffset = member.headerOffset + localBytes;
  member.dataOffset = nameOffset + nameBytes + extraBytes;
  if (!fitsInside(member.dataOffset, member.packedBytes, dataEnd))
    return damaged(place, who + " takes " + std::to_string(member.packedBytes) + " bytes at " +
                              std::to_string(member.dataOffset) + ", past the members' end at " +
                              std::to_string(dataEnd));
  std::string_view name(reinterpret_cast<const char *>(file.data()) + nameOffset, nameBytes);
  bool deflated = loadU16(local + 8) == 8;
  if (name != member.name || deflated != member.deflated)
    return damaged(place, who + " is called " + quoted(name) + " or packed otherwise in its own header");
  return Status();
}

// Overlapping members would let a small file announce a huge sum.
Status DirectoryReader::checkOverlap(const std::vector<ZipMember> &members) const {
  std::vector<const ZipMember *> sorted;
  for (const ZipMember &member : members)
    sorted.push_back(&member);
  std::sort(sorted.begin(), sorted.end(),
            [](const ZipMember *a, const ZipMember *b) { return a->headerOffset < b->headerOffset; });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i - 1]->dataOffset + sorted[i - 1]->packedBytes > sorted[i]->headerOffset)
      return damaged(place,
                     "zip members " + quoted(sorted[i - 1]->name) + " and " + quoted(sorted[i]->name) + " overlap");
  return Status();
}

Result<std::vector<ZipMember>> DirectoryReader::read() {
  Result<Directory> directory = readEnd();
  if (!directory.isOk())
    return directory.status();
  if (Status status = checkDirectory(*directory); !status.isOk())
    return status;
  std::vector<ZipMember> members;
  std::unordered_set<std::string> names;
  at = directory->offset;
  for (uint64_t i = 0; i < directory->members; ++i) {
    Result<ZipMember> member = readEntry(directory->endOffset);
    if (!member.isOk())
      return member.status();
    if (Status status = checkLocal(*member, directory->offset); !status.isOk())
      return status;
    if (!names.insert(member->name).second)
      return damaged(place, "two zip members are called " + quoted(member->name));
    members.push_back(std::move(*member));
  }
  if (at != directory->endOffset)
    return damaged(place, "zip directory goes on after its " + std::to_string(directory->members) + " members");
  if (Status status = checkOverlap(members); !status.isOk())
    return status;
  return members;
}

} // namespace

Result<std::vector<ZipMember>> readZipDirectory(ByteSpan file, const std::string &place, const Limits &limits) {
  return DirectoryReader(file, place, limits).read();
}

Result<ByteSpan> readZipMember(ByteSpan file, const ZipMember &member, const std::string &place,
                               std::vector<uint8_t> &storage) {
  ByteSpan packed = file.slice(member.dataOffset, member.packedBytes);
  ByteSpan content = packed;
  if (member.deflated) {
    if (Status status = inflateInto(packed, DeflateWrapper::Raw, member.bytes, storage, place); !status.isOk())
      return status;
    content = storage;
  }
  if (content.size() != member.bytes)
    return damaged(place, std::to_string(content.size()) + " bytes, but the zip directory announces " +
                              std::to_string(member.bytes));
  if (uint32_t crc = crc32Of(content); crc != member.crc)
    return damaged(place, "check sum " + std::to_string(crc) + ", wanted " + std::to_string(member.crc) +
                              "; copy the file again");
  return content;
}

uint32_t crc32Of(ByteSpan bytes) {
  return uint32_t(crc32_z(crc32_z(0, nullptr, 0), bytes.data(), bytes.size()));
}

} // namespace amp::runtime
