// A tensor of the reference evaluation: doubles for floating types, 64-bit integers for the others.
#ifndef AMP_DIALECTS_GRAPH_INTERFACES_REFERENCETENSOR_H
#define AMP_DIALECTS_GRAPH_INTERFACES_REFERENCETENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace amp::graph {

struct ReferenceTensor {
  mlir::RankedTensorType type;   ///< static shape
  std::vector<double> floats;    ///< row-major, when the element type is a float
  std::vector<int64_t> integers; ///< row-major, when it is an integer or i1 (0 or 1)

  ReferenceTensor() = default;
  /// A tensor of zeros.
  explicit ReferenceTensor(mlir::RankedTensorType type);
  /// The value of a constant; integers of any width are sign-extended, i1 is 0 or 1.
  explicit ReferenceTensor(mlir::ElementsAttr value);

  /// The value of little-endian elements, i1 as one byte each; none if there are not as many bytes as the type wants.
  static std::optional<ReferenceTensor> fromBytes(mlir::RankedTensorType type, llvm::ArrayRef<char> bytes);

  bool isFloat() const { return mlir::isa<mlir::FloatType>(type.getElementType()); }
  int64_t size() const { return type.getNumElements(); }
  llvm::ArrayRef<int64_t> shape() const { return type.getShape(); }

  /// Rounds 16-bit floats to their type (nearest even; overflow to infinity; subnormals kept). f32 and f64 keep the
  /// full double: the oracle is more precise than what it judges. Integers wrap at their width.
  void round();
  /// The tensor as an attribute of its type.
  mlir::DenseElementsAttr toAttribute() const;
};

/// Row-major strides of a shape.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// Calls fn(index) for every index of a shape, in row-major order.
void forEachIndex(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> fn);

/// The row-major offset in a tensor of shape `shape` that numpy broadcasting reads at `index`.
int64_t broadcastOffset(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);

/// The numpy broadcast of two shapes (dynamic lengths stay dynamic); none if they do not broadcast.
std::optional<llvm::SmallVector<int64_t>> broadcastShapes(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs);

} // namespace amp::graph

#endif
