// Groups compute what their ops computed.
#include "test/compiler/nets/Nets.h"

#include <gtest/gtest.h>

using namespace amp::compiler::test;

namespace {

constexpr const char *fusionPasses = "amp-fusion-form-groups,amp-fusion-verify";
constexpr const char *allPasses =
    "amp-autocast-assign-types{precision=bf16},amp-layout-convert-images,amp-layout-fold-transpose";

struct FormGroups : testing::TestWithParam<const char *> {};

} // namespace

TEST_P(FormGroups, keepsEveryBit) {
  Net before(GetParam(), ""), after(GetParam(), fusionPasses);
  EXPECT_EQ(expectNear(after.step(), before.step(), 0.0), 0.0);
}

TEST_P(FormGroups, keepsEveryBitAfterTheOtherStages) {
  Net before(GetParam(), allPasses), after(GetParam(), std::string(allPasses) + "," + fusionPasses);
  EXPECT_EQ(expectNear(after.step(), before.step(), 0.0), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Nets, FormGroups, testing::Values("attention-net", "conv-net", "mlp", "residual-net"));

// No activation, bias or activation gradient is a kernel of its own; casts are at the input and in derive alone.
TEST(FormGroups, leavesNoElementwiseOpAlone) {
  Net net("conv-net", std::string(allPasses) + "," + fusionPasses);
  unsigned alone = 0;
  net.module().walk([&](amp::graph::GroupOp group) {
    auto ops = group.getBody().front().without_terminator();
    bool lone = llvm::range_size(ops) == 1;
    alone += lone && llvm::isa<amp::graph::TanhOp, amp::graph::TanhGradOp, amp::graph::BiasAddOp>(*ops.begin());
  });
  EXPECT_EQ(alone, 0u);
}
