// The one place that says how much of what a file may hold. Readers check against it before they allocate.
#pragma once

#include <cstdint>

namespace amp::runtime {

struct Limits {
  uint64_t metadataBytes = uint64_t(1) << 30;  ///< FlatBuffers metadata of a package (offsets are 31 bits)
  uint64_t headerBytes = uint64_t(100) << 20;  ///< JSON header of a safetensors file, or of a checkpoint
  uint64_t tensors = uint64_t(1) << 20;        ///< tensors in one file
  uint64_t nameBytes = 4096;                   ///< one name
  uint64_t rank = 32;                          ///< dimensions of one tensor
  uint64_t archiveMembers = uint64_t(1) << 16; ///< members of a zip archive
  uint64_t jsonDepth = 32;                     ///< nesting of JSON
  /// Deflate reaches 1032:1; more than that is no zip archive that anyone wrote.
  uint64_t expansion = 1040;
  uint64_t threads = 1024;
  uint64_t workspaceBytes = uint64_t(1) << 40; ///< of one running tile
};

} // namespace amp::runtime
