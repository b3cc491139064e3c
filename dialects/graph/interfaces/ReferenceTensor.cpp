// Conversion, rounding and index arithmetic of the reference evaluation.
#include "dialects/graph/interfaces/ReferenceTensor.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace amp::graph {

ReferenceTensor::ReferenceTensor(RankedTensorType type) : type(type) {
  if (isFloat())
    floats.assign(size(), 0.0);
  else
    integers.assign(size(), 0);
}

static double toDouble(APFloat value) {
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

static int64_t toInteger(const APInt &value, Type type) {
  bool isUnsigned = type.isInteger(1) || type.isUnsignedInteger();
  return isUnsigned ? int64_t(value.getZExtValue()) : value.getSExtValue();
}

ReferenceTensor::ReferenceTensor(ElementsAttr value) : ReferenceTensor(cast<RankedTensorType>(value.getShapedType())) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return;
    value = DenseElementsAttr::getFromRawBuffer(type, blob->getData());
  }
  if (isFloat()) {
    for (auto [to, from] : llvm::zip(floats, value.getValues<APFloat>()))
      to = toDouble(from);
    return;
  }
  for (auto [to, from] : llvm::zip(integers, value.getValues<APInt>()))
    to = toInteger(from, type.getElementType());
}

std::optional<ReferenceTensor> ReferenceTensor::fromBytes(RankedTensorType type, ArrayRef<char> bytes) {
  ReferenceTensor result(type);
  Type element = type.getElementType();
  unsigned width = element.getIntOrFloatBitWidth(), elementBytes = (width + 7) / 8;
  if (bytes.size() != size_t(result.size()) * elementBytes || elementBytes > sizeof(uint64_t))
    return std::nullopt;
  for (int64_t i = 0; i < result.size(); ++i) {
    uint64_t word = 0;
    for (unsigned byte = 0; byte < elementBytes; ++byte)
      word |= uint64_t(uint8_t(bytes[i * elementBytes + byte])) << (8 * byte);
    APInt value(width, word, /*isSigned=*/false, /*implicitTrunc=*/true);
    if (auto floatType = dyn_cast<FloatType>(element))
      result.floats[i] = toDouble(APFloat(floatType.getFloatSemantics(), value));
    else
      result.integers[i] = toInteger(value, element);
  }
  return result;
}

static APFloat toSemantics(double value, const llvm::fltSemantics &semantics) {
  APFloat result(value);
  bool losesInfo = false;
  result.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return result;
}

void ReferenceTensor::round() {
  Type element = type.getElementType();
  if (auto floatType = dyn_cast<FloatType>(element)) {
    if (floatType.getWidth() <= 16)
      for (double &value : floats)
        value = toDouble(toSemantics(value, floatType.getFloatSemantics()));
    return;
  }
  unsigned width = element.getIntOrFloatBitWidth();
  if (width >= 64)
    return;
  // Integers wrap at their width, as the emitted code does.
  for (int64_t &value : integers)
    value = width == 1 || element.isUnsignedInteger()
                ? int64_t(uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(width))
                : llvm::SignExtend64(uint64_t(value), width);
}

DenseElementsAttr ReferenceTensor::toAttribute() const {
  Type element = type.getElementType();
  if (auto floatType = dyn_cast<FloatType>(element)) {
    SmallVector<APFloat> values;
    values.reserve(floats.size());
    for (double value : floats)
      values.push_back(toSemantics(value, floatType.getFloatSemantics()));
    return DenseElementsAttr::get(type, values);
  }
  SmallVector<APInt> values;
  values.reserve(integers.size());
  for (int64_t value : integers)
    values.emplace_back(element.getIntOrFloatBitWidth(), uint64_t(value), /*isSigned=*/false, /*implicitTrunc=*/true);
  return DenseElementsAttr::get(type, values);
}

SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t axis = int64_t(shape.size()) - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * shape[axis + 1];
  return strides;
}

void forEachIndex(ArrayRef<int64_t> shape, llvm::function_ref<void(ArrayRef<int64_t>)> fn) {
  if (llvm::is_contained(shape, 0))
    return;
  SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    fn(index);
    int64_t axis = int64_t(shape.size()) - 1;
    while (axis >= 0 && ++index[axis] == shape[axis])
      index[axis--] = 0;
    if (axis < 0)
      return;
  }
}

int64_t broadcastOffset(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t offset = 0;
  size_t skipped = index.size() - shape.size();
  for (size_t axis = 0; axis < shape.size(); ++axis)
    offset = offset * shape[axis] + (shape[axis] == 1 ? 0 : index[axis + skipped]);
  return offset;
}

std::optional<SmallVector<int64_t>> broadcastShapes(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  SmallVector<int64_t> result(std::max(lhs.size(), rhs.size()));
  for (size_t fromEnd = 1; fromEnd <= result.size(); ++fromEnd) {
    int64_t left = fromEnd <= lhs.size() ? lhs[lhs.size() - fromEnd] : 1;
    int64_t right = fromEnd <= rhs.size() ? rhs[rhs.size() - fromEnd] : 1;
    int64_t &length = result[result.size() - fromEnd];
    if (left == right || right == 1)
      length = left;
    else if (left == 1)
      length = right;
    else if (ShapedType::isDynamic(left)) // a known length other than 1 decides
      length = right;
    else if (ShapedType::isDynamic(right))
      length = left;
    else
      return std::nullopt;
  }
  return result;
}

} // namespace amp::graph
