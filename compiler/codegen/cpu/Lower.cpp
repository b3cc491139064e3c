// Lowering of kernel code: polynomials for math, then the LLVM dialect, in one conversion for all kernels.
#include "compiler/codegen/cpu/Lower.h"

#include "compiler/codegen/cpu/MathExpansion.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace amp::compiler;

static LogicalResult toControlFlow(ModuleOp code) {
  RewritePatternSet patterns(code.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget legal(*code.getContext());
  legal.addIllegalDialect<scf::SCFDialect>();
  legal.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(code, legal, std::move(patterns));
}

LogicalResult amp::compiler::lowerToLlvm(ModuleOp code, const CpuTarget &target) {
  MLIRContext *context = code.getContext();
  RewritePatternSet expansions(context);
  populateMathExpansions(expansions, target);
  vector::populateVectorFromElementsUnrollPatterns(expansions);
  GreedyRewriteConfig config;
  config.enableFolding(true);
  if (failed(applyPatternsGreedily(code, std::move(expansions), config)) || failed(toControlFlow(code)))
    return failure();
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget legal(*context);
  legal.addLegalOp<ModuleOp>();
  return applyFullConversion(code, legal, std::move(patterns));
}
