// What autocast does to the numbers of a step, against the same net in fp32.
#include "test/compiler/nets/Nets.h"

#include <gtest/gtest.h>

using namespace amp::compiler::test;

namespace {

struct AssignTypes : testing::TestWithParam<std::tuple<const char *, const char *, double>> {};

std::string pipelineFor(const std::string &precision) {
  return "amp-autocast-assign-types{precision=" + precision + "},amp-autocast-verify{precision=" + precision + "}";
}

} // namespace

// Within a few roundings of the type - a step of the nets has about a dozen on its longest path - and not equal: a
// pass that does nothing must not pass.
TEST_P(AssignTypes, staysWithinItsType) {
  auto [net, precision, epsilon] = GetParam();
  Net wide(net, ""), low(net, pipelineFor(precision));
  double worst = expectNear(low.step(), wide.step(), 12 * epsilon);
  EXPECT_GT(worst, epsilon / 64);
}

// The MLP has relus: in bf16 one of its inputs changes sign, and no bound on roundings covers a kink.
INSTANTIATE_TEST_SUITE_P(Nets, AssignTypes,
                         testing::Values(std::tuple("conv-net", "bf16", 0x1p-8),
                                         std::tuple("conv-net", "fp16", 0x1p-11), std::tuple("mlp", "fp16", 0x1p-11),
                                         std::tuple("attention-net", "bf16", 0x1p-8),
                                         std::tuple("attention-net", "fp16", 0x1p-11),
                                         std::tuple("residual-net", "bf16", 0x1p-8),
                                         std::tuple("residual-net", "fp16", 0x1p-11)));

TEST(AssignTypes, changesNothingInFp32) {
  Net before("conv-net", ""), after("conv-net", pipelineFor("fp32"));
  EXPECT_EQ(expectNear(after.step(), before.step(), 0.0), 0.0);
}

// The copy that micro reads next is the new weight, rounded.
TEST(AssignTypes, keepsTheCopyBesideItsMaster) {
  Net net("conv-net", pipelineFor("bf16"));
  Tensors states = net.step();
  ASSERT_TRUE(states.count("fc1.weight/bf16"));
  amp::graph::ReferenceTensor copy = states["fc1.weight/bf16"], master = states["fc1.weight"];
  copy.floats = master.floats;
  copy.round();
  EXPECT_EQ(copy.floats, states["fc1.weight/bf16"].floats);
}
