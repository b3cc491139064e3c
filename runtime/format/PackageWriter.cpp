#include "runtime/format/PackageWriter.h"

#include "runtime/base/Checked.h"
#include "runtime/base/Hash.h"
#include "runtime/base/Limits.h"
#include "runtime/format/PackageLayout.h"

#include <cstring>

namespace amp::runtime {

Status writePackage(FileSystem &files, const std::string &path, ByteSpan metadata, ByteSpan blobs) {
  uint64_t most = Limits().metadataBytes;
  if (metadata.size() > most)
    return Status(StatusCode::Unsupported,
                  "metadata of " + std::to_string(metadata.size()) + " bytes is over the limit of " +
                      std::to_string(most) + "; split the model",
                  path);
  package::Header header = {};
  std::memcpy(header.magic, package::magic, sizeof header.magic);
  header.version = package::formatVersion;
  header.metadataBytes = metadata.size();
  header.blobOffset = *checkedAlign(package::headerBytes + metadata.size(), package::alignment);
  header.totalBytes = header.blobOffset + blobs.size();

  const uint8_t zeros[package::alignment] = {};
  ByteSpan padding(zeros, header.blobOffset - package::headerBytes - metadata.size());
  const auto *start = reinterpret_cast<const uint8_t *>(&header);
  uint64_t rest = package::digestOffset + package::digestBytes;
  Hasher hasher;
  hasher.update(ByteSpan(start, package::digestOffset));
  hasher.update(ByteSpan(start + rest, package::headerBytes - rest));
  hasher.update(metadata);
  hasher.update(padding);
  hasher.update(blobs);
  header.digestLow = hasher.digest().low;
  header.digestHigh = hasher.digest().high;

  const ByteSpan parts[] = {ByteSpan(start, package::headerBytes), metadata, padding, blobs};
  return writeBeside(files, path, Span<const ByteSpan>(parts, 4));
}

} // namespace amp::runtime
