// From an object file to a shared object, by lld inside this process. lld reads and writes files: they lie in a folder
// of their own, made for this call and removed whatever happens.
#include "compiler/codegen/cpu/Lower.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

using namespace mlir;
using namespace amp::compiler;

namespace {

struct TemporaryFolder {
  llvm::SmallString<128> path;
  std::error_code error = llvm::sys::fs::createUniqueDirectory("amp-kernels", path);
  ~TemporaryFolder() {
    if (!error)
      llvm::sys::fs::remove_directories(path);
  }
  std::string file(StringRef name) const {
    llvm::SmallString<128> result(path);
    llvm::sys::path::append(result, name);
    return std::string(result);
  }
};

} // namespace

static std::error_code writeFile(const std::string &path, ArrayRef<char> bytes) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (error)
    return error;
  stream.write(bytes.data(), bytes.size());
  stream.close();
  error = stream.error();
  stream.clear_error();
  return error;
}

LogicalResult amp::compiler::linkShared(Location location, ArrayRef<ArrayRef<char>> objects,
                                        SmallVectorImpl<char> &shared) {
  TemporaryFolder folder;
  if (folder.error)
    return emitError(location) << "cannot make a temporary folder: " << folder.error.message()
                               << "; set TMPDIR to a folder that can be written";
  std::string output = folder.file("kernels.so");
  std::vector<std::string> inputs;
  for (auto [number, object] : llvm::enumerate(objects)) {
    inputs.push_back(folder.file("kernels" + std::to_string(number) + ".o"));
    if (std::error_code error = writeFile(inputs.back(), object))
      return emitError(location) << "cannot write '" << inputs.back() << "': " << error.message();
  }
  std::vector<const char *> arguments{"ld.lld",
                                      "-shared",
                                      "-z",
                                      "now",
                                      "-z",
                                      "noexecstack",
                                      "-z",
                                      "defs",
                                      "-s",
                                      "--hash-style=gnu",
                                      "--build-id=none",
                                      "--threads=1",
                                      "--soname=kernels",
                                      "-o",
                                      output.c_str()};
  for (const std::string &input : inputs)
    arguments.push_back(input.c_str());
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return emitError(location) << "the kernels did not link: " << messages << "please report this";
  auto buffer = llvm::MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return emitError(location) << "cannot read '" << output << "': " << buffer.getError().message();
  shared.assign((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
  return success();
}
