// A step in channels-last gives the numbers of the step in channels-first.
#include "test/compiler/nets/Nets.h"

#include <gtest/gtest.h>

using namespace amp::compiler::test;

namespace {
constexpr const char *layoutPasses = "amp-layout-convert-images,amp-layout-fold-transpose,amp-layout-verify";
}

// Sums run in another order: nothing else may differ.
TEST(ConvertImages, keepsTheNumbersOfAStep) {
  for (const char *net : {"attention-net", "conv-net", "residual-net"}) {
    Net before(net, ""), after(net, layoutPasses);
    expectNear(after.step(), before.step(), 1e-12);
  }
}

TEST(ConvertImages, keepsTheNumbersBeforeTransposesAreFolded) {
  for (const char *net : {"conv-net", "residual-net"}) {
    Net before(net, ""), after(net, "amp-layout-convert-images");
    expectNear(after.step(), before.step(), 1e-12);
  }
}

TEST(ConvertImages, leavesNoTransposeInside) {
  Net net("conv-net", layoutPasses);
  unsigned transposes = 0, channelsLast = 0;
  net.module().walk([&](amp::graph::TransposeOp) { ++transposes; });
  net.module().walk(
      [&](amp::graph::Conv2dOp conv) { channelsLast += conv.getLayout() == amp::graph::ChannelLayout::ChannelsLast; });
  EXPECT_EQ(transposes, 0u);
  EXPECT_EQ(channelsLast, 4u);
}
