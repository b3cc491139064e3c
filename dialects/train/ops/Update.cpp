// The ops of an update: definitions and verifiers.
#include "dialects/train/Train.h"

using namespace mlir;
using namespace amp::train;

#define GET_OP_CLASSES
#include "dialects/train/ops/Update.cpp.inc"

static LogicalResult verifyType(Operation *op, StringRef name, Type seen, Type wanted) {
  if (seen != wanted)
    return op->emitOpError() << "has " << name << " of type " << seen << "; wants " << wanted;
  return success();
}

static Type scalar(Type element) {
  return RankedTensorType::get({}, element);
}
static Type scalarF32(Operation *op) {
  return scalar(Float32Type::get(op->getContext()));
}
static Type scalarF64(Operation *op) {
  return scalar(Float64Type::get(op->getContext()));
}
static Type scalarInteger(Operation *op, unsigned bits) {
  return scalar(IntegerType::get(op->getContext(), bits));
}

static LogicalResult verifyElementF32(Operation *op, StringRef name, Type seen) {
  Type element = cast<RankedTensorType>(seen).getElementType();
  if (!element.isF32())
    return op->emitOpError() << "has " << name << " of " << element << "; wants f32";
  return success();
}

LogicalResult UnscaleOp::verify() {
  if (failed(verifyType(*this, "a scale", getScale().getType(), scalarF32(*this)))) // C1
    return failure();
  if (failed(verifyElementF32(*this, "a gradient", getGradient().getType()))) // C2
    return failure();
  return verifyType(*this, "a result", getY().getType(), getGradient().getType()); // C2
}

static LogicalResult verifyParts(Operation *op, Type seen) {
  auto type = cast<RankedTensorType>(seen);
  if (type.getRank() != 1 || !type.getElementType().isF64())
    return op->emitOpError() << "has parts of type " << type << "; wants an f64 vector";
  return success();
}

int64_t SumSquaresOp::partsFor(int64_t elements) {
  constexpr int64_t partElements = 1 << 16, most = 64;
  return std::clamp<int64_t>(elements / partElements, 1, most);
}

LogicalResult SumSquaresOp::verify() {
  if (failed(verifyElementF32(*this, "a gradient", getGradient().getType()))) // C1
    return failure();
  return verifyParts(*this, getParts().getType()); // C2
}

LogicalResult MeasureOp::verify() {
  for (Value parts : getParts())
    if (failed(verifyParts(*this, parts.getType())))
      return failure();                                                                    // C1
  if (failed(verifyType(*this, "finite", getFinite().getType(), scalarInteger(*this, 1)))) // C2
    return failure();
  return verifyType(*this, "norm", getNorm().getType(), scalarF32(*this)); // C2
}

LogicalResult SgdOp::verify() {
  Type type = getParameter().getType();
  if (failed(verifyElementF32(*this, "a parameter", type)) ||
      failed(verifyType(*this, "a gradient", getGradient().getType(), type)) ||
      failed(verifyType(*this, "a new parameter", getNewParameter().getType(), type)))
    return failure(); // C1
  bool wantsBuffer = !getMomentum().isZero();
  if (bool(getBuffer()) != wantsBuffer || bool(getNewBuffer()) != wantsBuffer)
    return emitOpError() << "has momentum " << getMomentum().convertToDouble() << " with "
                         << int(bool(getBuffer())) + int(bool(getNewBuffer())) << " buffers; wants "
                         << (wantsBuffer ? "an old and a new one" : "none"); // C2
  if (wantsBuffer && (failed(verifyType(*this, "a buffer", getBuffer().getType(), type)) ||
                      failed(verifyType(*this, "a new buffer", getNewBuffer().getType(), type))))
    return failure();                                                       // C1
  if (failed(verifyType(*this, "lr", getLr().getType(), scalarF32(*this)))) // C3
    return failure();
  return verifyType(*this, "steps", getSteps().getType(), scalarInteger(*this, 64)); // C3
}

LogicalResult AdamOp::verify() {
  Type type = getParameter().getType();
  if (failed(verifyElementF32(*this, "a parameter", type)) ||
      failed(verifyType(*this, "a gradient", getGradient().getType(), type)) ||
      failed(verifyType(*this, "m", getM().getType(), type)) || failed(verifyType(*this, "v", getV().getType(), type)))
    return failure(); // C1
  for (Value result : getResults())
    if (failed(verifyType(*this, "a result", result.getType(), type)))
      return failure(); // C1
  if (failed(verifyType(*this, "lr", getLr().getType(), scalarF32(*this))) ||
      failed(verifyType(*this, "power1", getPower1().getType(), scalarF64(*this))))
    return failure();                                                          // C2
  return verifyType(*this, "power2", getPower2().getType(), scalarF64(*this)); // C2
}

LogicalResult UpdateScaleOp::verify() {
  for (auto [name, value] :
       {std::pair<StringRef, Value>{"a scale", getScale()}, {"a loss", getLoss()}, {"a new scale", getNewScale()}})
    if (failed(verifyType(*this, name, value.getType(), scalarF32(*this))))
      return failure(); // C1
  if (failed(verifyType(*this, "a tracker", getTracker().getType(), scalarInteger(*this, 32))) ||
      failed(verifyType(*this, "a new tracker", getNewTracker().getType(), scalarInteger(*this, 32))))
    return failure();                                                                 // C1
  return verifyType(*this, "finite", getFinite().getType(), scalarInteger(*this, 1)); // C1
}
