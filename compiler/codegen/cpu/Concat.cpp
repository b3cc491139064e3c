// Tensors side by side: rows of each are copied into the rows of the result.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

void amp::compiler::emitConcat(KernelEmitter &k, Operation *op) {
  auto concat = cast<graph::ConcatOp>(op);
  auto rowOf = [&](Value value) {
    ChannelShape shape = channelShape(KernelEmitter::typeOf(value), int64_t(concat.getAxis()));
    return shape.channels * shape.inner;
  };
  Memory out = *k.directMemory(0);
  int64_t whole = rowOf(concat.getY());
  k.loop(k.begin, k.end, 1, [&](Value row) {
    int64_t offset = 0;
    for (Value x : concat.getXs()) {
      int64_t length = rowOf(x);
      Value from = k.mul(row, length), to = k.add(k.mul(row, whole), offset);
      if (length > 0)
        k.vectors(length, 2 * k.target.lanes, [&](Value position, int64_t lanes) {
          Value value = k.spread(k.at(x, Index::at(k.add(from, position), lanes)), lanes);
          k.store(out, k.add(to, position), value);
        });
      offset += length;
    }
  });
}
