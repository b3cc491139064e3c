#include "runtime/format/Npy.h"
#include "test/runtime/format/Hostile.h"

using namespace amp::runtime;
using amp::test::Bytes;
using amp::test::expectRefused;

namespace {

// An .npy file of version 1.0 with this header and these elements.
Bytes npy(const std::string &header, size_t elementBytes) {
  std::string text("\x93NUMPY\x01\x00", 8);
  appendU16(text, uint16_t(header.size()));
  text += header + std::string(elementBytes, '\x07');
  return Bytes(text.begin(), text.end());
}

Status read(const Bytes &bytes) {
  Result<ArrayView> view = readNpy(bytes, "a.npy");
  return view.isOk() ? Status() : view.status();
}

TEST(Npy, WritesWhatItReads) {
  for (unsigned type = 0; type < scalarTypeCount; ++type)
    for (const std::vector<uint64_t> &shape : {std::vector<uint64_t>{}, {3}, {2, 3}, {0, 4}, {1, 2, 3, 4}}) {
      Result<std::string> header = npyHeader(ScalarType(type), shape);
      ASSERT_TRUE(header.isOk());
      EXPECT_EQ(header->size() % 64, 0u);
      Bytes file(header->begin(), header->end());
      file.resize(file.size() + *arrayBytes(ScalarType(type), shape), 1);
      Result<ArrayView> view = readNpy(file, "a.npy");
      ASSERT_TRUE(view.isOk()) << view.status().message();
      EXPECT_EQ(view->type, ScalarType(type));
      EXPECT_EQ(view->shape, shape);
    }
}

TEST(Npy, TakesKeysInAnyOrderAndVersionTwo) {
  EXPECT_TRUE(read(npy("{'shape': (2,), 'fortran_order': False, 'descr': '<f4'}", 8)).isOk());
  std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (), }\n";
  std::string text("\x93NUMPY\x02\x00", 8);
  appendU32(text, uint32_t(header.size()));
  text += header + "ab";
  EXPECT_TRUE(read(Bytes(text.begin(), text.end())).isOk());
}

TEST(Npy, RefusesEveryTruncation) {
  amp::test::expectEveryTruncationRefused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24),
                                          read);
}

TEST(Npy, SurvivesEveryFlippedByte) {
  EXPECT_GT(
      amp::test::countRefusedFlips(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24), read),
      100u);
}

TEST(Npy, SaysWhatIsWrong) {
  auto header = [](const std::string &descr, const std::string &order, const std::string &shape) {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  };
  expectRefused(read(npy(header("'>f4'", "False", "(2,)"), 8)), "big-endian ('>f4'), wanted little-endian");
  expectRefused(read(npy(header("'|O'", "False", "(2,)"), 8)), "Python objects ('|O'), which are never unpickled");
  expectRefused(read(npy(header("[('x', '<f4')]", "False", "(2,)"), 8)), "structured array");
  expectRefused(read(npy(header("'<U3'", "False", "(2,)"), 8)), "element type '<U3', wanted one of f4");
  expectRefused(read(npy(header("'<f4'", "True", "(2, 1)"), 8)), "Fortran order, wanted C order");
  expectRefused(read(npy(header("'<f4'", "False", "(2, -1)"), 8)), "wanted a dimension");
  expectRefused(read(npy(header("'<f4'", "False", "(3,)"), 8)), "8 bytes of elements, wanted 12 for float32[3]");
  expectRefused(read(npy(header("'<f4'", "False", "(1,)"), 8)), "8 bytes of elements, wanted 4");
  expectRefused(read(npy("{'descr': '<f4', 'shape': (2,)}", 8)), "'fortran_order'");
  expectRefused(read(npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 8)), "once");
  expectRefused(read(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x", 8)), "nothing after '}'");
  expectRefused(read(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", 8)), "alone");
}

TEST(Npy, RefusesShapesThatOverflow) {
  auto shaped = [](const std::string &shape) {
    return read(npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}", 16));
  };
  expectRefused(shaped("(4294967296, 4294967296)"), "more than 2^64");
  expectRefused(shaped("(4194305, 4194305, 211106198978564)"), "more than 2^64");
  expectRefused(shaped("(0, 4294967296, 4294967296)"), "more than 2^64");
  expectRefused(shaped("(18446744073709551616,)"), "below 2^64");
  std::string deep = "(";
  for (int i = 0; i < 65; ++i)
    deep += "1, ";
  expectRefused(shaped(deep + ")"), "at most 64 dimensions");
}

TEST(Npy, DoesNotTrustTheHeaderLength) {
  std::string text("\x93NUMPY\x02\x00\xF0\xFF\xFF\xFF", 12);
  expectRefused(read(Bytes(text.begin(), text.end())), "header of 4294967280 bytes, wanted at most 0");
  std::string version("\x93NUMPY\x09\x00\x01\x00 ", 11);
  expectRefused(read(Bytes(version.begin(), version.end())), "version 9.0, wanted 1.0, 2.0 or 3.0");
}

} // namespace
