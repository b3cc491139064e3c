// The table of operators, sorted by name.
#include "compiler/import/onnx/Operators.h"

#include "llvm/ADT/STLExtras.h"

using namespace amp::compiler;

static const OperatorRow rows[] = {
    {"Add", importAdd, 2, 2, 1},
    {"AveragePool", importAveragePool, 1, 1, 1},
    {"Cast", importCast, 1, 1, 1},
    {"Concat", importConcat, 1, anyNumber, 1},
    {"Constant", importConstant, 0, 0, 1},
    {"Conv", importConv, 2, 3, 1},
    {"Div", importDiv, 2, 2, 1},
    {"Dropout", importDropout, 1, 3, 2},
    {"Exp", importExp, 1, 1, 1},
    {"Expand", importExpand, 2, 2, 1},
    {"Flatten", importFlatten, 1, 1, 1},
    {"Gather", importGather, 2, 2, 1},
    {"Gemm", importGemm, 2, 3, 1},
    {"Identity", importIdentity, 1, 1, 1},
    {"Log", importLog, 1, 1, 1},
    {"LogSoftmax", importLogSoftmax, 1, 1, 1},
    {"MatMul", importMatMul, 2, 2, 1},
    {"MaxPool", importMaxPool, 1, 1, 2},
    {"Mul", importMul, 2, 2, 1},
    {"Neg", importNeg, 1, 1, 1},
    {"ReduceMean", importReduceMean, 1, 2, 1},
    {"ReduceSum", importReduceSum, 1, 2, 1},
    {"Relu", importRelu, 1, 1, 1},
    {"Reshape", importReshape, 1, 2, 1},
    {"Shape", importShape, 1, 1, 1},
    {"Sigmoid", importSigmoid, 1, 1, 1},
    {"Slice", importSlice, 1, 5, 1},
    {"Softmax", importSoftmax, 1, 1, 1},
    {"Sqrt", importSqrt, 1, 1, 1},
    {"Squeeze", importSqueeze, 1, 2, 1},
    {"Sub", importSub, 2, 2, 1},
    {"Tanh", importTanh, 1, 1, 1},
    {"Transpose", importTranspose, 1, 1, 1},
    {"Unsqueeze", importUnsqueeze, 1, 2, 1},
};

const OperatorRow *amp::compiler::findOperator(const onnx::NodeProto &node) {
  if (!isDefaultDomain(node.domain()))
    return nullptr;
  const OperatorRow *row =
      llvm::find_if(rows, [&](const OperatorRow &candidate) { return candidate.name == node.op_type(); });
  return row == std::end(rows) ? nullptr : row;
}
