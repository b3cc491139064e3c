// NVIDIA's run-time compiler, loaded when it is asked for and never linked.
#ifndef AMP_COMPILER_CODEGEN_CUDA_NVRTC_H
#define AMP_COMPILER_CODEGEN_CUDA_NVRTC_H

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <string>

namespace amp::compiler {

/// Usable by several threads at once. The library stays loaded until the process ends: it keeps threads of its own.
class Nvrtc {
public:
  /// Loads the library in the file `path`, or, where that is empty, the newest known one that the loader finds. Gives
  /// null and a message for the user where there is none, or an unknown one.
  static std::unique_ptr<Nvrtc> load(const std::string &path, std::string &error);

  /// "NVRTC 13.0"
  const std::string &version() const { return name; }

  struct Result {
    bool done = false;
    std::string cubin; ///< an ELF file, where done
    std::string log;   ///< what NVRTC and its assembler said, warnings included
  };
  /// Compiles CUDA C++; `file` is what the log calls it.
  Result compile(const std::string &source, const std::string &file, llvm::ArrayRef<std::string> options) const;

private:
  struct Functions;
  Nvrtc() = default;

  std::shared_ptr<const Functions> functions;
  std::string name;
};

} // namespace amp::compiler

#endif
