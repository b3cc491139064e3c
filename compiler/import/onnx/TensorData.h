// One TensorProto: its type, its shape, and where its elements are.
#ifndef AMP_COMPILER_IMPORT_ONNX_TENSORDATA_H
#define AMP_COMPILER_IMPORT_ONNX_TENSORDATA_H

#include "compiler/import/onnx/ModelFile.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/SmallVector.h"

namespace amp::compiler {

struct TensorData {
  int32_t dataType = 0;
  llvm::SmallVector<int64_t> dims;
  uint64_t elements = 1;
  const onnx::TensorProto *proto = nullptr; ///< typed fields are read from it when `isRaw` is false
  bool isRaw = false;
  runtime::ByteSpan bytes; ///< little-endian elements, when `isRaw`
  std::string path;        ///< the file that holds `bytes`; empty for a tensor inside an attribute
  uint64_t offset = 0;     ///< of `bytes` in that file
};

/// Elements up to here are read at import, as constants; larger integer tensors stay in their file as state.
constexpr uint64_t mostConstantElements = 65536;

/// Checks a tensor and fills `tensor`; gives the problem's text. `span` is where raw_data of an initializer lies.
std::optional<std::string> readTensor(const onnx::TensorProto &proto, PayloadSpan span, ModelFile &file,
                                      TensorData &tensor);

/// "float32", "int64"; or "type 17".
std::string dataTypeName(int32_t dataType);
bool isFloatType(int32_t dataType);
/// The type in which a program computes: f32 for every floating type, signless integers; null if amp has none.
mlir::Type elementTypeOf(mlir::MLIRContext *context, int32_t dataType);
/// The type of a program's input or output: 16-bit and double floats are kept.
mlir::Type interfaceTypeOf(mlir::MLIRContext *context, int32_t dataType);
/// Copies the elements, in the type of elementTypeOf.
mlir::DenseElementsAttr toAttribute(mlir::MLIRContext *context, const TensorData &tensor);

} // namespace amp::compiler

#endif
