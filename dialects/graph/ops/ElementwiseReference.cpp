// Family Elementwise: reference evaluation.
#include "dialects/graph/ops/ElementwiseEvaluate.h"

#include <cmath>

using namespace mlir;
using namespace amp::graph;

LogicalResult ReluOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateUnary(
      *this, operands[0], results, [](double x) { return x < 0 ? 0.0 : x; },
      [](int64_t x) { return std::max<int64_t>(x, 0); });
}
LogicalResult TanhOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateUnary(*this, operands[0], results, [](double x) { return std::tanh(x); });
}
LogicalResult SigmoidOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateUnary(*this, operands[0], results, [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
}
LogicalResult NegOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateUnary(
      *this, operands[0], results, [](double x) { return -x; }, [](int64_t x) { return int64_t(0 - uint64_t(x)); });
}
LogicalResult ExpOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateUnary(*this, operands[0], results, [](double x) { return std::exp(x); });
}
LogicalResult LogOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateUnary(*this, operands[0], results, [](double x) { return std::log(x); });
}
LogicalResult SqrtOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateUnary(*this, operands[0], results, [](double x) { return std::sqrt(x); });
}

// Integers wrap: the sums are taken without a sign, where overflow is defined.
LogicalResult AddOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateBinary(
      *this, operands, results, [](double l, double r) { return l + r; },
      [](int64_t l, int64_t r) { return int64_t(uint64_t(l) + uint64_t(r)); });
}
LogicalResult SubOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateBinary(
      *this, operands, results, [](double l, double r) { return l - r; },
      [](int64_t l, int64_t r) { return int64_t(uint64_t(l) - uint64_t(r)); });
}
LogicalResult MulOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateBinary(
      *this, operands, results, [](double l, double r) { return l * r; },
      [](int64_t l, int64_t r) { return int64_t(uint64_t(l) * uint64_t(r)); });
}
LogicalResult DivOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  if (!operands[1].isFloat() && llvm::is_contained(operands[1].integers, 0))
    return emitOpError() << "divides an integer by 0";
  return evaluateBinary(
      *this, operands, results, [](double l, double r) { return l / r; },
      [](int64_t l, int64_t r) { return r == -1 ? int64_t(0 - uint64_t(l)) : l / r; });
}

LogicalResult ReluGradOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateBinary(*this, operands, results, [](double dy, double y) { return y > 0 ? dy : 0.0; }, nullptr);
}
LogicalResult TanhGradOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateBinary(*this, operands, results, [](double dy, double y) { return dy * (1.0 - y * y); }, nullptr);
}
LogicalResult SigmoidGradOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  return evaluateBinary(*this, operands, results, [](double dy, double y) { return dy * y * (1.0 - y); }, nullptr);
}

LogicalResult BiasAddOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0], &bias = operands[1];
  ReferenceTensor y(x.type);
  int64_t element = 0;
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    y.floats[element] = x.floats[element] + bias.floats[index[getAxis()]];
    ++element;
  });
  y.round();
  results.push_back(std::move(y));
  return success();
}

/// Float to integer as hardware does it where the value fits; what does not fit saturates, NaN is 0.
static int64_t truncateToInteger(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= 9223372036854775808.0)
    return INT64_MAX;
  return value < -9223372036854775808.0 ? INT64_MIN : int64_t(value);
}

LogicalResult CastOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y(RankedTensorType::get(x.shape(), getY().getType().getElementType()));
  bool toBool = y.type.getElementType().isInteger(1);
  for (int64_t i = 0, size = x.size(); i < size; ++i) {
    if (y.isFloat())
      y.floats[i] = x.isFloat() ? x.floats[i] : double(x.integers[i]);
    else if (toBool)
      y.integers[i] = x.isFloat() ? x.floats[i] != 0 : x.integers[i] != 0;
    else
      y.integers[i] = x.isFloat() ? truncateToInteger(x.floats[i]) : x.integers[i];
  }
  y.round();
  results.push_back(std::move(y));
  return success();
}

template <class Number> static bool compare(CompareKind kind, Number lhs, Number rhs) {
  switch (kind) {
  case CompareKind::Equal:
    return lhs == rhs;
  case CompareKind::Less:
    return lhs < rhs;
  case CompareKind::LessOrEqual:
    return lhs <= rhs;
  case CompareKind::Greater:
    return lhs > rhs;
  case CompareKind::GreaterOrEqual:
    return lhs >= rhs;
  }
  llvm_unreachable("a comparison of another kind");
}

LogicalResult CompareOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &lhs = operands[0], &rhs = operands[1];
  ReferenceTensor y(getY().getType());
  forEachPair(y.shape(), lhs.shape(), rhs.shape(), [&](int64_t i, int64_t left, int64_t right) {
    y.integers[i] = lhs.isFloat() ? compare(getKind(), lhs.floats[left], rhs.floats[right])
                                  : compare(getKind(), lhs.integers[left], rhs.integers[right]);
  });
  results.push_back(std::move(y));
  return success();
}

LogicalResult SelectOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &condition = operands[0];
  ReferenceTensor y(getY().getType());
  int64_t element = 0;
  forEachIndex(y.shape(), [&](ArrayRef<int64_t> index) {
    const ReferenceTensor &chosen =
        condition.integers[broadcastOffset(index, condition.shape())] ? operands[1] : operands[2];
    int64_t offset = broadcastOffset(index, chosen.shape());
    if (y.isFloat())
      y.floats[element++] = chosen.floats[offset];
    else
      y.integers[element++] = chosen.integers[offset];
  });
  results.push_back(std::move(y));
  return success();
}
