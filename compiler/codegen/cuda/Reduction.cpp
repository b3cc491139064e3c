// Sums and means over axes. Where the last axis is kept, a warp walks along it and eight warps share the terms, so that
// reads lie side by side; else a block sums one result. The order of the terms is fixed by the shapes alone.
#include "compiler/codegen/cuda/KernelWriter.h"
#include "compiler/codegen/cuda/OpPrinter.h"

#include "dialects/graph/Graph.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

/// Terms that are added up alone before they join the sum: the error of fp32 grows with the length of a chain.
constexpr int64_t kChain = 64;

struct Reduction {
  KernelWriter &w;
  Operation *op;
  Value x = op->getOperand(0);
  bool isMean = isa<graph::ReduceMeanOp>(op);
  SmallVector<int64_t> keptShape{}, keptStrides{}, reducedShape{}, reducedStrides{};
  int64_t results = 1, terms = 1;
  std::string type = cudaType(KernelWriter::computeType(x));
  bool keepsLast = false;

  void split() {
    ArrayRef<int64_t> axes = isMean ? cast<graph::ReduceMeanOp>(op).getAxes() : cast<graph::ReduceSumOp>(op).getAxes();
    ArrayRef<int64_t> shape = KernelWriter::typeOf(x).getShape();
    SmallVector<int64_t> strides = stridesOf(shape);
    for (auto [axis, length] : llvm::enumerate(shape)) {
      bool reduced = llvm::is_contained(axes, int64_t(axis));
      (reduced ? reducedShape : keptShape).push_back(length);
      (reduced ? reducedStrides : keptStrides).push_back(strides[axis]);
      (reduced ? terms : results) *= length;
      keepsLast = length == 1 ? keepsLast : !reduced;
    }
  }

  /// Declares `total` and adds to it, over the terms first, first + step, ...
  void addTerms(StringRef first, int64_t step, StringRef base) {
    w.line(type + " total = 0;");
    auto add = [&](StringRef sum, StringRef term) {
      std::string offset = w.place(reducedShape, term, reducedStrides);
      std::string position = base == "0" ? offset : w.declare("u32", base + " + " + offset, "p");
      w.line(sum + " += " + w.at(x, position) + ";");
    };
    std::string last = std::to_string(terms) + "u", stride = std::to_string(step) + "u";
    if (terms <= step * kChain) {
      w.scope("for (u32 t = " + first + "; t < " + last + "; t += " + stride + ")", [&] { add("total", "t"); });
      return;
    }
    std::string chain = std::to_string(step * kChain) + "u";
    w.scope("for (u32 s = " + first + "; s < " + last + "; s += " + chain + ")", [&] {
      w.line(type + " part = 0;");
      w.scope("for (u32 t = s; t < " + last + " && t < s + " + chain + "; t += " + stride + ")",
              [&] { add("part", "t"); });
      w.line("total += part;");
    });
  }

  /// The result from its sum, bound at `position`.
  void finish(StringRef sum, StringRef position) {
    std::string result = cudaType(KernelWriter::computeType(op->getResult(0)));
    std::string value = isMean ? (sum + " / (" + type + ")" + Twine(terms)).str() : sum.str();
    w.bind(op->getResult(0), position, w.declare(result, "(" + result + ")(" + value + ")"));
    w.storeResults(position);
  }

  void writeRows() {
    w.blocks = unsigned(results);
    w.line("AMP_SHARED(" + type + ", shared, 8);");
    w.line("const u32 o = blockIdx.x;");
    addTerms("threadIdx.x", kCudaThreads, w.place(keptShape, "o", keptStrides));
    std::string sum = w.declare(type, "blockSum(total, shared)");
    w.scope("if (threadIdx.x == 0)", [&] { finish(sum, "o"); });
  }

  void writeColumns() {
    w.blocks = unsigned(llvm::divideCeil(results, 32));
    w.line("AMP_SHARED(" + type + ", shared, " + Twine(kCudaThreads) + ");");
    w.line("const u32 warp = threadIdx.x >> 5, o = blockIdx.x * 32u + (threadIdx.x & 31);");
    w.scope("if (o < " + Twine(results) + "u)", [&] {
      addTerms("warp", kCudaThreads / 32, w.place(keptShape, "o", keptStrides));
      w.line("shared[threadIdx.x] = total;");
    });
    w.line("__syncthreads();");
    w.scope("if (warp == 0 && o < " + Twine(results) + "u)", [&] {
      w.line(type + " sum = shared[threadIdx.x];");
      w.line("for (u32 other = threadIdx.x + 32; other < " + Twine(kCudaThreads) + "; other += 32)");
      w.line("  sum += shared[other];");
      finish("sum", "o");
    });
  }
};

} // namespace

void amp::compiler::writeReduction(KernelWriter &w, Operation *root) {
  Reduction reduction{w, root};
  reduction.split();
  if (!w.resultsLieIn(reduction.results))
    return;
  if (reduction.keepsLast && reduction.results > 1)
    reduction.writeColumns();
  else
    reduction.writeRows();
}
