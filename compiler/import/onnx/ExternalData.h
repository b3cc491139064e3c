// Tensor data in files beside the model: opened only inside the model's folder, never through a link.
#ifndef AMP_COMPILER_IMPORT_ONNX_EXTERNALDATA_H
#define AMP_COMPILER_IMPORT_ONNX_EXTERNALDATA_H

#include "runtime/base/Span.h"

#include <map>
#include <optional>
#include <string>

namespace amp::compiler {

class ExternalFiles {
public:
  explicit ExternalFiles(const std::string &modelPath);
  ~ExternalFiles();
  ExternalFiles(const ExternalFiles &) = delete;
  ExternalFiles &operator=(const ExternalFiles &) = delete;

  /// Maps the file that `location` names, relative to the model's folder. Gives the problem's text when there is none
  /// or when it lies outside. The bytes live as long as this object.
  std::optional<std::string> open(const std::string &location, runtime::ByteSpan &bytes);
  /// The path of a location as the IR names it.
  std::string pathOf(const std::string &location) const;

private:
  std::optional<std::string> map(int file, const std::string &location, runtime::ByteSpan &bytes);

  std::string folder; ///< with a slash at its end, or empty
  std::map<std::string, runtime::ByteSpan> files;
};

} // namespace amp::compiler

#endif
