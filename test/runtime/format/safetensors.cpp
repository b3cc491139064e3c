#include "runtime/format/Safetensors.h"
#include "test/runtime/format/Hostile.h"

#include <cstring>

using namespace amp::runtime;
using amp::test::Bytes;
using amp::test::expectRefused;

namespace {

Bytes file(const std::string &header, size_t dataBytes) {
  std::string text;
  appendU64(text, header.size());
  text += header + std::string(dataBytes, '\x05');
  return Bytes(text.begin(), text.end());
}

Status read(const Bytes &bytes) {
  Result<SafetensorsFile> parsed = SafetensorsFile::parse(bytes, "m.safetensors");
  return parsed.isOk() ? Status() : parsed.status();
}

std::string tensor(const std::string &name, const std::string &type, const std::string &shape,
                   const std::string &offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

TEST(Safetensors, ReadsTheFixture) {
  Bytes bytes = amp::test::readFixture("tiny.safetensors");
  Result<SafetensorsFile> parsed = SafetensorsFile::parse(bytes, "tiny");
  ASSERT_TRUE(parsed.isOk()) << parsed.status().message();
  ASSERT_EQ(parsed->tensors().size(), 3u);
  EXPECT_EQ(parsed->metadata().at("epoch"), "3");
  const ArrayView *weight = parsed->find("weight");
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->shape, (std::vector<uint64_t>{2, 2}));
  float values[4];
  std::memcpy(values, weight->bytes.data(), 16);
  EXPECT_EQ(values[3], 4.0f);
  EXPECT_EQ(parsed->find("half")->type, ScalarType::BF16);
  EXPECT_EQ(parsed->find("flags")->bytes[0], 1);
  EXPECT_EQ(parsed->find("nothing"), nullptr);
}

TEST(Safetensors, WritesWhatItReads) {
  Bytes narrow = {1, 0, 1}, wide(16, 3), half(4, 7);
  SafetensorsWriter writer;
  writer.setMetadata("format", "pt");
  ASSERT_TRUE(writer.add("narrow", ScalarType::Bool, {3}, narrow).isOk());
  ASSERT_TRUE(writer.add("we\"ird\n", ScalarType::I64, {2}, wide).isOk());
  ASSERT_TRUE(writer.add("half", ScalarType::F16, {2, 1}, half).isOk());
  ASSERT_TRUE(writer.add("none", ScalarType::F32, {0}, {}).isOk());
  Bytes bytes = writer.bytes();
  EXPECT_EQ(bytes, writer.bytes());
  Result<SafetensorsFile> parsed = SafetensorsFile::parse(bytes, "w");
  ASSERT_TRUE(parsed.isOk()) << parsed.status().message();
  EXPECT_EQ(parsed->metadata().at("format"), "pt");
  const ArrayView *view = parsed->find("we\"ird\n");
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(Bytes(view->bytes.begin(), view->bytes.end()), wide);
  EXPECT_EQ((view->bytes.data() - bytes.data()) % 8, 0);
  EXPECT_EQ(Bytes(parsed->find("narrow")->bytes.begin(), parsed->find("narrow")->bytes.end()), narrow);
  EXPECT_EQ(parsed->find("half")->shape, (std::vector<uint64_t>{2, 1}));
}

TEST(Safetensors, WritesAnEmptyFile) {
  SafetensorsWriter writer;
  EXPECT_TRUE(read(writer.bytes()).isOk());
}

TEST(Safetensors, RefusesEveryTruncation) {
  amp::test::expectEveryTruncationRefused(amp::test::readFixture("tiny.safetensors"), read);
}

TEST(Safetensors, SurvivesEveryFlippedByte) {
  EXPECT_GT(amp::test::countRefusedFlips(amp::test::readFixture("tiny.safetensors"), read), 300u);
}

TEST(Safetensors, SaysWhatIsWrongWithTheHeader) {
  expectRefused(read({1, 2, 3}), "3 bytes, a safetensors file has at least 8");
  expectRefused(read(Bytes(8, 0xFF)), "header of 18446744073709551615 bytes, wanted at most 0");
  expectRefused(read(file("", 0)), "starts with '', wanted '{'");
  expectRefused(read(file(" {}", 0)), "starts with ' ', wanted '{'");
  expectRefused(read(file("{\"a\":", 0)), "no JSON from byte");
  expectRefused(read(file(std::string("{}\0x", 4), 0)), "zero byte at 2");
  expectRefused(read(file("{} x", 0)), "no JSON from byte");
  expectRefused(read(file("{\"a\":1}", 0)), "has the number 1, wanted an object for each tensor");
  expectRefused(read(file("{\"a\":[[[[", 0)), "has an array, wanted an object for each tensor");
  expectRefused(read(file("{\"__metadata__\":{\"k\":1}}", 0)), "the number 1 at 'k', wanted texts");
  expectRefused(read(file("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0)), "metadata key 'k' twice");
  expectRefused(read(file("{\"\xFF\":{}}", 0)), "no JSON from byte");
  std::string longName(5000, 'n');
  expectRefused(read(file("{" + tensor(longName, "U8", "[1]", "[0,1]") + "}", 1)), "5000 bytes, wanted at most 4096");
}

TEST(Safetensors, SaysWhatIsWrongWithATensor) {
  auto one = [](const std::string &type, const std::string &shape, const std::string &offsets, size_t bytes) {
    return read(file("{" + tensor("t", type, shape, offsets) + "}", bytes));
  };
  EXPECT_TRUE(one("F32", "[2]", "[0,8]", 8).isOk());
  expectRefused(one("F4", "[2]", "[0,8]", 8), "tensor 't' has dtype 'F4', wanted one of F32");
  expectRefused(one("F32", "[3]", "[0,8]", 8), "8 bytes, wanted 12 for F32[3]");
  expectRefused(one("F32", "[2]", "[0,16]", 8), "lies at [0, 16), wanted inside the 8 bytes");
  expectRefused(one("F32", "[2]", "[8,0]", 8), "lies at [8, 0)");
  expectRefused(one("F32", "[2]", "[0,8,9]", 8), "the number 9 in tensor 't', wanted two whole numbers");
  expectRefused(one("F32", "[2]", "[0]", 8), "has 1 data_offsets, wanted 2");
  expectRefused(one("F32", "[-2]", "[0,8]", 8), "the number -2 in tensor 't'");
  expectRefused(one("F32", "[2.0]", "[0,8]", 8), "the number 2.0");
  expectRefused(one("F32", "[\"2\"]", "[0,8]", 8), "the text '2'");
  expectRefused(one("F32", "[4294967296,4294967296]", "[0,0]", 0), "wanted more than 2^64");
  expectRefused(one("F32", "[4194305,4194305,211106198978564]", "[0,16]", 16), "wanted more than 2^64");
  expectRefused(one("F32", "[0,4294967296,4294967296]", "[0,0]", 0), "wanted more than 2^64");
  expectRefused(one("F32", "[1e400]", "[0,8]", 8), "no JSON");
  std::string deep = "[1";
  for (int i = 0; i < 40; ++i)
    deep += ",1";
  expectRefused(one("F32", deep + "]", "[0,4]", 4), "more than 32 dimensions");
  expectRefused(read(file("{\"t\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1)), "lacks data_offsets");
  expectRefused(read(file("{\"t\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 1)), "has the key 'dtype' twice");
  expectRefused(read(file("{\"t\":{\"strides\":[1]}}", 1)), "has the key 'strides'");
}

TEST(Safetensors, RefusesRangesThatDoNotTile) {
  auto two = [](const std::string &first, const std::string &second, size_t bytes) {
    return read(file("{" + tensor("a", "U8", "[4]", first) + "," + tensor("b", "U8", "[4]", second) + "}", bytes));
  };
  EXPECT_TRUE(two("[4,8]", "[0,4]", 8).isOk());
  expectRefused(two("[0,4]", "[5,9]", 9), "tensor 'b' begins at 5, wanted 4");
  expectRefused(two("[0,4]", "[3,7]", 7), "tensor 'b' begins at 3, wanted 4");
  expectRefused(two("[0,4]", "[4,8]", 9), "the tensors end at 8, wanted 9");
  expectRefused(read(file("{" + tensor("a", "U8", "[1]", "[0,1]") + "," + tensor("a", "U8", "[1]", "[1,2]") + "}", 2)),
                "names 'a' twice");
}

TEST(Safetensors, KeepsToTheLimits) {
  Limits limits;
  limits.headerBytes = 10;
  Bytes bytes = amp::test::readFixture("tiny.safetensors");
  Result<SafetensorsFile> parsed = SafetensorsFile::parse(bytes, "tiny", limits);
  expectRefused(parsed.status(), "wanted at most 10");
  limits = Limits();
  limits.tensors = 2;
  Result<SafetensorsFile> many = SafetensorsFile::parse(bytes, "tiny", limits);
  expectRefused(many.status(), "more than 2 tensors");
}

} // namespace
