// Gathers problems; see Problems.h.
#include "compiler/import/onnx/Problems.h"

#include "runtime/base/Status.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace amp::compiler;

// A damaged file can give one problem a node; nobody reads more than this.
static constexpr size_t mostShown = 100;

void Problems::add(const llvm::Twine &text) {
  if (++count <= mostShown)
    errors.push_back((llvm::Twine(file) + ": " + text).str());
}

void Problems::finish() {
  if (count > mostShown)
    errors.push_back((llvm::Twine(file) + ": and " + llvm::Twine(count - mostShown) + " more problems").str());
}

std::string amp::compiler::quotedName(llvm::StringRef name) {
  return runtime::quoted(std::string_view(name.data(), name.size()));
}

std::string amp::compiler::listText(llvm::ArrayRef<int64_t> values) {
  std::string text = "[";
  for (size_t at = 0; at < values.size() && at < 16; ++at)
    text += (at ? ", " : "") + std::to_string(values[at]);
  return text + (values.size() > 16 ? ", ...]" : "]");
}

std::string amp::compiler::shapeText(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (size_t at = 0; at < shape.size(); ++at) {
    text += at ? "x" : "";
    text += mlir::ShapedType::isDynamic(shape[at]) ? "?" : std::to_string(shape[at]);
  }
  return text;
}
