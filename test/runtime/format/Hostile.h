// Damaged copies of a file for the tests of its reader. Every copy is its own allocation, so that the address
// sanitizer sees a read past its end.
#pragma once

#include "runtime/base/FileSystem.h"
#include "runtime/base/Limits.h"

#include <gtest/gtest.h>

namespace amp::test {

using Bytes = std::vector<uint8_t>;

inline Bytes readFixture(const std::string &name) {
  auto bytes = runtime::readWhole(runtime::posixFileSystem(), "test/data/" + name, 1 << 24);
  EXPECT_TRUE(bytes.isOk()) << bytes.status().message();
  return bytes.isOk() ? *bytes : Bytes();
}

/// Expects `read(bytes)` to fail for every proper prefix. `read` returns a Status.
template <typename Read> void expectEveryTruncationRefused(const Bytes &whole, Read read) {
  EXPECT_TRUE(read(whole).isOk()) << read(whole).message();
  for (size_t length = 0; length < whole.size(); ++length) {
    Bytes cut(whole.begin(), whole.begin() + long(length));
    cut.shrink_to_fit();
    runtime::Status status = read(cut);
    EXPECT_FALSE(status.isOk()) << "cut to " << length << " of " << whole.size() << " bytes";
    EXPECT_NE(status.message(), "");
  }
}

/// Reads every copy with one byte changed, in three ways; the reader may accept it but must survive. Returns how many
/// were refused.
template <typename Read> size_t countRefusedFlips(const Bytes &whole, Read read) {
  size_t refused = 0;
  for (size_t at = 0; at < whole.size(); ++at)
    for (uint8_t change : {0x01, 0x80, 0xFF}) {
      Bytes flipped(whole);
      flipped[at] ^= change;
      refused += read(flipped).isOk() ? 0 : 1;
    }
  return refused;
}

/// Expects a failure whose message holds `text`.
inline void expectRefused(const runtime::Status &status, const std::string &text) {
  EXPECT_FALSE(status.isOk());
  EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
}

} // namespace amp::test
