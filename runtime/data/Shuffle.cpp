// Fisher-Yates over Philox: the swap of position i draws from counter (i, epoch) under the key (seed).
#include "runtime/data/Shuffle.h"

#include "runtime/base/Philox.h"

#include <numeric>
#include <utility>

namespace amp::data {
namespace {

// The high 64 bits of a 64-bit draw times the bound: uniform up to a bias of bound / 2^64.
uint64_t scaledDraw(uint64_t draw, uint64_t bound) {
  uint64_t drawLow = uint32_t(draw), drawHigh = draw >> 32;
  uint64_t boundLow = uint32_t(bound), boundHigh = bound >> 32;
  uint64_t middle = drawHigh * boundLow + ((drawLow * boundLow) >> 32);
  uint64_t middleLow = uint32_t(middle) + drawLow * boundHigh;
  return drawHigh * boundHigh + (middle >> 32) + (middleLow >> 32);
}

} // namespace

std::vector<uint64_t> shuffledOrder(uint64_t count, uint64_t seed, uint64_t epoch) {
  std::vector<uint64_t> order(count);
  std::iota(order.begin(), order.end(), uint64_t(0));
  runtime::PhiloxKey key = {uint32_t(seed), uint32_t(seed >> 32)};
  for (uint64_t i = count; i > 1; --i) {
    runtime::PhiloxCounter counter = {uint32_t(i), uint32_t(i >> 32), uint32_t(epoch), uint32_t(epoch >> 32)};
    runtime::PhiloxCounter random = runtime::philox4x32(counter, key);
    uint64_t draw = (uint64_t(random[1]) << 32) | random[0];
    std::swap(order[i - 1], order[scaledDraw(draw, i)]);
  }
  return order;
}

} // namespace amp::data
