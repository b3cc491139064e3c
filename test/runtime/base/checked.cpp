#include "runtime/base/Checked.h"
#include "runtime/base/Status.h"

#include <gtest/gtest.h>

#include <vector>

using namespace amp::runtime;

TEST(Checked, OverflowIsNoValue) {
  EXPECT_EQ(checkedAdd(UINT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checkedAdd(UINT64_MAX - 1, 1), UINT64_MAX);
  EXPECT_EQ(checkedMultiply(uint64_t(1) << 32, uint64_t(1) << 32), std::nullopt);
  EXPECT_EQ(checkedAlign(UINT64_MAX - 3, 64), std::nullopt);
  EXPECT_EQ(checkedAlign(65, 64), uint64_t(128));
  EXPECT_EQ(checkedAlign(64, 64), uint64_t(64));
}

TEST(Checked, AProductOfDimensionsThatWrapsIsNoCount) {
  EXPECT_EQ(elementCount(std::vector<uint64_t>{}), uint64_t(1));
  EXPECT_EQ(elementCount(std::vector<uint64_t>{3, 0}), uint64_t(0));
  EXPECT_EQ(elementCount(std::vector<uint64_t>{uint64_t(1) << 33, uint64_t(1) << 33}), std::nullopt);
}

TEST(Checked, RangesAtTheEdge) {
  EXPECT_TRUE(fitsInside(8, 0, 8));
  EXPECT_FALSE(fitsInside(9, 0, 8));
  EXPECT_FALSE(fitsInside(4, UINT64_MAX, 8));
}

TEST(Status, NamesFromFilesAreEscapedAndCut) {
  EXPECT_EQ(quoted("a'b\n"), "'a\\'b\\x0a'");
  EXPECT_LT(quoted(std::string(5000, 'x')).size(), 300u);
  EXPECT_EQ(Status(StatusCode::Io, "full", "disk").message(), "disk: full");
}
