// The IDX format of MNIST: two zero bytes, a type, a rank, big-endian dimensions, elements. Hostile bytes are fine:
// nothing is allocated but the shape, at most 255 numbers that the file holds.
#pragma once

#include "runtime/base/FileSystem.h"
#include "runtime/format/Array.h"

namespace amp::data {

/// An IDX array of bytes (types 0x08 and 0x09). The view borrows `file`.
runtime::Result<runtime::ArrayView> readIdx(runtime::ByteSpan file, const std::string &place);

/// An IDX file, plain or as PATH.gz, and the bytes that its view borrows.
struct IdxFile {
  runtime::ArrayView view;
  std::unique_ptr<runtime::MappedFile> mapping;
  std::vector<uint8_t> inflated;
  std::string path;
};
runtime::Result<IdxFile> openIdx(runtime::FileSystem &files, const std::string &path, const runtime::Limits &limits);

} // namespace amp::data
