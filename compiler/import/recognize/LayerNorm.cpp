// Layer normalisation, spelled out: mean, difference, mean square, eps, root, quotient; then scale and bias.
#include "compiler/import/recognize/Patterns.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// The core (x - mean) / sqrt(variance + eps).
struct Core {
  Value x;
  int64_t axis = 0; ///< the first that is normalised
  double eps = 0;
};

/// The mean over the trailing axes from the result on, kept as length 1.
graph::ReduceMeanOp trailingMean(Value value) {
  auto mean = value.getDefiningOp<graph::ReduceMeanOp>();
  if (!mean || !mean.getKeepDims() || mean.getAxes().empty())
    return nullptr;
  const int64_t rank = mean.getX().getType().getRank();
  return llvm::equal(mean.getAxes(), llvm::seq<int64_t>(mean.getAxes().front(), rank)) ? mean : nullptr;
}

/// The value whose square root `value` is, or whose reciprocal root with `isReciprocal`.
Value radicand(Value value, bool isReciprocal) {
  if (!value.hasOneUse())
    return Value();
  if (auto reciprocal = value.getDefiningOp<graph::ReciprocalOp>(); reciprocal && isReciprocal)
    return radicand(reciprocal.getX(), false);
  if (auto power = value.getDefiningOp<graph::PowOp>()) {
    std::optional<double> exponent = recognize::splatValue(power.getRhs());
    return exponent && *exponent == (isReciprocal ? -0.5 : 0.5) ? power.getLhs() : Value();
  }
  if (auto quotient = value.getDefiningOp<graph::DivOp>(); quotient && isReciprocal)
    return recognize::splatValue(quotient.getLhs()) == 1.0 ? radicand(quotient.getRhs(), false) : Value();
  auto root = value.getDefiningOp<graph::SqrtOp>();
  return root && !isReciprocal ? root.getX() : Value();
}

/// The value whose square `value` is.
Value squared(Value value) {
  if (auto product = value.getDefiningOp<graph::MulOp>())
    return product.getLhs() == product.getRhs() ? product.getLhs() : Value();
  auto power = value.getDefiningOp<graph::PowOp>();
  return power && recognize::splatValue(power.getRhs()) == 2.0 ? power.getLhs() : Value();
}

/// Whether `value` is mean(difference^2) + eps, and what eps is.
bool matchVariance(Value value, Value difference, ArrayRef<int64_t> axes, double &eps) {
  auto sum = value.getDefiningOp<graph::AddOp>();
  if (!sum || !value.hasOneUse())
    return false;
  Value variance = sum.getLhs();
  std::optional<double> added = recognize::splatValue(sum.getRhs());
  if (!added) {
    variance = sum.getRhs();
    added = recognize::splatValue(sum.getLhs());
  }
  graph::ReduceMeanOp mean = added && *added >= 0 && variance.hasOneUse() ? trailingMean(variance) : nullptr;
  if (!mean || mean.getAxes() != axes || !mean.getX().hasOneUse() || squared(mean.getX()) != difference)
    return false;
  eps = *added;
  return true;
}

bool matchCore(Value difference, Value variance, Core &core) {
  auto sub = difference.getDefiningOp<graph::SubOp>();
  graph::ReduceMeanOp mean = sub ? trailingMean(sub.getRhs()) : nullptr;
  if (!mean || mean.getX() != sub.getLhs() || !sub.getRhs().hasOneUse() || !variance ||
      !matchVariance(variance, difference, mean.getAxes(), core.eps))
    return false;
  // The square and the quotient read the difference; whatever else does would have to compute it again.
  llvm::SmallPtrSet<Operation *, 4> readers(difference.user_begin(), difference.user_end());
  core.x = mean.getX();
  core.axis = mean.getAxes().front();
  return readers.size() == 2 && cast<RankedTensorType>(core.x.getType()).hasStaticShape();
}

bool matchNormal(Operation *op, Core &core) {
  if (auto quotient = dyn_cast<graph::DivOp>(op))
    return matchCore(quotient.getLhs(), radicand(quotient.getRhs(), false), core);
  auto product = dyn_cast<graph::MulOp>(op);
  return product && (matchCore(product.getLhs(), radicand(product.getRhs(), true), core) ||
                     matchCore(product.getRhs(), radicand(product.getLhs(), true), core));
}

/// The only user of a value if it is an `Op` of it and of a vector over the trailing axes: the op and the vector.
template <typename Op> std::pair<Operation *, Value> follower(Value value, RankedTensorType vector) {
  Operation *user = value.hasOneUse() ? *value.user_begin() : nullptr;
  if (!isa_and_nonnull<Op>(user) || user->getResult(0).getType() != value.getType())
    return {nullptr, Value()};
  Value other = user->getOperand(user->getOperand(0) == value ? 1 : 0);
  return other.getType() == vector ? std::make_pair(user, other) : std::make_pair(nullptr, Value());
}

} // namespace

Operation *recognize::recognizeLayerNorm(Operation *op) {
  Core core;
  if (!matchNormal(op, core))
    return nullptr;
  auto type = cast<RankedTensorType>(core.x.getType());
  auto vector = RankedTensorType::get(type.getShape().drop_front(core.axis), type.getElementType());
  Operation *last = op;
  auto [product, scale] = follower<graph::MulOp>(op->getResult(0), vector);
  last = product ? product : last;
  auto [sum, bias] = follower<graph::AddOp>(last->getResult(0), vector);
  if (!sum && vector.getRank() == 1)
    std::tie(sum, bias) = follower<graph::BiasAddOp>(last->getResult(0), vector);
  last = sum ? sum : last;
  OpBuilder builder(last);
  if (!scale)
    scale = graph::ConstantOp::create(builder, op->getLoc(), vector,
                                      DenseElementsAttr::get(vector, builder.getFloatAttr(vector.getElementType(), 1)));
  Operation *made = graph::LayerNormOp::create(builder, last->getLoc(), type, core.x, scale, bias,
                                               builder.getI64IntegerAttr(core.axis), builder.getF64FloatAttr(core.eps));
  replaceChain(last, made);
  return made;
}
