#include "runtime/base/Hash.h"

#include <gtest/gtest.h>

using namespace amp::runtime;

TEST(Hash, KnownValue) {
  // XXH3_128bits of no bytes with seed 0, as the reference implementation publishes it.
  EXPECT_EQ(digestText(digestOf(ByteSpan())), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash, PartsGiveTheDigestOfTheWhole) {
  std::vector<uint8_t> bytes(10000);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i * 7);
  ByteSpan whole(bytes);
  Hasher hasher;
  hasher.update(whole.slice(0, 1));
  hasher.update(whole.slice(1, 0));
  hasher.update(whole.slice(1, 9999));
  EXPECT_EQ(hasher.digest(), digestOf(whole));
}
