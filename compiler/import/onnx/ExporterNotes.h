// What an exporter wrote beside the graph: which initializers are parameters, and what it folded away.
#ifndef AMP_COMPILER_IMPORT_ONNX_EXPORTERNOTES_H
#define AMP_COMPILER_IMPORT_ONNX_EXPORTERNOTES_H

#include "compiler/import/onnx/ModelFile.h"

#include "llvm/ADT/StringSet.h"

namespace amp::compiler {

struct ExporterNotes {
  bool listsParameters = false;    ///< whether the exporter said which initializers are parameters
  llvm::StringSet<> parameters;    ///< their names
  std::vector<std::string> folded; ///< nodes into which a batch normalisation was folded
};

ExporterNotes readExporterNotes(const ModelFile &file);

/// What a user should know of normalisations that the exporter folded away; empty where there is nothing to say.
std::string foldedWarning(const ExporterNotes &notes);

} // namespace amp::compiler

#endif
