// XXH3 with 128 bits over bytes: detects damage of packages and checkpoints. It proves nothing about intent.
#pragma once

#include "runtime/base/Span.h"

#include <memory>
#include <string>

namespace amp::runtime {

struct Digest {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const Digest &other) const { return low == other.low && high == other.high; }
  bool operator!=(const Digest &other) const { return !(*this == other); }
};

Digest digestOf(ByteSpan bytes);
/// 32 lower-case hexadecimal digits, high half first.
std::string digestText(const Digest &digest);

/// The digest of several runs of bytes, as if they were one.
class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher &) = delete;
  Hasher &operator=(const Hasher &) = delete;
  void update(ByteSpan bytes);
  Digest digest() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace amp::runtime
