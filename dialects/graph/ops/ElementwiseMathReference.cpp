// Family Elementwise: reference evaluation of functions, powers, extrema and conditions.
#include "dialects/graph/ops/ElementwiseEvaluate.h"

#include <cmath>

using namespace mlir;
using namespace amp::graph;

using Results = SmallVectorImpl<ReferenceTensor>;

LogicalResult ErfOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  return evaluateUnary(*this, operands[0], results, [](double x) { return std::erf(x); });
}

LogicalResult AbsOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  bool isUnsigned = operands[0].type.getElementType().isUnsignedInteger();
  return evaluateUnary(
      *this, operands[0], results, [](double x) { return std::fabs(x); },
      [=](int64_t x) { return isUnsigned || x >= 0 ? x : int64_t(0 - uint64_t(x)); });
}

LogicalResult ReciprocalOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  return evaluateUnary(*this, operands[0], results, [](double x) { return 1.0 / x; });
}

/// Wraps; a negative exponent leaves a fraction, which truncates to 0, of all bases but 1 and -1.
static int64_t integerPower(int64_t base, int64_t exponent, bool exponentIsUnsigned) {
  if (exponent < 0 && !exponentIsUnsigned) {
    if (base == 1 || base == -1)
      return exponent % 2 == 0 ? 1 : base;
    return 0;
  }
  uint64_t power = 1, square = uint64_t(base);
  for (auto rest = uint64_t(exponent); rest != 0; rest >>= 1) {
    if (rest & 1)
      power *= square;
    square *= square;
  }
  return int64_t(power);
}

LogicalResult PowOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  bool isUnsigned = operands[1].type.getElementType().isUnsignedInteger();
  return evaluateBinary(
      *this, operands, results, [](double l, double r) { return std::pow(l, r); },
      [=](int64_t l, int64_t r) { return integerPower(l, r, isUnsigned); });
}

/// Whether l < r for integers of a type.
static bool isLess(int64_t l, int64_t r, bool isUnsigned) {
  return isUnsigned ? uint64_t(l) < uint64_t(r) : l < r;
}

LogicalResult MinOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  bool isUnsigned = operands[0].type.getElementType().isUnsignedInteger();
  return evaluateBinary(
      *this, operands, results, [](double l, double r) { return l < r || std::isnan(l) ? l : r; },
      [=](int64_t l, int64_t r) { return isLess(l, r, isUnsigned) ? l : r; });
}

LogicalResult MaxOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  bool isUnsigned = operands[0].type.getElementType().isUnsignedInteger();
  return evaluateBinary(
      *this, operands, results, [](double l, double r) { return l > r || std::isnan(l) ? l : r; },
      [=](int64_t l, int64_t r) { return isLess(r, l, isUnsigned) ? l : r; });
}

LogicalResult LogicalAndOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  return evaluateBinary(*this, operands, results, nullptr, [](int64_t l, int64_t r) { return l & r; });
}

LogicalResult LogicalOrOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  return evaluateBinary(*this, operands, results, nullptr, [](int64_t l, int64_t r) { return l | r; });
}

LogicalResult LogicalNotOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  ReferenceTensor y(getY().getType());
  llvm::transform(operands[0].integers, y.integers.begin(), [](int64_t x) { return x == 0; });
  results.push_back(std::move(y));
  return success();
}

LogicalResult IsNanOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  ReferenceTensor y(getY().getType());
  llvm::transform(operands[0].floats, y.integers.begin(), [](double x) { return std::isnan(x); });
  results.push_back(std::move(y));
  return success();
}

namespace {

const double pi = 3.14159265358979323846;

double normalDistribution(double x) {
  return 0.5 * std::erfc(-x * std::sqrt(0.5));
}

/// (1 + tanh(u)) / 2 with u = sqrt(2/pi) (x + 0.044715 x^3), which stands for the distribution, without its loss of
/// digits where x is negative.
double approximateDistribution(double x) {
  return 1 / (1 + std::exp(-2 * std::sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
}

double gelu(double x, bool approximate) {
  return x * (approximate ? approximateDistribution(x) : normalDistribution(x));
}

double geluSlope(double x, bool approximate) {
  if (!approximate)
    return normalDistribution(x) + x * std::exp(-0.5 * x * x) / std::sqrt(2 * pi);
  double below = approximateDistribution(x), above = approximateDistribution(-x);
  double inner = 2 * std::sqrt(2 / pi) * (1 + 3 * 0.044715 * x * x);
  return below + x * below * above * inner;
}

} // namespace

LogicalResult GeluOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  return evaluateUnary(*this, operands[0], results, [this](double x) { return gelu(x, getApproximate()); });
}

LogicalResult GeluGradOp::evaluate(ArrayRef<ReferenceTensor> operands, Results &results) {
  return evaluateBinary(
      *this, operands, results, [this](double dy, double x) { return dy * geluSlope(x, getApproximate()); }, nullptr);
}
