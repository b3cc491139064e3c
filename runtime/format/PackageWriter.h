// Writes model.amp; used by compiler/package and by tests.
#pragma once

#include "runtime/base/FileSystem.h"

namespace amp::runtime {

/// Writes a package of finished FlatBuffers `metadata` (root table Package of Package.fbs) and its `blobs` section
/// beside `path` and renames it there: after a failure `path` is as it was. The same bytes in give the same bytes out.
Status writePackage(FileSystem &files, const std::string &path, ByteSpan metadata, ByteSpan blobs);

} // namespace amp::runtime
