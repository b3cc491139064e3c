// What an exporter wrote beside the graph: which initializers are parameters, and what it folded away.
#ifndef AMP_COMPILER_IMPORT_ONNX_EXPORTERNOTES_H
#define AMP_COMPILER_IMPORT_ONNX_EXPORTERNOTES_H

#include "compiler/import/onnx/ModelFile.h"

#include "llvm/ADT/StringSet.h"

namespace amp::compiler {

struct ExporterNotes {
  std::vector<std::string> listed; ///< the parameters that the exporter lists, in its order; empty if it does not
  llvm::StringSet<> parameters;    ///< the same, to look up
  std::vector<std::string> folded; ///< nodes into which a batch normalisation was folded
  std::vector<std::string> merged; ///< parameters whose place another of equal initial value took
};

ExporterNotes readExporterNotes(const ModelFile &file);

/// What a user should know of normalisations or parameters that the exporter optimised away; empty where there is
/// nothing to say.
std::string lossWarning(const ExporterNotes &notes);

} // namespace amp::compiler

#endif
