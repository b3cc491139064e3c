// exp, log, tanh and erf as polynomials of vectors, and a fused multiply-add where there is none.
#include "compiler/codegen/cpu/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"

using namespace mlir;
using namespace amp::compiler;

namespace {

/// Without the instruction LLVM would call fmaf.
struct SplitFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op, PatternRewriter &rewriter) const override {
    Value product = arith::MulFOp::create(rewriter, op.getLoc(), op.getA(), op.getB());
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, op.getC());
    return success();
  }
};

} // namespace

void amp::compiler::populateMathExpansions(RewritePatternSet &patterns, const CpuTarget &target) {
  populateMathPolynomialApproximationPatterns(patterns);
  if (!target.fma)
    patterns.add<SplitFma>(patterns.getContext());
}
