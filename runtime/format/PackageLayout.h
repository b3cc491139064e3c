// The bytes of model.amp around its metadata: 64 bytes of header, the FlatBuffers metadata, zeros up to the next
// multiple of 64, the blob section. All numbers little-endian. docs/architecture.md, "The package".
#pragma once

#include <cstdint>

namespace amp::runtime::package {

/// The first byte is no text, and the line ends show a file that went through a text-mode copy (as PNG does).
constexpr uint8_t magic[8] = {0x89, 'A', 'M', 'P', '\r', '\n', 0x1a, '\n'};
/// Raised with every change that an older or newer runtime cannot read.
constexpr uint32_t formatVersion = 1;
constexpr uint64_t headerBytes = 64;
constexpr uint64_t alignment = 64;

struct Header {
  uint8_t magic[8];
  uint32_t version;
  uint32_t reserved; ///< 0
  uint64_t metadataBytes;
  uint64_t blobOffset;
  uint64_t totalBytes;
  uint64_t digestLow; ///< XXH3-128 of all bytes of the file except these sixteen
  uint64_t digestHigh;
  uint64_t reserved2; ///< 0
};
static_assert(sizeof(Header) == headerBytes, "the header has no padding of its own");
constexpr uint64_t digestOffset = 40;
constexpr uint64_t digestBytes = 16;

} // namespace amp::runtime::package
