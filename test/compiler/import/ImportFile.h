// What the tests of import share: a file in, text or problems out.
#ifndef AMP_TEST_COMPILER_IMPORT_IMPORTFILE_H
#define AMP_TEST_COMPILER_IMPORT_IMPORTFILE_H

#include "compiler/import/onnx/Import.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

struct Imported {
  std::string text; ///< the IR; empty on failure
  std::vector<std::string> errors;
  std::vector<std::string> warnings;

  std::string allErrors() const {
    std::string all;
    for (const std::string &error : errors)
      all += error + "\n";
    return all;
  }
  bool has(const std::string &part) const { return text.find(part) != std::string::npos; }
  bool says(const std::string &part) const { return allErrors().find(part) != std::string::npos; }
};

inline Imported importFile(const std::string &path, const amp::compiler::ImportOptions &options = {}) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Imported imported;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
      imported.warnings.push_back(diagnostic.str());
  });
  if (auto module = amp::compiler::importOnnx(context, path, options, imported.errors)) {
    llvm::raw_string_ostream stream(imported.text);
    module->print(stream);
  }
  return imported;
}

#endif
