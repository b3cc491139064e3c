// Philox 4x32-10, the counter-based generator behind every random choice: a value is a function of (counter, key), so
// random state is the few numbers that the caller counts. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
// (SC 2011); the known answers of Random123 are in its test.
#pragma once

#include <array>
#include <cstdint>

namespace amp::runtime {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

inline PhiloxCounter philoxRound(const PhiloxCounter &counter, const PhiloxKey &key) {
  uint64_t product0 = uint64_t(0xD2511F53u) * counter[0];
  uint64_t product1 = uint64_t(0xCD9E8D57u) * counter[2];
  return {uint32_t(product1 >> 32) ^ counter[1] ^ key[0], uint32_t(product1),
          uint32_t(product0 >> 32) ^ counter[3] ^ key[1], uint32_t(product0)};
}

inline PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      key[0] += 0x9E3779B9u;
      key[1] += 0xBB67AE85u;
    }
    counter = philoxRound(counter, key);
  }
  return counter;
}

} // namespace amp::runtime
