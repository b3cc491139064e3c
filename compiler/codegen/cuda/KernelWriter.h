// Writes the text of one kernel: values at places, scopes, loads and stores. Every form of kernel works through it.
#ifndef AMP_COMPILER_CODEGEN_CUDA_KERNELWRITER_H
#define AMP_COMPILER_CODEGEN_CUDA_KERNELWRITER_H

#include "compiler/codegen/cuda/Codegen.h"

#include "dialects/plan/Plan.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

#include <map>
#include <string>

namespace amp::compiler {

/// A place in a tensor is its row-major position: the name of a u32, or a literal. What is said of a place is said of
/// that text: two names never stand for one place.
class KernelWriter {
public:
  explicit KernelWriter(plan::KernelOp kernel);

  /// Writes the kernel; false where it has no CUDA code yet, and refusal() then says why.
  bool write(CudaKernel &result);
  const std::string &refusal() const { return reason; }

  mlir::Block &body;
  unsigned blocks = 1;

  static mlir::RankedTensorType typeOf(mlir::Value value);
  static mlir::Type computeType(mlir::Value value); ///< of its elements
  static int64_t elementsOf(mlir::Value value) { return typeOf(value).getNumElements(); }

  // Text.
  void line(const llvm::Twine &text);
  std::string fresh(llvm::StringRef prefix);
  /// Declares a constant of that type and gives its name.
  std::string declare(llvm::StringRef type, const llvm::Twine &expression, llvm::StringRef prefix = "v");
  /// `head` and its body in braces; what the body computes is not known behind it.
  void scope(const llvm::Twine &head, llvm::function_ref<void()> body);
  /// Says why there is no code; the text is dropped.
  void refuse(const llvm::Twine &why);
  bool refused() const { return !reason.empty(); }

  // Places.
  /// The position that the place `position` of a tensor of `shape` has in another one, whose axes lie `strides` apart;
  /// 0 for an axis that is not there.
  std::string place(llvm::ArrayRef<int64_t> shape, llvm::StringRef position, llvm::ArrayRef<int64_t> strides);

  // Values.
  /// The value of a tensor of the body at a place, in the compute type.
  std::string at(mlir::Value value, llvm::StringRef position);
  std::string scalar(mlir::Value value) { return at(value, "0"); }
  /// Says what the root's result is at a place, until the scope ends.
  void bind(mlir::Value result, llvm::StringRef position, llvm::StringRef name);

  /// A rule for one element: gets values of the operands' types, and gives values.
  struct Operand {
    std::string name;
    mlir::Type type;
  };
  using Rule = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::ValueRange)>;
  llvm::SmallVector<std::string> apply(llvm::ArrayRef<Operand> operands, Rule rule);
  /// exp and log of an f32, by the rule of every target.
  std::string exp(llvm::StringRef x);
  std::string log(llvm::StringRef x);

  /// Stores results of the kernel at a place: all are computed before the first is stored, for a result may overwrite
  /// an input.
  void storeResults(llvm::StringRef position);
  /// Whether every result has that many elements; else refuses the kernel.
  bool resultsLieIn(int64_t elements);

private:
  void begin();
  void writeForm();
  void writeElementwise();
  void writeSpace(llvm::ArrayRef<unsigned> results, int64_t elements);
  void store(llvm::ArrayRef<unsigned> results, llvm::StringRef position);
  std::string signature(llvm::StringRef name);
  std::string compute(mlir::Value value, llvm::StringRef position);
  std::string table(mlir::Value value, llvm::StringRef position);
  std::string elementwise(mlir::Value value, llvm::StringRef position);
  std::string operandPosition(mlir::Operation *op, unsigned operand, llvm::StringRef position);

  plan::KernelOp kernel;
  mlir::Operation *root = nullptr; ///< what is neither elementwise nor a view
  std::string code, reason;
  unsigned names = 0, depth = 1;
  std::map<std::pair<void *, std::string>, std::string> known; ///< values at places, and places by expression
};

/// The row-major strides of a shape.
llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape);

// Forms of kernels by their root.
void writeReduction(KernelWriter &w, mlir::Operation *root);
void writeSoftmax(KernelWriter &w, mlir::Operation *root);
void writeCrossEntropy(KernelWriter &w, mlir::Operation *root);
void writeCrossEntropyGradient(KernelWriter &w, mlir::Operation *root);
void writeMeanSquaredError(KernelWriter &w, mlir::Operation *root);
void writeSumSquares(KernelWriter &w, mlir::Operation *root);
void writeMeasure(KernelWriter &w, mlir::Operation *root);

} // namespace amp::compiler

#endif
