// Gemm and MatMul.
#include "compiler/import/onnx/Operators.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// x, multiplied by a number where that is not 1.
static Value scale(NodeImport &node, Value x, double factor) {
  if (!x || factor == 1)
    return x;
  auto scalar = RankedTensorType::get({}, node.builder().getF32Type());
  Value number = node.makeConstant(DenseElementsAttr::get(scalar, static_cast<float>(factor)));
  return node.make<graph::MulOp>(x.getType(), x, number);
}

static Value addSummand(NodeImport &node, Value product, double beta) {
  Value summand = scale(node, node.input(2), beta);
  if (!product || !summand)
    return Value();
  auto type = cast<RankedTensorType>(product.getType());
  auto added = cast<RankedTensorType>(summand.getType());
  if (added.getRank() == 1 && !added.isDynamicDim(0) && added.getDimSize(0) == type.getDimSize(1))
    return node.make<graph::BiasAddOp>(type, product, summand, int64_t(1));
  if (added.getRank() > 2) {
    (void)node.fail("C has the shape " + shapeText(added.getShape()) + "; wants rank 2 or less");
    return Value();
  }
  Value sum = node.make<graph::AddOp>(type, product, summand);
  if (sum && cast<RankedTensorType>(sum.getType()).hasStaticShape() && type.hasStaticShape() && sum.getType() != type) {
    (void)node.fail("C has the shape " + shapeText(added.getShape()) + ", which does not broadcast to the product's " +
                    shapeText(type.getShape()));
    return Value();
  }
  return sum;
}

LogicalResult amp::compiler::importGemm(NodeImport &node) {
  FailureOr<int64_t> transposeLhs = node.integer("transA", 0), transposeRhs = node.integer("transB", 0);
  FailureOr<double> alpha = node.real("alpha", 1), beta = node.real("beta", 1);
  if (failed(transposeLhs) || failed(transposeRhs) || failed(alpha) || failed(beta))
    return failure();
  for (unsigned at : {0u, 1u})
    if (failed(node.requireRank(at, 2)) || failed(node.requireFloat(at)))
      return failure();
  Value product =
      node.make<graph::MatMulOp>(node.type(0), node.input(0), node.input(1), *transposeLhs != 0, *transposeRhs != 0);
  product = scale(node, product, *alpha);
  if (!node.hasInput(2) || *beta == 0)
    return node.setOutput(product);
  if (failed(node.requireFloat(2)))
    return failure();
  return node.setOutput(addSummand(node, product, *beta));
}

LogicalResult amp::compiler::importMatMul(NodeImport &node) {
  Value operands[2];
  bool isVector[2];
  for (unsigned at : {0u, 1u}) {
    if (failed(node.requireFloat(at)))
      return failure();
    if (node.type(at).getRank() == 0)
      return node.fail("input " + Twine(at) + " is a scalar; wants rank 1 or more");
    operands[at] = node.input(at);
    isVector[at] = node.type(at).getRank() == 1;
    // numpy: a vector is a row on the left and a column on the right, and its axis is gone from the result.
    if (isVector[at])
      operands[at] = node.make<graph::UnsqueezeOp>(node.type(at), operands[at], ArrayRef<int64_t>{int64_t(at)});
    if (!operands[at])
      return failure();
  }
  Value product = node.make<graph::MatMulOp>(operands[0].getType(), operands[0], operands[1], false, false);
  if (!product || (!isVector[0] && !isVector[1]))
    return node.setOutput(product);
  const int64_t rank = cast<RankedTensorType>(product.getType()).getRank();
  SmallVector<int64_t> gone;
  if (isVector[0])
    gone.push_back(rank - 2);
  if (isVector[1])
    gone.push_back(rank - 1);
  return node.setOutput(node.make<graph::SqueezeOp>(product.getType(), product, gone));
}
