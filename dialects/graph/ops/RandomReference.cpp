// Family Random: reference evaluation.
#include "dialects/graph/Graph.h"
#include "runtime/base/Philox.h"

using namespace mlir;
using namespace amp::graph;

namespace {
/// The mask of one keyed dropout.
struct Mask {
  uint64_t seed, update;
  uint32_t number;
  double ratio;

  bool keeps(uint64_t element) const {
    amp::runtime::PhiloxCounter words =
        amp::runtime::philox4x32({uint32_t(element / 4), number, uint32_t(update), uint32_t(update >> 32)},
                                 {uint32_t(seed), uint32_t(seed >> 32)});
    // 24 bits, so that the number is exact in fp32 too.
    return double(words[element % 4] >> 8) * 0x1p-24 >= ratio;
  }
};
} // namespace

LogicalResult DropoutOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  ReferenceTensor y = operands[0];
  if (!getSeed()) {
    results.push_back(std::move(y));
    return success();
  }
  double ratio = getRatio().convertToDouble();
  Mask mask{uint64_t(operands[1].integers[0]), uint64_t(operands[2].integers[0]), uint32_t(getNumber()), ratio};
  for (size_t i = 0; i < y.floats.size(); ++i)
    y.floats[i] = mask.keeps(i) ? y.floats[i] / (1.0 - ratio) : 0.0;
  y.round();
  results.push_back(std::move(y));
  return success();
}
