#include "runtime/format/Npz.h"
#include "runtime/format/Inflate.h"
#include "test/runtime/format/Hostile.h"

#include <cstring>
#include <zlib.h>

using namespace amp::runtime;
using amp::test::Bytes;
using amp::test::expectRefused;

namespace {

// Opens the archive and reads all of it.
Status readAll(const Bytes &bytes) {
  Result<NpzArchive> archive = NpzArchive::parse(bytes, "a.npz");
  if (!archive.isOk())
    return archive.status();
  for (const std::string &name : archive->names()) {
    Result<NpzArray> array = archive->read(name);
    if (!array.isOk())
      return array.status();
  }
  return Status();
}

template <typename T> std::vector<T> valuesOf(const NpzArchive &archive, const std::string &name, ScalarType type) {
  Result<NpzArray> array = archive.read(name);
  EXPECT_TRUE(array.isOk()) << array.status().message();
  if (!array.isOk())
    return {};
  EXPECT_EQ(array->view.type, type);
  std::vector<T> values(array->view.bytes.size() / sizeof(T));
  std::memcpy(values.data(), array->view.bytes.data(), values.size() * sizeof(T));
  return values;
}

Bytes twoArrays() {
  static const Bytes elements(24, 9);
  NpzWriter writer;
  EXPECT_TRUE(writer.add("a", ScalarType::F32, {2, 3}, elements).isOk());
  EXPECT_TRUE(writer.add("b", ScalarType::U8, {24}, elements).isOk());
  return writer.bytes();
}

// Adds to the 32-bit number at `at` past the n-th record with this signature.
Bytes patched(Bytes bytes, uint32_t signature, size_t at, uint32_t value, size_t bytesWide = 4) {
  for (size_t i = 0; i + 4 <= bytes.size(); ++i) {
    if (loadU32(bytes.data() + i) != signature)
      continue;
    std::memcpy(bytes.data() + i + at, &value, bytesWide);
    return bytes;
  }
  ADD_FAILURE() << "no record";
  return bytes;
}

constexpr uint32_t entry = 0x02014b50, local = 0x04034b50, end = 0x06054b50;

class NumpyFile : public testing::TestWithParam<const char *> {};

TEST_P(NumpyFile, ReadsEveryType) {
  Bytes bytes = amp::test::readFixture(GetParam());
  Result<NpzArchive> archive = NpzArchive::parse(bytes, "a.npz");
  ASSERT_TRUE(archive.isOk()) << archive.status().message();
  EXPECT_EQ(archive->names().size(), 14u);
  EXPECT_EQ(valuesOf<float>(*archive, "f4", ScalarType::F32), (std::vector<float>{0, .5f, 1, 1.5f, 2, 2.5f}));
  EXPECT_EQ(valuesOf<double>(*archive, "f8", ScalarType::F64), (std::vector<double>{0, .25, .5, .75, 1, 1.25}));
  EXPECT_EQ(valuesOf<uint16_t>(*archive, "f2", ScalarType::F16)[0], 0xC100); // -2.5
  EXPECT_EQ(valuesOf<int64_t>(*archive, "i8", ScalarType::I64), (std::vector<int64_t>{-3, -2, -1, 0, 1, 2}));
  EXPECT_EQ(valuesOf<int32_t>(*archive, "i4", ScalarType::I32)[5], -35);
  EXPECT_EQ(valuesOf<int16_t>(*archive, "i2", ScalarType::I16)[5], 500);
  EXPECT_EQ(valuesOf<int8_t>(*archive, "i1", ScalarType::I8)[0], -4);
  EXPECT_EQ(valuesOf<uint8_t>(*archive, "u1", ScalarType::U8)[5], 255);
  EXPECT_EQ(valuesOf<uint16_t>(*archive, "u2", ScalarType::U16)[1], 0x3F81);
  EXPECT_EQ(valuesOf<uint16_t>(*archive, "v2", ScalarType::BF16)[1], 0x3F81);
  EXPECT_EQ(valuesOf<uint8_t>(*archive, "b1", ScalarType::Bool), (std::vector<uint8_t>{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(valuesOf<float>(*archive, "scalar", ScalarType::F32), (std::vector<float>{1.5f}));
  EXPECT_EQ(archive->read("empty")->view.shape, (std::vector<uint64_t>{0, 4}));
  EXPECT_EQ(archive->read("f4")->view.shape, (std::vector<uint64_t>{2, 3}));
  EXPECT_TRUE(archive->has("enc/fc.weight"));
}

TEST_P(NumpyFile, RefusesEveryTruncation) {
  amp::test::expectEveryTruncationRefused(amp::test::readFixture(GetParam()), readAll);
}

TEST_P(NumpyFile, SurvivesEveryFlippedByte) {
  Bytes bytes = amp::test::readFixture(GetParam());
  EXPECT_GT(amp::test::countRefusedFlips(bytes, readAll), bytes.size());
}

INSTANTIATE_TEST_SUITE_P(Npz, NumpyFile, testing::Values("arrays.npz", "arrays-deflated.npz"));

TEST(Npz, WritesWhatItReads) {
  std::vector<float> values = {1.5f, -2.0f, 3.25f};
  ByteSpan raw(reinterpret_cast<const uint8_t *>(values.data()), 12);
  NpzWriter writer;
  ASSERT_TRUE(writer.add("w/\xC3\xA4", ScalarType::F32, {3}, raw).isOk());
  ASSERT_TRUE(writer.add("none", ScalarType::I64, {0}, {}).isOk());
  std::vector<uint8_t> bytes = writer.bytes();
  Result<NpzArchive> archive = NpzArchive::parse(bytes, "a.npz");
  ASSERT_TRUE(archive.isOk()) << archive.status().message();
  EXPECT_EQ(archive->names(), (std::vector<std::string>{"w/\xC3\xA4", "none"}));
  EXPECT_EQ(valuesOf<float>(*archive, "w/\xC3\xA4", ScalarType::F32), values);
  EXPECT_EQ(archive->read("none")->view.shape, (std::vector<uint64_t>{0}));
}

TEST(Npz, WritesTheSameBytesTwice) {
  EXPECT_EQ(twoArrays(), twoArrays());
}

TEST(Npz, WritesBfloat16AsFloat32) {
  Bytes halves = {0x80, 0x3F, 0x00, 0xC0}; // 1, -2
  NpzWriter writer;
  ASSERT_TRUE(writer.add("h", ScalarType::BF16, {2}, halves).isOk());
  std::vector<uint8_t> bytes = writer.bytes();
  Result<NpzArchive> archive = NpzArchive::parse(bytes, "a.npz");
  ASSERT_TRUE(archive.isOk());
  EXPECT_EQ(valuesOf<float>(*archive, "h", ScalarType::F32), (std::vector<float>{1, -2}));
}

TEST(Npz, WritesManyMembersAsZip64) {
  NpzWriter writer;
  Bytes one = {1};
  for (int i = 0; i < 65536; ++i)
    ASSERT_TRUE(writer.add(std::to_string(i), ScalarType::U8, {1}, one).isOk());
  std::vector<uint8_t> bytes = writer.bytes();
  Result<NpzArchive> archive = NpzArchive::parse(bytes, "a.npz");
  ASSERT_TRUE(archive.isOk()) << archive.status().message();
  EXPECT_EQ(archive->names().size(), 65536u);
  EXPECT_TRUE(archive->read("65535").isOk());
}

TEST(Npz, ReadsZip64Sizes) {
  // Saturated sizes in the entry, the numbers in an extra field that takes the place of the entry's comment.
  Bytes bytes = twoArrays();
  size_t at = bytes.size() - 22 - 2 * (46 + 5);
  uint32_t size = loadU32(bytes.data() + at + 24);
  std::string extra;
  appendU16(extra, 1);
  appendU16(extra, 16);
  appendU64(extra, size);
  appendU64(extra, size);
  std::memset(bytes.data() + at + 20, 0xFF, 8);
  bytes[at + 30] = uint8_t(extra.size());
  bytes.insert(bytes.begin() + long(at + 46 + 5), extra.begin(), extra.end());
  uint32_t directory = uint32_t(2 * (46 + 5) + extra.size());
  std::memcpy(bytes.data() + bytes.size() - 10, &directory, 4);
  Status status = readAll(bytes);
  EXPECT_TRUE(status.isOk()) << status.message();
}

TEST(Npz, SaysWhatIsWrong) {
  Bytes good = twoArrays();
  expectRefused(readAll(patched(good, entry, 8, 1, 2)), "'a.npy' is encrypted");
  expectRefused(readAll(patched(good, entry, 10, 12, 2)), "compressed with method 12, wanted 0 (stored) or 8");
  expectRefused(readAll(patched(good, entry, 16, 77)), "check sum");
  expectRefused(readAll(patched(good, entry, 42, 0xFFFFFF)), "has no header at 16777215");
  expectRefused(readAll(patched(good, end, 10, 3, 2)), "announces 3 members, wanted at most 2");
  expectRefused(readAll(patched(good, end, 10, 1, 2)), "goes on after its 1 members");
  expectRefused(readAll(patched(good, end, 16, 0xFFFFFFFF)), "no zip64 locator");
  expectRefused(readAll(patched(good, local, 30, 'z', 1)), "is called 'z.npy'");
  Result<NpzArchive> archive = NpzArchive::parse(good, "a.npz");
  expectRefused(archive->read("c").status(), "a.npz: no array 'c'");
  expectRefused(readAll({'h', 'e', 'l', 'l', 'o'}), "no zip archive");
}

TEST(Npz, RefusesTwoMembersOfOneName) {
  Bytes bytes = twoArrays();
  for (size_t i = 0; i + 5 <= bytes.size(); ++i)
    if (std::memcmp(bytes.data() + i, "b.npy", 5) == 0)
      bytes[i] = 'a';
  expectRefused(readAll(bytes), "two zip members are called 'a.npy'");
}

TEST(Npz, RefusesOverlappingMembers) {
  // The second entry points at the first member, whose name is made to agree.
  Bytes bytes = twoArrays();
  size_t second = bytes.size() - 22 - 51;
  std::memset(bytes.data() + second + 42, 0, 4);
  bytes[second + 46] = 'a';
  expectRefused(readAll(bytes), "two zip members");
  bytes = twoArrays();
  size_t firstData = 30 + 5;
  uint32_t length = loadU32(bytes.data() + 18) + 10;
  std::memcpy(bytes.data() + bytes.size() - 22 - 2 * 51 + 20, &length, 4);
  std::memcpy(bytes.data() + bytes.size() - 22 - 2 * 51 + 24, &length, 4);
  ASSERT_GT(length, firstData);
  expectRefused(readAll(bytes), "'a.npy' and 'b.npy' overlap");
}

TEST(Npz, RefusesABomb) {
  // One byte is announced to become a gigabyte.
  Bytes bytes = amp::test::readFixture("arrays-deflated.npz");
  expectRefused(readAll(patched(bytes, entry, 24, 0x40000000)), "more than deflate can make of");
}

TEST(Inflate, StopsAtTheAnnouncedSize) {
  Bytes zeros(1 << 20), packed(1 << 16), out;
  uLongf packedBytes = packed.size();
  ASSERT_EQ(compress(packed.data(), &packedBytes, zeros.data(), zeros.size()), Z_OK);
  ByteSpan raw(packed.data() + 2, packedBytes - 6); // without zlib's own head and tail
  EXPECT_TRUE(inflateInto(raw, DeflateWrapper::Raw, zeros.size(), out, "z").isOk());
  EXPECT_EQ(out, zeros);
  expectRefused(inflateInto(raw, DeflateWrapper::Raw, zeros.size() - 1, out, "z"), "go on after 1048575 bytes");
  expectRefused(inflateInto(raw.slice(0, raw.size() - 1), DeflateWrapper::Raw, zeros.size(), out, "z"), "end early");
}

} // namespace
