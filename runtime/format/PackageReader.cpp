#include "runtime/format/PackageReader.h"

#include "runtime/base/Checked.h"
#include "runtime/format/PackageLayout.h"

#include <cstring>

namespace amp::runtime {
namespace {

static_assert(static_cast<int>(ElementType::I1) == static_cast<int>(format::ElementType::I1) &&
                  static_cast<int>(ElementType::I64) == static_cast<int>(format::ElementType::I64) &&
                  static_cast<int>(format::ElementType::MAX) + 1 == static_cast<int>(elementTypeCount),
              "element types of base and of the package are numbered alike");

Status damaged(std::string text) {
  return Status(StatusCode::Damaged, std::move(text));
}

Digest digestWithoutItself(ByteSpan file) {
  Hasher hasher;
  hasher.update(file.slice(0, package::digestOffset));
  uint64_t rest = package::digestOffset + package::digestBytes;
  hasher.update(file.slice(rest, file.size() - rest));
  return hasher.digest();
}

Result<package::Header> readHeader(ByteSpan file) {
  uint64_t comparable = std::min<uint64_t>(file.size(), sizeof package::magic);
  if (comparable == 0)
    return damaged("is empty; give a package that amp-compile wrote");
  if (std::memcmp(file.data(), package::magic, comparable) != 0)
    return damaged("is no amp package (its first bytes are others); give a file that amp-compile wrote");
  if (file.size() < package::headerBytes)
    return damaged("is cut off after " + std::to_string(file.size()) + " bytes, inside the header of " +
                   std::to_string(package::headerBytes) + "; copy the package again or recompile the model");
  package::Header header;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.version != package::formatVersion)
    return Status(StatusCode::Version, "has package format version " + std::to_string(header.version) +
                                           ", this runtime reads version " + std::to_string(package::formatVersion) +
                                           "; recompile the model with the amp-compile of this installation");
  if (header.totalBytes != file.size())
    return damaged("has " + std::to_string(file.size()) + " bytes where its header says " +
                   std::to_string(header.totalBytes) + "; copy the package again or recompile the model");
  return header;
}

} // namespace

std::string shapeText(Span<const uint64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

Result<PackageReader> PackageReader::open(FileSystem &files, const std::string &path) {
  Result<std::unique_ptr<MappedFile>> mapping = files.map(path);
  if (!mapping.isOk())
    return mapping.status();
  PackageReader reader;
  reader.filePath = path;
  reader.mapping = std::move(*mapping);
  if (Status status = reader.parse(); !status.isOk())
    return std::move(status).at(path);
  return reader;
}

Status PackageReader::parse() {
  ByteSpan file = mapping->bytes();
  Result<package::Header> header = readHeader(file);
  if (!header.isOk())
    return header.status();
  fileDigest = digestWithoutItself(file);
  if (fileDigest != Digest{header->digestLow, header->digestHigh})
    return damaged("is damaged: its checksum is " + digestText(fileDigest) + " where its header says " +
                   digestText({header->digestLow, header->digestHigh}) +
                   "; copy the package again or recompile the model");

  Limits limits;
  std::optional<uint64_t> blobOffset = checkedAlign(package::headerBytes + header->metadataBytes, package::alignment);
  if (header->metadataBytes > limits.metadataBytes || header->blobOffset != blobOffset ||
      header->blobOffset > file.size())
    return damaged("places its blob section at byte " + std::to_string(header->blobOffset) + " behind " +
                   std::to_string(header->metadataBytes) + " bytes of metadata; recompile the model");
  ByteSpan metadata = file.slice(package::headerBytes, header->metadataBytes);
  blobs = file.slice(header->blobOffset, file.size() - header->blobOffset);

  // No table is smaller than 4 bytes, so this bound never refuses what fits in the file.
  flatbuffers::Verifier verifier(metadata.data(), metadata.size(), 64, flatbuffers::uoffset_t(metadata.size() / 4 + 1));
  if (!format::VerifyPackageBuffer(verifier))
    return damaged("holds metadata that the FlatBuffers verifier refuses; recompile the model");
  root = format::GetPackage(metadata.data());
  return checkPackage(*root, blobs.size(), limits);
}

const format::Program *PackageReader::program(std::string_view name) const {
  for (const format::Program *program : *root->programs())
    if (viewOf(program->name()) == name)
      return program;
  return nullptr;
}

} // namespace amp::runtime
