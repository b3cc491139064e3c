// What an operator's import function sees: one node, its operands as values, its attributes checked.
#ifndef AMP_COMPILER_IMPORT_ONNX_NODEIMPORT_H
#define AMP_COMPILER_IMPORT_ONNX_NODEIMPORT_H

#include "compiler/import/onnx/GraphImport.h"

#include "llvm/ADT/StringSet.h"

namespace amp::compiler {

using Integers = llvm::SmallVector<int64_t>;

class NodeImport {
public:
  NodeImport(GraphImport &graph, const onnx::NodeProto &node, int index);

  int64_t opset() const;
  mlir::OpBuilder &builder() { return graph.builder; }
  mlir::Location location() const { return place; }

  // Operands.
  bool hasInput(unsigned at) const { return int(at) < node.input_size() && !node.input(at).empty(); }
  unsigned inputCount() const { return unsigned(node.input_size()); }
  const std::string &inputName(unsigned at) const { return node.input(at); }
  mlir::Value input(unsigned at);
  mlir::RankedTensorType type(unsigned at);
  /// The elements of a constant operand: an initializer, a Constant node, what --value gave, or what is computed from
  /// these alone.
  llvm::FailureOr<mlir::DenseElementsAttr> constant(unsigned at);
  /// The same, as the numbers of a list of integers.
  llvm::FailureOr<Integers> constantIntegers(unsigned at);
  /// Whether constant() would find it.
  bool isConstant(unsigned at);
  /// Whether it is the contents of a state: an initializer.
  bool isWeight(unsigned at);

  // Attributes. Each remembers that it was asked for; checkAttributes() refuses those that nobody asked for.
  bool hasAttribute(llvm::StringRef name);
  llvm::FailureOr<int64_t> integer(llvm::StringRef name, int64_t otherwise);
  llvm::FailureOr<double> real(llvm::StringRef name, double otherwise);
  llvm::FailureOr<std::string> text(llvm::StringRef name, llvm::StringRef otherwise);
  llvm::FailureOr<Integers> integers(llvm::StringRef name, llvm::ArrayRef<int64_t> otherwise);
  const onnx::AttributeProto *attribute(llvm::StringRef name);
  llvm::LogicalResult checkAttributes();

  // Checks.
  /// `axis` counted from the start, or a problem unless -rank <= axis < rank (+ 1 with `atEnd`).
  llvm::FailureOr<int64_t> axis(int64_t axis, int64_t rank, llvm::StringRef what = "axis", bool atEnd = false);
  /// The same for a list; the result is sorted, a repeated axis is a problem.
  llvm::FailureOr<Integers> axes(llvm::ArrayRef<int64_t> axes, int64_t rank);
  llvm::LogicalResult requireFloat(unsigned at);
  llvm::LogicalResult requireRank(unsigned at, int64_t rank);
  llvm::LogicalResult fail(const llvm::Twine &problem);

  // Results.
  /// Makes an op whose types its own shape rule gives; null after a problem. `placeholder` is the result's type where
  /// the rule takes it from the op (reshape, cast, expand), any type elsewhere.
  template <typename Op, typename... Args> mlir::Value make(mlir::Type placeholder, Args &&...args) {
    return complete(Op::create(builder(), place, placeholder, std::forward<Args>(args)...));
  }
  mlir::Value makeConstant(mlir::DenseElementsAttr value);
  unsigned outputCount() const { return unsigned(node.output_size()); }
  bool hasOutput(unsigned at) const { return int(at) < node.output_size() && !node.output(at).empty(); }
  /// Gives output `at` its value; fails on null, so that a function can end with it.
  llvm::LogicalResult setOutput(mlir::Value value, unsigned at = 0);
  llvm::LogicalResult setConstant(mlir::DenseElementsAttr value);
  /// Output 0 is input `at`, under another name.
  llvm::LogicalResult forward(unsigned at = 0);

  GraphImport &graph;

private:
  mlir::Value complete(mlir::Operation *op);

  const onnx::NodeProto &node;
  int index;
  mlir::Location place;
  llvm::StringSet<> asked;
};

} // namespace amp::compiler

#endif
