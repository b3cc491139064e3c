// Every problem of a file, gathered so that the user sees all of them at once.
#ifndef AMP_COMPILER_IMPORT_ONNX_PROBLEMS_H
#define AMP_COMPILER_IMPORT_ONNX_PROBLEMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace amp::compiler {

class Problems {
public:
  Problems(std::string file, std::vector<std::string> &errors) : file(std::move(file)), errors(errors) {}

  /// `text` is a clause in lower case: value seen, value wanted, remedy.
  void add(const llvm::Twine &text);
  bool any() const { return count != 0; }
  /// Says how many problems were left out; call once, at the end.
  void finish();

private:
  std::string file;
  std::vector<std::string> &errors;
  size_t count = 0;
};

/// A name from a file in single quotes, control bytes escaped, cut when long.
std::string quotedName(llvm::StringRef name);
/// "[1, 2, 3]".
std::string listText(llvm::ArrayRef<int64_t> values);
/// "2x3", or "scalar"; unknown lengths are "?".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace amp::compiler

#endif
