#include "runtime/base/Half.h"
#include "runtime/base/Philox.h"
#include "runtime/data/Convert.h"
#include "runtime/data/Idx.h"
#include "runtime/data/Loader.h"
#include "runtime/data/Shuffle.h"
#include "runtime/format/Npz.h"
#include "test/runtime/format/Hostile.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <zlib.h>

using namespace amp::data;
using namespace amp::runtime;
using amp::test::Bytes;
using amp::test::expectRefused;

namespace {

constexpr const char *mnist = "test/data/mnist";

InputSpec images(uint64_t batch) {
  return {"input", ElementType::F32, {batch, 1, 2, 3}, 0, 0};
}
InputSpec labels(uint64_t batch) {
  return {"labels", ElementType::I64, {batch}, 10, -100};
}

template <typename T> std::vector<T> valuesOf(const std::vector<uint8_t> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::unique_ptr<Dataset> openPart(Part part, const std::vector<InputSpec> &inputs) {
  auto dataset = openDataset(posixFileSystem(), std::string("mnist:") + mnist, part, inputs);
  EXPECT_TRUE(dataset.isOk()) << dataset.status().message();
  return dataset.isOk() ? std::move(*dataset) : nullptr;
}

Status opening(const std::string &spec, const std::vector<InputSpec> &inputs) {
  auto dataset = openDataset(posixFileSystem(), spec, Part::Training, inputs);
  return dataset.isOk() ? Status() : dataset.status();
}

// A file of the test's own, gone at its end.
struct TemporaryFile {
  explicit TemporaryFile(const std::string &tail)
      : path(testing::TempDir() + "amp-" + std::to_string(getpid()) + tail) {}
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};

TEST(Philox, GivesTheKnownAnswers) {
  // Random123, kat_vectors, philox4x32 10.
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Shuffle, IsAPermutationOfSeedAndEpoch) {
  for (uint64_t count : {0, 1, 2, 7, 1000}) {
    std::vector<uint64_t> order = shuffledOrder(count, 5, 3);
    EXPECT_EQ(order, shuffledOrder(count, 5, 3));
    std::sort(order.begin(), order.end());
    for (uint64_t i = 0; i < count; ++i)
      EXPECT_EQ(order[i], i);
  }
  EXPECT_NE(shuffledOrder(100, 5, 3), shuffledOrder(100, 5, 4));
  EXPECT_NE(shuffledOrder(100, 5, 3), shuffledOrder(100, 6, 3));
  EXPECT_NE(shuffledOrder(100, 5, 3), shuffledOrder(100, 5 + (uint64_t(1) << 32), 3));
}

TEST(Shuffle, PutsEverySampleEverywhere) {
  // 4000 epochs of 8 samples: each place is taken 500 times; 5 standard deviations are 105.
  uint64_t seen[8][8] = {};
  for (uint64_t epoch = 0; epoch < 4000; ++epoch) {
    std::vector<uint64_t> order = shuffledOrder(8, 1, epoch);
    for (uint64_t place = 0; place < 8; ++place)
      ++seen[place][order[place]];
  }
  for (auto &place : seen)
    for (uint64_t count : place)
      EXPECT_NEAR(double(count), 500, 105);
}

TEST(Shuffle, KeepsItsOrderAcrossVersions) {
  // A checkpoint of an older version resumes in the same order.
  EXPECT_EQ(shuffledOrder(8, 42, 1), (std::vector<uint64_t>{1, 0, 3, 5, 4, 6, 2, 7}));
}

TEST(Convert, ConvertsIntegersWithoutScaling) {
  Bytes from = {0, 1, 255};
  float floats[3];
  ASSERT_TRUE(convertElements(ScalarType::U8, from, ElementType::F32, reinterpret_cast<uint8_t *>(floats)).isOk());
  EXPECT_EQ(floats[2], 255.0f);
  int64_t wide[3];
  ASSERT_TRUE(convertElements(ScalarType::U8, from, ElementType::I64, reinterpret_cast<uint8_t *>(wide)).isOk());
  EXPECT_EQ(wide[2], 255);
  uint16_t halves[3];
  ASSERT_TRUE(convertElements(ScalarType::I8, from, ElementType::BF16, reinterpret_cast<uint8_t *>(halves)).isOk());
  EXPECT_EQ(halves[2], 0xBF80); // -1
  Bytes bits = {0x80, 0x3F};
  ASSERT_TRUE(convertElements(ScalarType::U16, bits, ElementType::BF16, reinterpret_cast<uint8_t *>(halves)).isOk());
  EXPECT_EQ(halves[0], 0x3F80);
}

TEST(Convert, ConvertsFloatsAndRefusesWhatDoesNotFit) {
  double value = 0.1;
  Bytes from(8), to(8);
  std::memcpy(from.data(), &value, 8);
  float narrow;
  ASSERT_TRUE(convertElements(ScalarType::F64, from, ElementType::F32, reinterpret_cast<uint8_t *>(&narrow)).isOk());
  EXPECT_EQ(narrow, 0.1f);
  EXPECT_FALSE(canConvert(ScalarType::F32, ElementType::I64));
  EXPECT_TRUE(canConvert(ScalarType::I64, ElementType::I32));
  int64_t large = int64_t(1) << 40;
  std::memcpy(from.data(), &large, 8);
  expectRefused(convertElements(ScalarType::I64, from, ElementType::I32, to.data()),
                "value 1099511627776 at element 0 does not fit int32");
  expectRefused(convertElements(ScalarType::I64, from, ElementType::I1, to.data()), "does not fit bool");
}

Status readBytes(const Bytes &bytes) {
  Result<ArrayView> view = readIdx(bytes, "a.idx");
  return view.isOk() ? Status() : view.status();
}

TEST(Idx, RefusesEveryTruncationAndSurvivesEveryFlip) {
  Bytes bytes = amp::test::readFixture("mnist/train-images-idx3-ubyte");
  amp::test::expectEveryTruncationRefused(bytes, readBytes);
  EXPECT_GE(amp::test::countRefusedFlips(bytes, readBytes), 40u);
  bytes.push_back(0);
  expectRefused(readBytes(bytes), "31 bytes of elements, wanted 30 for [5, 2, 3]");
}

TEST(Idx, SaysWhatIsWrong) {
  expectRefused(readBytes({0x1F, 0x8B, 8, 0}), "no IDX file");
  expectRefused(readBytes({0, 0, 0x0D, 1, 0, 0, 0, 1}), "IDX type 13, wanted 8");
  expectRefused(readBytes({0, 0, 8, 255}), "ends inside its 255 dimensions");
  Bytes overflow = {0, 0, 8, 3};
  overflow.resize(16, 0xFF);
  expectRefused(readBytes(overflow), "wanted more than 2^64");
}

TEST(Idx, ReadsGzip) {
  Bytes plain = amp::test::readFixture("mnist/train-images-idx3-ubyte");
  TemporaryFile file("-images");
  std::string packed = file.path + ".gz";
  gzFile gz = gzopen(packed.c_str(), "wb");
  ASSERT_EQ(gzwrite(gz, plain.data(), unsigned(plain.size())), int(plain.size()));
  gzclose(gz);
  Result<IdxFile> idx = openIdx(posixFileSystem(), file.path, Limits());
  std::remove(packed.c_str());
  ASSERT_TRUE(idx.isOk()) << idx.status().message();
  EXPECT_EQ(idx->view.shape, (std::vector<uint64_t>{5, 2, 3}));
  EXPECT_EQ(idx->view.bytes[29], plain.back());
}

TEST(Mnist, ScalesPixelsAndReadsDigits) {
  std::vector<InputSpec> inputs = {images(2), labels(2)};
  std::unique_ptr<Dataset> train = openPart(Part::Training, inputs), held = openPart(Part::Validation, inputs);
  ASSERT_TRUE(train && held);
  EXPECT_EQ(train->size(), 5u);
  EXPECT_EQ(held->size(), 3u);
  std::vector<uint8_t> pixels(24), digit(8);
  ASSERT_TRUE(train->copySample(1, 0, pixels.data()).isOk());
  EXPECT_EQ(valuesOf<float>(pixels)[0], 102.0f / 255.0f);
  ASSERT_TRUE(train->copySample(3, 1, digit.data()).isOk());
  EXPECT_EQ(valuesOf<int64_t>(digit)[0], 3);
}

TEST(Mnist, SaysWhatDoesNotFit) {
  std::string spec = std::string("mnist:") + mnist;
  InputSpec wide = images(2);
  wide.shape = {2, 28, 28};
  expectRefused(opening(spec, {wide, labels(2)}),
                "input 'input' takes float32[28, 28] a sample, but the images are 2x3");
  expectRefused(opening(spec, {images(2), images(2), labels(2)}), "has 2 inputs besides its labels, wanted one");
  expectRefused(opening(spec, {images(2), labels(3)}), "'labels' takes 3 samples a batch, but 'input' takes 2");
  expectRefused(opening("mnist:nowhere", {images(2), labels(2)}), "nowhere/train-images-idx3-ubyte");
  expectRefused(opening("images:somewhere", {images(2)}), "images: is not there yet");
  expectRefused(opening("digits.csv", {images(2)}), "wanted mnist:DIR, tokens:FILE.bin or FILE.npz");
  InputSpec scalar = images(2);
  scalar.shape = {};
  expectRefused(opening(spec, {scalar}), "wanted a first axis for the samples");
}

TEST(NpzDataset, ReadsNamedArrays) {
  std::vector<double> x = {0, 1, 2, 3, 4, 5};
  Bytes y = {7, 8, 9};
  NpzWriter writer;
  ByteSpan raw(reinterpret_cast<const uint8_t *>(x.data()), x.size() * 8);
  ASSERT_TRUE(writer.add("x", ScalarType::F64, {3, 2}, raw).isOk());
  ASSERT_TRUE(writer.add("labels", ScalarType::U8, {3}, y).isOk());
  TemporaryFile file(".npz");
  ASSERT_TRUE(writer.write(posixFileSystem(), file.path).isOk());
  std::vector<InputSpec> inputs = {{"x", ElementType::F32, {2, 2}, 0, 0}, labels(2)};
  auto dataset = openDataset(posixFileSystem(), file.path, Part::Training, inputs);
  ASSERT_TRUE(dataset.isOk()) << dataset.status().message();
  std::vector<uint8_t> sample(8);
  ASSERT_TRUE((*dataset)->copySample(1, 0, sample.data()).isOk());
  EXPECT_EQ(valuesOf<float>(sample), (std::vector<float>{2, 3}));
  ASSERT_TRUE((*dataset)->copySample(2, 1, sample.data()).isOk());
  EXPECT_EQ(valuesOf<int64_t>(sample)[0], 9);

  inputs[0].shape = {2, 3};
  expectRefused(opening(file.path, inputs), "array 'x': has shape [3, 2], wanted [3, 3]");
  inputs[0].name = "z";
  expectRefused(opening(file.path, inputs), "no array for input 'z'; the file holds 'x', 'labels'");
  expectRefused(opening(file.path, {{"x", ElementType::I64, {2, 2}, 0, 0}}), "holds float64, wanted int64");
}

// Sample i is the number i, so that a batch tells where it comes from.
class Numbers final : public Dataset {
public:
  explicit Numbers(uint64_t count, uint64_t failing = UINT64_MAX) : count(count), failing(failing) {}
  uint64_t size() const override { return count; }
  Status copySample(uint64_t index, size_t, uint8_t *to) const override {
    if (index == failing)
      return Status(StatusCode::Damaged, "sample is broken");
    int64_t value = int64_t(index);
    std::memcpy(to, &value, sizeof value);
    return Status();
  }

private:
  uint64_t count, failing;
};

InputSpec numbers(uint64_t batch) {
  return {"x", ElementType::I64, {batch}, 0, 0};
}

std::vector<int64_t> epochOf(Loader &loader, uint64_t epoch, uint64_t first = 0) {
  std::vector<int64_t> all;
  loader.start(epoch, first);
  for (;;) {
    Result<const LoadedBatch *> batch = loader.next();
    EXPECT_TRUE(batch.isOk());
    if (!batch.isOk() || !*batch)
      return all;
    for (int64_t value : valuesOf<int64_t>((*batch)->inputs[0]))
      all.push_back(value);
  }
}

TEST(Loader, DropsTheShortBatch) {
  Numbers dataset(7);
  Loader loader(dataset, {numbers(3)}, {});
  EXPECT_EQ(loader.batchesPerEpoch(), 2u);
  EXPECT_EQ(loader.droppedSamples(), 1u);
  EXPECT_EQ(epochOf(loader, 0), (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(epochOf(loader, 1, 1), (std::vector<int64_t>{3, 4, 5}));
  EXPECT_EQ(epochOf(loader, 1, 9), std::vector<int64_t>());
}

TEST(Loader, PadsAndMasksTheShortBatch) {
  Numbers dataset(5);
  std::vector<InputSpec> inputs = {numbers(3), labels(3)};
  EXPECT_TRUE(canPad(inputs));
  EXPECT_FALSE(canPad({numbers(3)}));
  LoaderOptions options;
  options.shortBatch = ShortBatch::Pad;
  Loader loader(dataset, inputs, options);
  EXPECT_EQ(loader.batchesPerEpoch(), 2u);
  loader.start(0, 1);
  Result<const LoadedBatch *> batch = loader.next();
  ASSERT_TRUE(batch.isOk() && *batch);
  EXPECT_EQ((*batch)->samples, 2u);
  EXPECT_EQ((*batch)->weight, 2u);
  EXPECT_EQ(valuesOf<int64_t>((*batch)->inputs[0]), (std::vector<int64_t>{3, 4, 3}));
  EXPECT_EQ(valuesOf<int64_t>((*batch)->inputs[1]), (std::vector<int64_t>{3, 4, -100}));
}

TEST(Loader, ResumesAShuffledEpochWhereItStood) {
  Numbers dataset(10);
  LoaderOptions options;
  options.shuffle = true;
  options.seed = 9;
  Loader whole(dataset, {numbers(2)}, options), resumed(dataset, {numbers(2)}, options);
  std::vector<int64_t> first = epochOf(whole, 0), second = epochOf(whole, 1);
  EXPECT_NE(first, second);
  EXPECT_EQ(epochOf(resumed, 1, 3), std::vector<int64_t>(second.begin() + 6, second.end()));
  std::sort(second.begin(), second.end());
  EXPECT_EQ(second, (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Loader, TellsABrokenSampleInItsPlace) {
  Numbers dataset(6, 3);
  Loader loader(dataset, {numbers(2)}, {});
  loader.start(0);
  EXPECT_TRUE(loader.next().isOk());
  expectRefused(loader.next().status(), "sample is broken");
}

TEST(Loader, StopsInTheMiddle) {
  Numbers dataset(1000);
  for (int i = 0; i < 50; ++i) {
    Loader loader(dataset, {numbers(2)}, {});
    loader.start(0);
    EXPECT_TRUE(loader.next().isOk());
    loader.start(1);
  }
}

} // namespace
