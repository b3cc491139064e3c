#include "test/compiler/codegen/KernelReference.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::test;

std::vector<Tensor> amp::test::referenceOf(plan::KernelOp kernel, const std::vector<Tensor> &inputs) {
  Block &body = kernel.getBody().front();
  llvm::DenseMap<Value, Tensor> values;
  for (auto [argument, input] : llvm::zip_equal(body.getArguments(), inputs))
    values[argument] = input;
  for (Operation &op : body.without_terminator()) {
    SmallVector<Tensor> operands, results;
    for (Value operand : op.getOperands())
      operands.push_back(values.lookup(operand));
    EXPECT_TRUE(succeeded(cast<graph::ReferenceOpInterface>(op).evaluate(operands, results)));
    for (auto [result, tensor] : llvm::zip_equal(op.getResults(), results))
      values[result] = tensor;
  }
  std::vector<Tensor> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(values.lookup(value));
  return results;
}

static double roundingOf(Type type) {
  return type.isBF16() ? 0x1p-7 : type.isF16() ? 0x1p-9 : 0.0;
}

void amp::test::expectNear(const Tensor &got, const Tensor &want, double tolerance) {
  ASSERT_EQ(got.integers, want.integers);
  double greatest = 1e-30;
  for (double value : want.floats)
    greatest = std::isfinite(value) ? std::max(greatest, std::fabs(value)) : greatest;
  for (size_t i = 0; i < want.floats.size(); ++i) {
    double wanted = want.floats[i], seen = got.floats[i];
    double bound = tolerance * greatest + roundingOf(want.type.getElementType()) * std::fabs(wanted);
    bool same = std::isfinite(wanted) ? std::fabs(seen - wanted) <= bound
                : std::isnan(wanted)  ? std::isnan(seen)
                                      : seen == wanted;
    ASSERT_TRUE(same) << "element " << i << " is " << seen << ", wants " << wanted;
  }
}
