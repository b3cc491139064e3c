// The blob section: initial bytes of states and the shared object, each at a multiple of 64.
#ifndef AMP_COMPILER_PACKAGE_BLOBS_H
#define AMP_COMPILER_PACKAGE_BLOBS_H

#include "dialects/train/Train.h"
#include "runtime/base/FileSystem.h"

#include <map>
#include <vector>

namespace amp::compiler {

class Blobs {
public:
  explicit Blobs(runtime::FileSystem &files) : files(files) {}

  /// Appends bytes and gives their offset.
  uint64_t append(llvm::ArrayRef<char> bytes);
  /// Appends the initial bytes of a state that has some.
  runtime::Result<uint64_t> appendInitial(train::StateOp state);

  const std::vector<uint8_t> &bytes() const { return section; }

private:
  runtime::Result<uint64_t> appendExternal(train::StateOp state, train::ExternalAttr external);

  runtime::FileSystem &files;
  std::map<std::string, std::unique_ptr<runtime::MappedFile>> mapped;
  std::vector<uint8_t> section;
};

} // namespace amp::compiler

#endif
