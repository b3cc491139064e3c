// The model as the file has it: mapped bytes, parsed messages, and where the weights lie.
#ifndef AMP_COMPILER_IMPORT_ONNX_MODELFILE_H
#define AMP_COMPILER_IMPORT_ONNX_MODELFILE_H

#include "compiler/import/onnx/ExternalData.h"
#include "compiler/import/onnx/Problems.h"
#include "compiler/import/onnx/WireScan.h"

#include "runtime/base/FileSystem.h"

#include "onnx.pb.h"

#include <memory>

namespace amp::compiler {

class ModelFile {
public:
  explicit ModelFile(std::string path) : external(path), filePath(std::move(path)) {}

  /// Maps, scans and parses; false after a problem that leaves nothing to look at.
  bool open(Problems &problems);

  const std::string &path() const { return filePath; }
  const onnx::ModelProto &proto() const { return model; }
  const onnx::GraphProto &graph() const { return model.graph(); }
  runtime::ByteSpan bytes() const { return mapping->bytes(); }
  PayloadSpan payload(int initializer) const {
    return size_t(initializer) < spans.size() ? spans[initializer] : PayloadSpan();
  }
  /// Version of the default operator set; 0 when the file names none.
  int64_t opset() const;

  ExternalFiles external;

private:
  std::string filePath;
  std::unique_ptr<runtime::MappedFile> mapping;
  std::vector<PayloadSpan> spans;
  onnx::ModelProto model;
};

/// "" and "ai.onnx" name the same domain.
bool isDefaultDomain(const std::string &domain);
/// The node's name, or "<op type>_<index>".
std::string nodeName(const onnx::NodeProto &node, int index);

} // namespace amp::compiler

#endif
