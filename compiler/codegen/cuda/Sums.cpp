// Sums over whole tensors, in f64: squares of gradients, what they tell, and the mean squared error.
#include "compiler/codegen/cuda/KernelWriter.h"

#include "dialects/graph/Graph.h"
#include "dialects/train/Train.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// Adds terms to `total` over [first, last), 256 of them at a time.
static void addTerms(KernelWriter &w, StringRef first, StringRef last,
                     llvm::function_ref<std::string(StringRef place)> term) {
  w.scope("for (u32 t = " + first + "; t < " + last + "; t += " + Twine(kCudaThreads) + ")",
          [&] { w.line("total += " + term("t") + ";"); });
}

static std::string squareOf(KernelWriter &w, StringRef value) {
  std::string wide = w.declare("double", "(double)" + value);
  return wide + " * " + wide;
}

/// A block a part.
void amp::compiler::writeSumSquares(KernelWriter &w, Operation *root) {
  auto op = cast<train::SumSquaresOp>(root);
  int64_t parts = KernelWriter::elementsOf(op.getParts()), elements = KernelWriter::elementsOf(op.getGradient());
  if (!w.resultsLieIn(parts))
    return;
  int64_t run = llvm::divideCeil(elements, parts);
  w.blocks = unsigned(parts);
  w.line("AMP_SHARED(double, shared, 8);");
  w.line("const u32 first = blockIdx.x * " + Twine(run) + "u, end = first + " + Twine(run) + "u;");
  w.line("const u32 last = end < " + Twine(elements) + "u ? end : " + Twine(elements) + "u;");
  w.line("double total = 0;");
  addTerms(w, "first + threadIdx.x", "last",
           [&](StringRef place) { return squareOf(w, w.at(op.getGradient(), place)); });
  w.bind(op.getParts(), "blockIdx.x", w.declare("double", "blockSum(total, shared)"));
  w.scope("if (threadIdx.x == 0)", [&] { w.storeResults("blockIdx.x"); });
}

/// No sum of squares of f32 overflows in f64: the total is finite exactly when every part is.
void amp::compiler::writeMeasure(KernelWriter &w, Operation *root) {
  auto op = cast<train::MeasureOp>(root);
  if (!w.resultsLieIn(1))
    return;
  w.line("AMP_SHARED(double, shared, 8);");
  w.line("double total = 0;");
  for (Value parts : op.getParts())
    addTerms(w, "threadIdx.x", std::to_string(KernelWriter::elementsOf(parts)) + "u",
             [&](StringRef place) { return w.at(parts, place); });
  std::string sum = w.declare("double", "blockSum(total, shared)");
  w.scope("if (threadIdx.x == 0)", [&] {
    w.bind(op.getFinite(), "0", w.declare("bool", "fabs(" + sum + ") < asDouble(0x7ff0000000000000ll)"));
    w.bind(op.getNorm(), "0", w.declare("float", "(float)sqrt(" + sum + ")"));
    w.storeResults("0");
  });
}

void amp::compiler::writeMeanSquaredError(KernelWriter &w, Operation *root) {
  auto op = cast<graph::MseOp>(root);
  if (!w.resultsLieIn(1))
    return;
  int64_t elements = KernelWriter::elementsOf(op.getX());
  w.line("AMP_SHARED(double, shared, 8);");
  w.line("double total = 0;");
  addTerms(w, "threadIdx.x", std::to_string(elements) + "u", [&](StringRef place) {
    return squareOf(
        w, w.declare("double", "(double)(" + w.at(op.getX(), place) + " - " + w.at(op.getTarget(), place) + ")"));
  });
  std::string sum = w.declare("double", "blockSum(total, shared)");
  w.scope("if (threadIdx.x == 0)", [&] {
    std::string mean = op.getMean() ? sum + " / " + std::to_string(elements) + ".0" : sum;
    w.bind(op.getLoss(), "0", w.declare("float", "(float)(" + mean + ")"));
    w.storeResults("0");
  });
}
