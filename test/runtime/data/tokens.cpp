#include "runtime/data/Dataset.h"
#include "runtime/data/Loader.h"
#include "test/runtime/format/Hostile.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace amp::data;
using namespace amp::runtime;
using amp::test::Bytes;
using amp::test::expectRefused;

namespace {

class TokenFile {
public:
  explicit TokenFile(const Bytes &bytes) : path(testing::TempDir() + "amp-tokens-" + std::to_string(getpid())) {
    std::FILE *file = std::fopen(path.c_str(), "wb");
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
  }
  ~TokenFile() { std::remove(path.c_str()); }
  std::string spec() const { return "tokens:" + path; }

private:
  std::string path;
};

/// Tokens first, first + 1, ..., whose high bytes are not 0.
Bytes countingTokens(unsigned count) {
  Bytes bytes;
  for (unsigned token = 0x0100; token < 0x0100 + count; ++token) {
    bytes.push_back(uint8_t(token));
    bytes.push_back(uint8_t(token >> 8));
  }
  return bytes;
}

std::vector<InputSpec> inputs(uint64_t window, ElementType type = ElementType::I64) {
  return {{"ids", type, {2, window}, 0, 0}, {"labels", ElementType::I64, {2, window}, 1000, -100}};
}

Status opening(const TokenFile &file, const std::vector<InputSpec> &inputs) {
  auto dataset = openDataset(posixFileSystem(), file.spec(), Part::Training, inputs);
  return dataset.isOk() ? Status() : dataset.status();
}

template <typename T> std::vector<T> sampleOf(const Dataset &dataset, uint64_t index, size_t input, uint64_t count) {
  std::vector<uint8_t> bytes(count * sizeof(T));
  EXPECT_TRUE(dataset.copySample(index, input, bytes.data()).isOk());
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(TokenDataset, CutsWindowsWhoseLabelsAreTheNextTokens) {
  TokenFile file(countingTokens(10));
  auto dataset = openDataset(posixFileSystem(), file.spec(), Part::Training, inputs(3, ElementType::I32));
  ASSERT_TRUE(dataset.isOk()) << dataset.status().message();
  ASSERT_EQ((*dataset)->size(), 3u);
  EXPECT_EQ(sampleOf<int32_t>(**dataset, 0, 0, 3), (std::vector<int32_t>{256, 257, 258}));
  EXPECT_EQ(sampleOf<int64_t>(**dataset, 0, 1, 3), (std::vector<int64_t>{257, 258, 259}));
  // The last label is the last token of the file.
  EXPECT_EQ(sampleOf<int32_t>(**dataset, 2, 0, 3), (std::vector<int32_t>{262, 263, 264}));
  EXPECT_EQ(sampleOf<int64_t>(**dataset, 2, 1, 3), (std::vector<int64_t>{263, 264, 265}));
}

TEST(TokenDataset, NeedsATokenAfterTheLast) {
  TokenFile nine(countingTokens(9));
  auto dataset = openDataset(posixFileSystem(), nine.spec(), Part::Training, inputs(3));
  ASSERT_TRUE(dataset.isOk()) << dataset.status().message();
  EXPECT_EQ((*dataset)->size(), 2u);
  expectRefused(opening(nine, inputs(9)), "holds 9 tokens, wanted at least 10, a sample and the token after it");
}

TEST(TokenDataset, SaysWhatDoesNotFit) {
  TokenFile file(countingTokens(10));
  expectRefused(opening(file, inputs(3, ElementType::F32)),
                "input 'ids' takes float32[3] a sample, wanted int64 or int32");
  std::vector<InputSpec> masked = inputs(3);
  masked.push_back({"mask", ElementType::I64, {2, 3}, 0, 0});
  expectRefused(opening(file, masked), "inputs 'ids' and 'mask' besides the labels, wanted one for the tokens");
  std::vector<InputSpec> classes = inputs(3);
  classes[1].shape = {2};
  expectRefused(opening(file, classes), "input 'labels' takes [] a sample, wanted [3], the token after each");
  expectRefused(opening(file, {inputs(3)[1]}), "the program takes labels alone");
  TokenFile odd(Bytes{1, 0, 2, 0, 3});
  expectRefused(opening(odd, inputs(1)), "holds 5 bytes, wanted an even number: tokens are uint16");
}

} // namespace
