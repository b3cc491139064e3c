// The table of operators: one function and one row each.
#ifndef AMP_COMPILER_IMPORT_ONNX_OPERATORS_H
#define AMP_COMPILER_IMPORT_ONNX_OPERATORS_H

#include "compiler/import/onnx/NodeImport.h"

namespace amp::compiler {

/// Imports one node: asks it for operands and attributes, makes graph ops, sets its outputs. Fails after a problem is
/// recorded.
using OperatorImport = llvm::LogicalResult (*)(NodeImport &);

struct OperatorRow {
  llvm::StringLiteral name;
  OperatorImport import;
  unsigned requiredInputs; ///< the first inputs, which a node must name
  unsigned mostInputs;
  unsigned mostOutputs;
};

constexpr unsigned anyNumber = ~0u;

/// The row of an operator of the default domain; null if amp has none.
const OperatorRow *findOperator(const onnx::NodeProto &node);

// <Family>Import.cpp each.
llvm::LogicalResult importGemm(NodeImport &node);
llvm::LogicalResult importMatMul(NodeImport &node);
llvm::LogicalResult importConv(NodeImport &node);
llvm::LogicalResult importMaxPool(NodeImport &node);
llvm::LogicalResult importAveragePool(NodeImport &node);
llvm::LogicalResult importGlobalAveragePool(NodeImport &node);
llvm::LogicalResult importBatchNormalization(NodeImport &node);
llvm::LogicalResult importLayerNormalization(NodeImport &node);
llvm::LogicalResult importAdd(NodeImport &node);
llvm::LogicalResult importSub(NodeImport &node);
llvm::LogicalResult importMul(NodeImport &node);
llvm::LogicalResult importDiv(NodeImport &node);
llvm::LogicalResult importNeg(NodeImport &node);
llvm::LogicalResult importExp(NodeImport &node);
llvm::LogicalResult importLog(NodeImport &node);
llvm::LogicalResult importSqrt(NodeImport &node);
llvm::LogicalResult importRelu(NodeImport &node);
llvm::LogicalResult importTanh(NodeImport &node);
llvm::LogicalResult importSigmoid(NodeImport &node);
llvm::LogicalResult importErf(NodeImport &node);
llvm::LogicalResult importGelu(NodeImport &node);
llvm::LogicalResult importAbs(NodeImport &node);
llvm::LogicalResult importReciprocal(NodeImport &node);
llvm::LogicalResult importPow(NodeImport &node);
llvm::LogicalResult importSum(NodeImport &node);
llvm::LogicalResult importMin(NodeImport &node);
llvm::LogicalResult importMax(NodeImport &node);
llvm::LogicalResult importClip(NodeImport &node);
llvm::LogicalResult importEqual(NodeImport &node);
llvm::LogicalResult importGreater(NodeImport &node);
llvm::LogicalResult importGreaterOrEqual(NodeImport &node);
llvm::LogicalResult importLess(NodeImport &node);
llvm::LogicalResult importLessOrEqual(NodeImport &node);
llvm::LogicalResult importAnd(NodeImport &node);
llvm::LogicalResult importOr(NodeImport &node);
llvm::LogicalResult importNot(NodeImport &node);
llvm::LogicalResult importIsNaN(NodeImport &node);
llvm::LogicalResult importWhere(NodeImport &node);
llvm::LogicalResult importFlatten(NodeImport &node);
llvm::LogicalResult importReshape(NodeImport &node);
llvm::LogicalResult importTranspose(NodeImport &node);
llvm::LogicalResult importUnsqueeze(NodeImport &node);
llvm::LogicalResult importSqueeze(NodeImport &node);
llvm::LogicalResult importExpand(NodeImport &node);
llvm::LogicalResult importShape(NodeImport &node);
llvm::LogicalResult importConstantOfShape(NodeImport &node);
llvm::LogicalResult importRange(NodeImport &node);
llvm::LogicalResult importGather(NodeImport &node);
llvm::LogicalResult importGatherElements(NodeImport &node);
llvm::LogicalResult importGatherND(NodeImport &node);
llvm::LogicalResult importConcat(NodeImport &node);
llvm::LogicalResult importSlice(NodeImport &node);
llvm::LogicalResult importSplit(NodeImport &node);
llvm::LogicalResult importTrilu(NodeImport &node);
llvm::LogicalResult importSoftmax(NodeImport &node);
llvm::LogicalResult importLogSoftmax(NodeImport &node);
llvm::LogicalResult importReduceSum(NodeImport &node);
llvm::LogicalResult importReduceMean(NodeImport &node);
llvm::LogicalResult importDropout(NodeImport &node);
llvm::LogicalResult importIdentity(NodeImport &node);
llvm::LogicalResult importConstant(NodeImport &node);
llvm::LogicalResult importCast(NodeImport &node);
llvm::LogicalResult importCastLike(NodeImport &node);

/// A problem unless operand `at` can be a shape: int64 of rank 1 and of known length, at most 32.
llvm::LogicalResult requireShapeList(NodeImport &node, unsigned at);

} // namespace amp::compiler

#endif
