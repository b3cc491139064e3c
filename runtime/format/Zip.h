// Reads zip archives as numpy and others write them: stored and deflated members, zip64, no encryption. The reader
// takes hostile bytes; names are data and are never used as paths.
#pragma once

#include "runtime/format/Array.h"

namespace amp::runtime {

struct ZipMember {
  std::string name;
  uint32_t crc = 0;
  bool deflated = false;
  uint64_t headerOffset = 0;
  uint64_t dataOffset = 0;
  uint64_t packedBytes = 0;
  uint64_t bytes = 0;
};

/// The members in the order of the central directory. Proven: every local header lies inside the file and agrees
/// with the directory, no two members overlap (so that the sum of the members is bounded by the file), names differ.
Result<std::vector<ZipMember>> readZipDirectory(ByteSpan file, const std::string &place, const Limits &limits = {});

/// The member's content: a span into `file` for a stored one, else into `storage`, which grows with what deflate
/// really gives and never past the size that the directory announces. The check sum is verified.
Result<ByteSpan> readZipMember(ByteSpan file, const ZipMember &member, const std::string &place,
                               std::vector<uint8_t> &storage);

uint32_t crc32Of(ByteSpan bytes);

} // namespace amp::runtime
