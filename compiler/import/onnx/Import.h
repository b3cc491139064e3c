// The importer's door: an ONNX file in, the IR of stage import out. No other header of this room is for others.
#ifndef AMP_COMPILER_IMPORT_ONNX_IMPORT_H
#define AMP_COMPILER_IMPORT_ONNX_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace amp::compiler {

struct ImportOptions {
  std::vector<int64_t> batch;                         ///< leading dimension of every input; one value, or none
  std::map<std::string, std::vector<int64_t>> shapes; ///< --shape: the whole shape of an input
  std::map<std::string, std::string> values;          ///< --value: an input becomes a constant, "3" or "1,2,3"
};

/// Reads the model at `path`. On failure the result is null and `errors` holds every problem found, one complete
/// sentence each, all beginning with the path. Never throws, never aborts on a bad file; loads the graph and train
/// dialects into the context. Float weights stay in their files: the IR names path, offset and length. A file that an
/// exporter seems to have spoilt for training gives a warning, as a diagnostic of the context.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(mlir::MLIRContext &context, llvm::StringRef path,
                                             const ImportOptions &options, std::vector<std::string> &errors);

/// One thing that a model asks for and amp lacks.
struct MissingPiece {
  std::string kind; ///< "operator"
  std::string name; ///< "Gelu", or "com.microsoft.Gelu"
  std::vector<std::string> nodes;
  std::string remedy;
};

struct ImportListing {
  std::vector<MissingPiece> missing;
  std::vector<std::string> needs; ///< dimensions that no option binds, in the user's words
};

/// What `--check` prints: compiles nothing. False when the file cannot be read as a model; `errors` says why.
bool listMissing(llvm::StringRef path, const ImportOptions &options, ImportListing &listing,
                 std::vector<std::string> &errors);

} // namespace amp::compiler

#endif
