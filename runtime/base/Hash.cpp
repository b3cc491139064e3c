#include "runtime/base/Hash.h"

#define XXH_INLINE_ALL // no symbol of xxHash leaves this file
#include <xxhash.h>

namespace amp::runtime {

struct alignas(64) Hasher::State {
  XXH3_state_t xxh;
};

Digest digestOf(ByteSpan bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

std::string digestText(const Digest &digest) {
  static const char digits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int i = 0; i < 16; ++i) {
    text[15 - i] = digits[(digest.high >> (4 * i)) & 15];
    text[31 - i] = digits[(digest.low >> (4 * i)) & 15];
  }
  return text;
}

Hasher::Hasher() : state(std::make_unique<State>()) {
  XXH3_128bits_reset(&state->xxh);
}
Hasher::~Hasher() = default;

void Hasher::update(ByteSpan bytes) {
  XXH3_128bits_update(&state->xxh, bytes.data(), bytes.size());
}

Digest Hasher::digest() const {
  XXH128_hash_t hash = XXH3_128bits_digest(&state->xxh);
  return {hash.low64, hash.high64};
}

} // namespace amp::runtime
