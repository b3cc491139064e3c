// Softmax, log-softmax and their gradients, and the walk along rows.
#include "compiler/codegen/cuda/Rows.h"

#include "dialects/graph/Graph.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

Rows::Rows(KernelWriter &w, RankedTensorType type, int64_t axis) : w(w), length(type.getDimSize(axis)) {
  for (int64_t after : type.getShape().drop_front(axis + 1))
    inner *= after;
  count = type.getNumElements() / std::max<int64_t>(length, 1);
}

void Rows::enter(StringRef row) {
  // The place of element 0: the axes before the row's lie `length` rows apart.
  int64_t outer = count / inner;
  base = w.place({outer, inner}, row, {length * inner, 1});
}

std::string Rows::at(StringRef element) {
  return w.declare("u32", base + " + " + element + (inner == 1 ? Twine() : " * " + Twine(inner) + "u"), "p");
}

void Rows::forEach(Body body) {
  w.scope("for (u32 k = threadIdx.x & 31; k < " + Twine(length) + "u; k += 32)", [&] { body("k", at("k")); });
}

std::string Rows::sum(Term term) {
  std::string total = w.fresh("total");
  w.line("float " + total + " = 0.0f;");
  forEach([&](StringRef, StringRef place) { w.line(total + " += " + term(place) + ";"); });
  return w.declare("float", "warpSum(" + total + ")");
}

std::string Rows::maximum(Term term) {
  std::string largest = w.fresh("largest");
  w.line("float " + largest + " = asFloat((i32)0xff800000u);");
  forEach([&](StringRef, StringRef place) { w.line(largest + " = maximum(" + largest + ", " + term(place) + ");"); });
  return w.declare("float", "warpMaximum(" + largest + ")");
}

namespace {

struct Softmax {
  KernelWriter &w;
  Operation *op;
  Rows rows;

  /// Stores the root's results: `value` gives the element at a place.
  void store(Rows::Term value) {
    rows.forEach([&](StringRef, StringRef place) {
      w.bind(op->getResult(0), place, value(place));
      w.storeResults(place);
    });
  }

  std::string minus(StringRef lhs, StringRef rhs) { return w.declare("float", lhs + " - " + rhs); }

  void forward(Value x, bool logarithm) {
    std::string largest = rows.maximum([&](StringRef place) { return w.at(x, place); });
    auto shifted = [&](StringRef place) { return minus(w.at(x, place), largest); };
    std::string sum = rows.sum([&](StringRef place) { return w.exp(shifted(place)); });
    if (!logarithm)
      return store([&](StringRef place) { return w.declare("float", w.exp(shifted(place)) + " / " + sum); });
    std::string logSum = w.log(sum);
    store([&](StringRef place) { return minus(shifted(place), logSum); });
  }

  /// What softmax gave; 0 for NaN, which a row has that a mask leaves nothing.
  std::string share(Value y, StringRef place) {
    std::string value = w.at(y, place);
    return w.declare("float", value + " == " + value + " ? " + value + " : 0.0f");
  }

  void gradient(Value dy, Value y, bool logarithm) {
    std::string sum = rows.sum([&](StringRef place) {
      std::string slope = w.at(dy, place);
      return logarithm ? slope : w.declare("float", slope + " * " + share(y, place));
    });
    store([&](StringRef place) {
      std::string slope = w.at(dy, place);
      if (logarithm)
        return w.declare("float", slope + " - " + w.exp(w.at(y, place)) + " * " + sum);
      return w.declare("float", share(y, place) + " * (" + slope + " - " + sum + ")");
    });
  }

  void row() {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](graph::SoftmaxOp softmax) { forward(softmax.getX(), false); })
        .Case([&](graph::LogSoftmaxOp softmax) { forward(softmax.getX(), true); })
        .Case([&](graph::SoftmaxGradOp softmax) { gradient(softmax.getDy(), softmax.getY(), false); })
        .Case([&](graph::LogSoftmaxGradOp softmax) { gradient(softmax.getDy(), softmax.getY(), true); });
  }
};

int64_t axisOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<graph::SoftmaxOp, graph::SoftmaxGradOp, graph::LogSoftmaxOp, graph::LogSoftmaxGradOp>(
          [](auto softmax) { return softmax.getAxis(); });
}

} // namespace

void amp::compiler::writeSoftmax(KernelWriter &w, Operation *root) {
  RankedTensorType type = KernelWriter::typeOf(root->getResult(0));
  if (!KernelWriter::computeType(root->getResult(0)).isF32())
    return w.refuse(root->getName().getStringRef() + " in f64 has no CUDA code yet");
  if (!w.resultsLieIn(type.getNumElements()))
    return;
  Softmax softmax{w, root, Rows(w, type, axisOf(root))};
  w.blocks = unsigned(llvm::divideCeil(softmax.rows.count, kCudaThreads / 32));
  w.line("const u32 row = blockIdx.x * 8u + (threadIdx.x >> 5);");
  w.scope("if (row < " + Twine(softmax.rows.count) + "u)", [&] {
    softmax.rows.enter("row");
    softmax.row();
  });
}
