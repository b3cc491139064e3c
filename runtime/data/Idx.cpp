#include "runtime/data/Idx.h"

#include "runtime/base/Checked.h"
#include "runtime/format/Inflate.h"

namespace amp::data {

using runtime::Result;
using runtime::Status;

Result<runtime::ArrayView> readIdx(runtime::ByteSpan file, const std::string &place) {
  constexpr size_t magicBytes = 4;
  if (file.size() < magicBytes || file[0] != 0 || file[1] != 0)
    return runtime::damaged(place, "no IDX file: it does not start with two zero bytes, a type and a rank");
  if (file[2] != 0x08 && file[2] != 0x09)
    return runtime::unfit(place, "IDX type " + std::to_string(file[2]) +
                                     ", wanted 8 (unsigned bytes) or 9 (signed "
                                     "bytes); convert wider elements to a FILE.npz");
  size_t rank = file[3];
  if (file.size() - magicBytes < rank * 4)
    return runtime::damaged(place, "ends inside its " + std::to_string(rank) + " dimensions, after " +
                                       std::to_string(file.size()) + " bytes");
  runtime::ArrayView view;
  view.type = file[2] == 0x08 ? runtime::ScalarType::U8 : runtime::ScalarType::I8;
  for (size_t i = 0; i < rank; ++i) {
    const uint8_t *axis = file.data() + magicBytes + 4 * i;
    view.shape.push_back(uint64_t(axis[0]) << 24 | uint64_t(axis[1]) << 16 | uint64_t(axis[2]) << 8 | axis[3]);
  }
  size_t dataOffset = magicBytes + 4 * rank;
  std::optional<uint64_t> wanted = runtime::arrayBytes(view.type, view.shape);
  if (!wanted || *wanted != file.size() - dataOffset)
    return runtime::damaged(place, std::to_string(file.size() - dataOffset) + " bytes of elements, wanted " +
                                       (wanted ? std::to_string(*wanted) : std::string("more than 2^64")) + " for " +
                                       runtime::shapeText(view.shape));
  view.bytes = file.slice(dataOffset, file.size() - dataOffset);
  return view;
}

Result<IdxFile> openIdx(runtime::FileSystem &files, const std::string &path, const runtime::Limits &limits) {
  IdxFile idx;
  idx.path = path;
  Result<runtime::PathKind> kind = files.kind(path);
  Result<runtime::PathKind> packedKind = files.kind(path + ".gz");
  if (kind.isOk() && *kind == runtime::PathKind::Missing && packedKind.isOk() &&
      *packedKind != runtime::PathKind::Missing)
    idx.path += ".gz";
  Result<std::unique_ptr<runtime::MappedFile>> mapping = files.map(idx.path);
  if (!mapping.isOk())
    return mapping.status();
  runtime::ByteSpan content = (*mapping)->bytes();
  if (idx.path == path) {
    idx.mapping = std::move(*mapping);
  } else {
    uint64_t most = runtime::checkedMultiply(content.size(), limits.expansion).value_or(UINT64_MAX);
    Status status = runtime::inflateInto(content, runtime::DeflateWrapper::Gzip, most, idx.inflated, idx.path);
    if (!status.isOk())
      return status;
    content = idx.inflated;
  }
  Result<runtime::ArrayView> view = readIdx(content, idx.path);
  if (!view.isOk())
    return view.status();
  idx.view = std::move(*view);
  return idx;
}

} // namespace amp::data
