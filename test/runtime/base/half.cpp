#include "runtime/base/Half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace amp::runtime;

namespace {

/// Rounds between two neighbours of the half format by the definition: nearest, and even in the middle.
uint16_t nearestEven(double value, uint16_t low) {
  double below = f16ToFloat(low);
  double above = f16ToFloat(static_cast<uint16_t>(low + 1));
  double middle = (below + above) / 2;
  if (value < middle)
    return low;
  if (value > middle)
    return static_cast<uint16_t>(low + 1);
  return low % 2 == 0 ? low : static_cast<uint16_t>(low + 1);
}

} // namespace

TEST(Half, EveryHalfSurvivesTheWayThroughFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    float value = f16ToFloat(half);
    bool isNan = (half & 0x7c00) == 0x7c00 && (half & 0x3ff) != 0;
    EXPECT_EQ(std::isnan(value), isNan);
    // A signalling NaN comes back quiet.
    ASSERT_EQ(floatToF16(value), isNan ? uint16_t(half | 0x200) : half) << bits;
  }
}

TEST(Half, BetweenTwoHalvesTheNearestWinsAndTheEvenOneInTheMiddle) {
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    float low = f16ToFloat(half);
    float high = f16ToFloat(static_cast<uint16_t>(half + 1));
    float middle = low + (high - low) / 2; // exact in float32
    for (float value : {middle, std::nextafter(middle, low), std::nextafter(middle, high)}) {
      ASSERT_EQ(floatToF16(value), nearestEven(value, half)) << bits;
      ASSERT_EQ(floatToF16(-value), nearestEven(value, half) | 0x8000) << bits;
    }
  }
}

TEST(Half, TheEndsOfTheRange) {
  EXPECT_EQ(floatToF16(65504), 0x7bff);
  EXPECT_EQ(floatToF16(65519.99f), 0x7bff);
  EXPECT_EQ(floatToF16(65520), 0x7c00);
  EXPECT_EQ(floatToF16(std::numeric_limits<float>::infinity()), 0x7c00);
  EXPECT_EQ(floatToF16(0x1p-24f), 1);
  EXPECT_EQ(floatToF16(0x1p-25f), 0);
  EXPECT_EQ(floatToF16(std::nextafter(0x1p-25f, 1.0f)), 1);
  EXPECT_EQ(floatToF16(std::numeric_limits<float>::denorm_min()), 0);
}

TEST(Bfloat, RoundsToNearestEvenAndKeepsNan) {
  EXPECT_EQ(floatToBf16(1.0f), 0x3f80);
  EXPECT_EQ(floatToBf16(floatFromBits(0x3f808000)), 0x3f80);
  EXPECT_EQ(floatToBf16(floatFromBits(0x3f818000)), 0x3f82);
  EXPECT_EQ(floatToBf16(floatFromBits(0x3f808001)), 0x3f81);
  EXPECT_EQ(floatToBf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(floatToBf16(floatFromBits(0x7f800001)), 0x7fc0);
  EXPECT_EQ(floatToBf16(floatFromBits(0x00400000)), 0x0040); // a subnormal stays
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    if (float value = bf16ToFloat(static_cast<uint16_t>(bits)); !std::isnan(value)) {
      ASSERT_EQ(floatToBf16(value), bits);
    }
}

TEST(ElementType, NamesAreFoundAgain) {
  for (unsigned i = 0; i < elementTypeCount; ++i)
    EXPECT_EQ(elementTypeByName(elementName(static_cast<ElementType>(i))), static_cast<ElementType>(i));
  EXPECT_EQ(elementTypeByName("complex64"), std::nullopt);
  EXPECT_EQ(elementBytes(ElementType::BF16), 2u);
}
