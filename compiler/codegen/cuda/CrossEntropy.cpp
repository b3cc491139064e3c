// Cross-entropy and its gradient: a warp a sample. The sum over samples runs in f64, and its order is that of warps.
#include "compiler/codegen/cuda/OpPrinter.h"
#include "compiler/codegen/cuda/Rows.h"

#include "dialects/graph/Graph.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

struct Samples {
  KernelWriter &w;
  Value logits, labels;
  int64_t ignored;
  Rows rows;
  std::string largest{}, sum{}, label{};

  Samples(KernelWriter &w, Value logits, Value labels, int64_t axis, int64_t ignored)
      : w(w), logits(logits), labels(labels), ignored(ignored), rows(w, KernelWriter::typeOf(logits), axis) {}

  bool isWritable(Operation *op) {
    if (!KernelWriter::computeType(logits).isF32())
      w.refuse(op->getName().getStringRef() + " in f64 has no CUDA code yet");
    return !w.refused();
  }

  std::string counts() { return label + " != " + std::to_string(ignored) + "ll"; }
  std::string exponential(StringRef place) { return w.exp(w.declare("float", w.at(logits, place) + " - " + largest)); }

  /// What both directions need of a sample.
  void enter(StringRef sample) {
    rows.enter(sample);
    label = w.at(labels, sample);
    largest = rows.maximum([&](StringRef place) { return w.at(logits, place); });
    sum = rows.sum([&](StringRef place) { return exponential(place); });
  }

  void loss(graph::CrossEntropyOp op);
  void countLabels();
  void gradient(graph::CrossEntropyGradOp op);
};

void Samples::loss(graph::CrossEntropyOp op) {
  w.line("AMP_SHARED(double, sums, 8);");
  w.line("AMP_SHARED(i32, counts, 8);");
  w.line("double total = 0;");
  w.line("i32 counted = 0;");
  w.scope("for (u32 sample = threadIdx.x >> 5; sample < " + Twine(rows.count) + "u; sample += 8)", [&] {
    enter("sample");
    // An ignored label may lie outside the classes.
    w.scope("if ((threadIdx.x & 31) == 0 && " + counts() + ")", [&] {
      std::string chosen = w.at(logits, rows.at("(u32)" + label));
      std::string term = w.declare("float", w.log(sum) + " - (" + chosen + " - " + largest + ")");
      w.line("total += (double)" + term + ";");
      w.line("counted += 1;");
    });
  });
  std::string all = w.declare("double", "blockSum(total, sums)"), count = w.declare("i32", "blockSum(counted, counts)");
  w.scope("if (threadIdx.x == 0)", [&] {
    std::string mean = all + " / (double)(" + count + " > 1 ? " + count + " : 1)";
    w.bind(op.getLoss(), "0", w.declare("float", "(float)(" + (op.getMean() ? mean : all) + ")"));
    w.storeResults("0");
  });
}

/// Declares `counted`, the number of labels that count, in every thread.
void Samples::countLabels() {
  w.line("AMP_SHARED(i32, counts, 8);");
  w.line("i32 mine = 0;");
  w.scope("for (u32 s = threadIdx.x; s < " + Twine(rows.count) + "u; s += " + Twine(kCudaThreads) + ")", [&] {
    label = w.at(labels, "s");
    w.line("mine += " + counts() + " ? 1 : 0;");
  });
  w.line("const i32 counted = blockSum(mine, counts);");
}

void Samples::gradient(graph::CrossEntropyGradOp op) {
  std::string scale = w.scalar(op.getDloss());
  if (op.getMean()) {
    countLabels();
    scale = w.declare("float", scale + " / (float)(counted > 1 ? counted : 1)");
  }
  w.blocks = unsigned(llvm::divideCeil(rows.count, kCudaThreads / 32));
  w.line("const u32 sample = blockIdx.x * 8u + (threadIdx.x >> 5);");
  w.scope("if (sample < " + Twine(rows.count) + "u)", [&] {
    enter("sample");
    rows.forEach([&](StringRef element, StringRef place) {
      std::string share = w.declare("float", exponential(place) + " / " + sum);
      std::string target = w.declare("float", "(i64)" + element + " == " + label + " ? 1.0f : 0.0f");
      std::string value = "(" + share + " - " + target + ") * " + scale;
      w.bind(op.getDlogits(), place, w.declare("float", counts() + " ? " + value + " : 0.0f"));
      w.storeResults(place);
    });
  });
}

} // namespace

void amp::compiler::writeCrossEntropy(KernelWriter &w, Operation *root) {
  auto op = cast<graph::CrossEntropyOp>(root);
  Samples samples(w, op.getLogits(), op.getLabels(), op.getAxis(), op.getIgnoreIndex());
  if (samples.isWritable(root) && w.resultsLieIn(1))
    samples.loss(op);
}

void amp::compiler::writeCrossEntropyGradient(KernelWriter &w, Operation *root) {
  auto op = cast<graph::CrossEntropyGradOp>(root);
  Samples samples(w, op.getLogits(), op.getLabels(), op.getAxis(), op.getIgnoreIndex());
  if (samples.isWritable(root) && w.resultsLieIn(KernelWriter::elementsOf(op.getDlogits())))
    samples.gradient(op);
}
