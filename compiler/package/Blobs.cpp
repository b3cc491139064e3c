// Initial bytes come from elements attributes, or straight from the mapping of the file that holds them.
#include "compiler/package/Blobs.h"

#include "dialects/plan/Plan.h"

using namespace mlir;
using namespace amp::compiler;
using amp::runtime::Result;
using amp::runtime::Status;
using amp::runtime::StatusCode;

constexpr uint64_t kBlobAlignment = 64;

uint64_t Blobs::append(llvm::ArrayRef<char> bytes) {
  section.resize((section.size() + kBlobAlignment - 1) / kBlobAlignment * kBlobAlignment);
  uint64_t offset = section.size();
  section.insert(section.end(), bytes.begin(), bytes.end());
  return offset;
}

/// Row-major little-endian bytes; i1 as one byte an element.
static std::vector<char> bytesOf(DenseElementsAttr value) {
  std::vector<char> bytes;
  if (value.getElementType().isInteger(1)) {
    for (bool bit : value.getValues<bool>())
      bytes.push_back(bit);
    return bytes;
  }
  llvm::ArrayRef<char> raw = value.getRawData();
  int64_t copies = value.isSplat() ? value.getNumElements() : 1;
  bytes.reserve(raw.size() * copies);
  for (int64_t copy = 0; copy < copies; ++copy)
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  return bytes;
}

Result<uint64_t> Blobs::appendInitial(train::StateOp state) {
  if (auto external = dyn_cast<train::ExternalAttr>(*state.getInitial()))
    return appendExternal(state, external);
  if (auto dense = dyn_cast<DenseElementsAttr>(*state.getInitial()))
    return append(bytesOf(dense));
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(*state.getInitial()))
    return append(resource.getData());
  return Status(StatusCode::Internal, "the initial value is neither dense nor #train.external",
                amp::runtime::quoted(state.getSymName()));
}

Result<uint64_t> Blobs::appendExternal(train::StateOp state, train::ExternalAttr external) {
  std::string path = external.getPath().str();
  auto &file = mapped[path];
  if (!file) {
    auto opened = files.map(path);
    if (!opened.isOk())
      return std::move(opened).status();
    file = std::move(opened).value();
  }
  auto bytes = file->bytes();
  uint64_t offset = external.getOffset(), length = external.getLength();
  uint64_t wanted = plan::byteSize(cast<RankedTensorType>(state.getType()));
  if (length != wanted || offset > bytes.size() || length > bytes.size() - offset)
    return Status(StatusCode::Damaged,
                  "bytes " + std::to_string(offset) + " to " + std::to_string(offset + length) + " of " + path + " (" +
                      std::to_string(bytes.size()) + " bytes) are not the " + std::to_string(wanted) +
                      " bytes of the tensor; the file changed while it was compiled",
                  amp::runtime::quoted(state.getSymName()));
  return append({reinterpret_cast<const char *>(bytes.data()) + offset, size_t(length)});
}
