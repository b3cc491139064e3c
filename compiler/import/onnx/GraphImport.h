// Turns a graph into a program: values by name, states for weights, one import function a node.
#ifndef AMP_COMPILER_IMPORT_ONNX_GRAPHIMPORT_H
#define AMP_COMPILER_IMPORT_ONNX_GRAPHIMPORT_H

#include "compiler/import/onnx/ExporterNotes.h"
#include "compiler/import/onnx/Import.h"
#include "compiler/import/onnx/InputBinding.h"
#include "compiler/import/onnx/TensorData.h"

#include "dialects/graph/Graph.h"
#include "dialects/train/Train.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringMap.h"

namespace amp::compiler {

/// What a name of the graph stands for: a constant, a state, or a value. All are empty where a problem left nothing;
/// nodes that read such a name are skipped without a word of their own.
struct NamedValue {
  mlir::Value value; ///< also of a constant or state that has been materialised
  mlir::DenseElementsAttr constant;
  train::StateOp state;
  TensorData tensor; ///< what the state holds
  bool readAsConstant = false;

  bool isMissing() const { return !value && !constant && !state; }
};

class GraphImport {
public:
  GraphImport(mlir::MLIRContext *context, ModelFile &file, const ImportOptions &options, Problems &problems);

  /// Builds the module; null if a problem was found.
  mlir::OwningOpRef<mlir::ModuleOp> build();

  /// Null if nothing has the name yet.
  NamedValue *lookup(llvm::StringRef name);
  void define(llvm::StringRef name, NamedValue value) { values[name] = std::move(value); }
  /// The value of a name that is not missing; makes the constant or the read of the state at its first use.
  mlir::Value materialise(NamedValue &named, mlir::Location location);
  /// Problems that ops have reported since the last call, without the op's name.
  std::string takeDiagnostics();
  /// What a contradiction of shapes may come of, where the user has bound lengths; empty elsewhere.
  std::string bindingHint() const;

  mlir::OpBuilder builder;
  ModelFile &file;
  Problems &problems;
  const ExporterNotes notes;
  int64_t dropoutCount = 0; ///< the number of the next dropout: random numbers are keyed by it

private:
  void importInitializer(int index);
  void makeState(const onnx::TensorProto &proto, NamedValue &named);
  void importInputs(mlir::Block &block);
  void importNode(int index);
  void defineOutputs(const onnx::NodeProto &node, int index, bool isImported);
  void findReadNames();
  void importOutputs(llvm::SmallVectorImpl<mlir::Value> &results);
  mlir::Value convertOutput(const onnx::ValueInfoProto &output, mlir::Value value);
  void checkDeclared(const onnx::ValueInfoProto &output, mlir::RankedTensorType type);
  void eraseUnreadStates();
  std::string programName() const;
  mlir::Location locationOf(llvm::StringRef name) { return mlir::NameLoc::get(builder.getStringAttr(name)); }

  const ImportOptions &options;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<BoundInput> inputs;
  llvm::StringMap<NamedValue> values;
  llvm::StringSet<> readNames; ///< by a node or as an output of the model
  std::vector<std::string> diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace amp::compiler

#endif
