// GELU, spelled out: a product of x, one half, and 1 + erf or tanh of a polynomial in x.
#include "compiler/import/recognize/Patterns.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// Coefficients of 1, x, x^2, x^3.
using Polynomial = std::array<double, 4>;

constexpr int deepest = 8; // ops of a polynomial, one behind the other

std::optional<Polynomial> multiply(const Polynomial &lhs, const Polynomial &rhs) {
  Polynomial product = {};
  for (size_t i = 0; i < lhs.size(); ++i)
    for (size_t j = 0; j < rhs.size(); ++j) {
      if (lhs[i] == 0 || rhs[j] == 0)
        continue;
      if (i + j >= product.size())
        return std::nullopt;
      product[i + j] += lhs[i] * rhs[j];
    }
  return product;
}

std::optional<Polynomial> polynomial(Value value, Value x, int depth = 0);

std::optional<Polynomial> power(Value base, double exponent, Value x, int depth) {
  std::optional<Polynomial> factor = polynomial(base, x, depth), result = factor;
  if (exponent != 2 && exponent != 3)
    return std::nullopt;
  for (int more = 1; result && more < int(exponent); ++more)
    result = multiply(*result, *factor);
  return result;
}

/// `value` as a polynomial in x; none if it is no such thing.
std::optional<Polynomial> polynomial(Value value, Value x, int depth) {
  if (value == x)
    return Polynomial{0, 1, 0, 0};
  if (std::optional<double> number = recognize::splatValue(value))
    return Polynomial{*number, 0, 0, 0};
  Operation *op = value.getDefiningOp();
  if (depth >= deepest || !isa_and_nonnull<graph::AddOp, graph::MulOp, graph::DivOp, graph::PowOp>(op))
    return std::nullopt;
  if (std::optional<double> number = recognize::splatValue(op->getOperand(1))) {
    if (isa<graph::PowOp>(op))
      return power(op->getOperand(0), *number, x, depth + 1);
    if (isa<graph::DivOp>(op)) {
      std::optional<Polynomial> numerator = polynomial(op->getOperand(0), x, depth + 1);
      return numerator ? multiply(*numerator, {1 / *number, 0, 0, 0}) : numerator;
    }
  }
  if (!isa<graph::AddOp, graph::MulOp>(op))
    return std::nullopt;
  std::optional<Polynomial> lhs = polynomial(op->getOperand(0), x, depth + 1);
  std::optional<Polynomial> rhs = lhs ? polynomial(op->getOperand(1), x, depth + 1) : std::nullopt;
  if (!lhs || !rhs || isa<graph::MulOp>(op))
    return lhs && rhs ? multiply(*lhs, *rhs) : std::nullopt;
  for (size_t at = 0; at < lhs->size(); ++at)
    (*lhs)[at] += (*rhs)[at];
  return lhs;
}

/// The factors of a product: those of a factor that is a product itself, and that only this product reads, too. A
/// division by a number is a factor as well.
void collectFactors(Value value, SmallVectorImpl<Value> &factors, double &number) {
  Operation *op = value.getDefiningOp();
  std::optional<double> constant = recognize::splatValue(value);
  if (constant) {
    number *= *constant;
  } else if (auto product = dyn_cast_or_null<graph::MulOp>(op); product && value.hasOneUse()) {
    collectFactors(product.getLhs(), factors, number);
    collectFactors(product.getRhs(), factors, number);
  } else if (auto quotient = dyn_cast_or_null<graph::DivOp>(op);
             quotient && value.hasOneUse() && recognize::splatValue(quotient.getRhs())) {
    number /= *recognize::splatValue(quotient.getRhs());
    collectFactors(quotient.getLhs(), factors, number);
  } else {
    factors.push_back(value);
  }
}

/// The erf or tanh op in 1 + erf(..) or 1 + tanh(..), which only the product reads.
Operation *sigmoidal(Value value) {
  auto sum = value.getDefiningOp<graph::AddOp>();
  if (!sum || !value.hasOneUse())
    return nullptr;
  Value inner = recognize::splatValue(sum.getRhs()) == 1.0   ? sum.getLhs()
                : recognize::splatValue(sum.getLhs()) == 1.0 ? sum.getRhs()
                                                             : Value();
  Operation *op = inner && inner.hasOneUse() ? inner.getDefiningOp() : nullptr;
  return isa_and_nonnull<graph::ErfOp, graph::TanhOp>(op) ? op : nullptr;
}

/// Whether the argument of erf or tanh is GELU's.
bool isArgument(Operation *sigmoid, Value x) {
  std::optional<Polynomial> argument = polynomial(sigmoid->getOperand(0), x);
  if (!argument || (*argument)[0] != 0 || (*argument)[2] != 0)
    return false;
  if (isa<graph::ErfOp>(sigmoid))
    return recognize::isNearly((*argument)[1], std::sqrt(0.5)) && (*argument)[3] == 0;
  const double slope = std::sqrt(2 / M_PI);
  return recognize::isNearly((*argument)[1], slope) && recognize::isNearly((*argument)[3], slope * 0.044715);
}

} // namespace

Operation *recognize::recognizeGelu(Operation *op) {
  if (!isa<graph::MulOp, graph::DivOp>(op))
    return nullptr;
  SmallVector<Value> factors;
  double number = 1;
  if (auto quotient = dyn_cast<graph::DivOp>(op)) {
    std::optional<double> divisor = splatValue(quotient.getRhs());
    if (!divisor)
      return nullptr;
    number /= *divisor;
    collectFactors(quotient.getLhs(), factors, number);
  } else {
    collectFactors(op->getOperand(0), factors, number);
    collectFactors(op->getOperand(1), factors, number);
  }
  if (factors.size() != 2 || number != 0.5)
    return nullptr;
  for (unsigned at : {0u, 1u}) {
    Value x = factors[1 - at];
    Operation *sigmoid = sigmoidal(factors[at]);
    if (!sigmoid || x.getType() != op->getResult(0).getType() || !isArgument(sigmoid, x))
      continue;
    OpBuilder builder(op);
    Operation *made = graph::GeluOp::create(builder, op->getLoc(), x.getType(), x, isa<graph::TanhOp>(sigmoid));
    replaceChain(op, made);
    return made;
  }
  return nullptr;
}
