// Rows of a tensor along one axis, a warp each: what softmax and cross-entropy are written with.
#ifndef AMP_COMPILER_CODEGEN_CUDA_ROWS_H
#define AMP_COMPILER_CODEGEN_CUDA_ROWS_H

#include "compiler/codegen/cuda/KernelWriter.h"

namespace amp::compiler {

class Rows {
public:
  Rows(KernelWriter &w, mlir::RankedTensorType type, int64_t axis);

  KernelWriter &w;
  int64_t length = 1; ///< of a row
  int64_t count = 1;  ///< rows, numbered row-major over the other axes

  /// Declares the place of row `row`, which forEach() and at() go on from.
  void enter(llvm::StringRef row);
  /// The place of an element of the row.
  std::string at(llvm::StringRef element);
  /// A loop in which each lane takes the elements lane, lane + 32, ... The body gets their number and place.
  using Body = llvm::function_ref<void(llvm::StringRef element, llvm::StringRef place)>;
  void forEach(Body body);
  /// The sum or the maximum over the row, in every lane; `term` gives the value of an element.
  using Term = llvm::function_ref<std::string(llvm::StringRef place)>;
  std::string sum(Term term);
  std::string maximum(Term term);

private:
  int64_t inner = 1; ///< elements between neighbours of a row
  std::string base;
};

} // namespace amp::compiler

#endif
