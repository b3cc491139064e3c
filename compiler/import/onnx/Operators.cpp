// The table of operators, sorted by name.
#include "compiler/import/onnx/Operators.h"

#include "llvm/ADT/STLExtras.h"

using namespace amp::compiler;

static const OperatorRow rows[] = {
    {"Abs", importAbs, 1, 1, 1},
    {"Add", importAdd, 2, 2, 1},
    {"And", importAnd, 2, 2, 1},
    {"AveragePool", importAveragePool, 1, 1, 1},
    {"BatchNormalization", importBatchNormalization, 5, 5, 5},
    {"Cast", importCast, 1, 1, 1},
    {"CastLike", importCastLike, 2, 2, 1},
    {"Clip", importClip, 1, 3, 1},
    {"Concat", importConcat, 1, anyNumber, 1},
    {"Constant", importConstant, 0, 0, 1},
    {"ConstantOfShape", importConstantOfShape, 1, 1, 1},
    {"Conv", importConv, 2, 3, 1},
    {"Div", importDiv, 2, 2, 1},
    {"Dropout", importDropout, 1, 3, 2},
    {"Equal", importEqual, 2, 2, 1},
    {"Erf", importErf, 1, 1, 1},
    {"Exp", importExp, 1, 1, 1},
    {"Expand", importExpand, 2, 2, 1},
    {"Flatten", importFlatten, 1, 1, 1},
    {"Gather", importGather, 2, 2, 1},
    {"GatherElements", importGatherElements, 2, 2, 1},
    {"GatherND", importGatherND, 2, 2, 1},
    {"Gelu", importGelu, 1, 1, 1},
    {"Gemm", importGemm, 2, 3, 1},
    {"GlobalAveragePool", importGlobalAveragePool, 1, 1, 1},
    {"Greater", importGreater, 2, 2, 1},
    {"GreaterOrEqual", importGreaterOrEqual, 2, 2, 1},
    {"Identity", importIdentity, 1, 1, 1},
    {"IsNaN", importIsNaN, 1, 1, 1},
    {"LayerNormalization", importLayerNormalization, 2, 3, 3},
    {"Less", importLess, 2, 2, 1},
    {"LessOrEqual", importLessOrEqual, 2, 2, 1},
    {"Log", importLog, 1, 1, 1},
    {"LogSoftmax", importLogSoftmax, 1, 1, 1},
    {"MatMul", importMatMul, 2, 2, 1},
    {"Max", importMax, 1, anyNumber, 1},
    {"MaxPool", importMaxPool, 1, 1, 2},
    {"Min", importMin, 1, anyNumber, 1},
    {"Mul", importMul, 2, 2, 1},
    {"Neg", importNeg, 1, 1, 1},
    {"Not", importNot, 1, 1, 1},
    {"Or", importOr, 2, 2, 1},
    {"Pow", importPow, 2, 2, 1},
    {"Range", importRange, 3, 3, 1},
    {"Reciprocal", importReciprocal, 1, 1, 1},
    {"ReduceMean", importReduceMean, 1, 2, 1},
    {"ReduceSum", importReduceSum, 1, 2, 1},
    {"Relu", importRelu, 1, 1, 1},
    {"Reshape", importReshape, 1, 2, 1},
    {"Shape", importShape, 1, 1, 1},
    {"Sigmoid", importSigmoid, 1, 1, 1},
    {"Slice", importSlice, 1, 5, 1},
    {"Softmax", importSoftmax, 1, 1, 1},
    {"Split", importSplit, 1, 2, anyNumber},
    {"Sqrt", importSqrt, 1, 1, 1},
    {"Squeeze", importSqueeze, 1, 2, 1},
    {"Sub", importSub, 2, 2, 1},
    {"Sum", importSum, 1, anyNumber, 1},
    {"Tanh", importTanh, 1, 1, 1},
    {"Transpose", importTranspose, 1, 1, 1},
    {"Trilu", importTrilu, 1, 2, 1},
    {"Unsqueeze", importUnsqueeze, 1, 2, 1},
    {"Where", importWhere, 3, 3, 1},
};

const OperatorRow *amp::compiler::findOperator(const onnx::NodeProto &node) {
  if (!isDefaultDomain(node.domain()))
    return nullptr;
  const OperatorRow *row =
      llvm::find_if(rows, [&](const OperatorRow &candidate) { return candidate.name == node.op_type(); });
  return row == std::end(rows) ? nullptr : row;
}
