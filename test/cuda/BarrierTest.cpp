// Each barrier of the kernels is needed, and the emulator misses none that is missing.
#include "test/cuda/EmulatedKernels.h"
#include "test/cuda/PlanFromText.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace amp;
using namespace amp::test;

namespace {

const std::string kBarrier = "__syncthreads();";

const std::vector<std::string> kBodies = {
    R"(^bb0(%x: tensor<64x10xf32>):
      %0 = graph.reduce_sum %x {axes = array<i64: 0>} : tensor<64x10xf32> -> tensor<10xf32>
      graph.yield %0 : tensor<10xf32>)",
    R"(^bb0(%x: tensor<3x300xf32>):
      %0 = graph.reduce_sum %x {axes = array<i64: 1>} : tensor<3x300xf32> -> tensor<3xf32>
      graph.yield %0 : tensor<3xf32>)"};

/// How the emulator shows that a source is wrong.
struct Verdict {
  bool wrongValues = false, races = false, stops = false;
  bool isGuilty() const { return wrongValues || races || stops; }
};

Verdict judge(PlanFromText &plan, const compiler::CudaCode &code, const std::string &source) {
  EmulatedKernels kernels(source);
  Verdict verdict;
  EXPECT_TRUE(kernels.compiled());
  std::vector<plan::KernelOp> ops = plan.kernels();
  for (size_t i = 0; i < ops.size() && kernels.compiled(); ++i) {
    std::vector<Tensor> inputs = randomInputs(ops[i], 3), want = referenceOf(ops[i], inputs);
    for (simt::Order order : kOrders) {
      Emulated emulated = kernels.run(ops[i], code.kernels[i].blocks, inputs, order);
      verdict.races |= emulated.report.raceCount > 0;
      verdict.stops |= !emulated.report.error.empty();
      for (size_t element = 0; element < want[0].floats.size(); ++element)
        verdict.wrongValues |= !(std::fabs(emulated.results[0].floats[element] - want[0].floats[element]) < 1e-4);
    }
  }
  return verdict;
}

TEST(CudaBarriers, AMissingOneIsCaught) {
  PlanFromText plan(kBodies);
  compiler::CudaCode code = compiler::emitCuda(*plan);
  std::string source = code.source();
  EXPECT_FALSE(judge(plan, code, source).isGuilty());
  int planted = 0;
  for (size_t at = source.find(kBarrier); at != std::string::npos; at = source.find(kBarrier, at + 1)) {
    SCOPED_TRACE("without the barrier of line " +
                 std::to_string(std::count(source.begin(), source.begin() + at, '\n') + 1));
    Verdict verdict = judge(plan, code, source.substr(0, at) + source.substr(at + kBarrier.size()));
    EXPECT_TRUE(verdict.wrongValues);
    EXPECT_TRUE(verdict.races);
    ++planted;
  }
  // One of the block's sum, one of the columns' sum.
  EXPECT_EQ(planted, 2);
}

TEST(CudaBarriers, OneThatNotAllReachStops) {
  PlanFromText plan({kBodies[1]});
  compiler::CudaCode code = compiler::emitCuda(*plan);
  std::string source = code.source();
  size_t at = source.find(kBarrier);
  ASSERT_NE(at, std::string::npos);
  // The first warp waits at a barrier that the others pass by on their way to the next shuffle.
  source.insert(source.find("value = warpSum(value);", source.find("T blockSum")),
                "if (threadIdx.x < 16) __syncthreads(); ");
  EXPECT_TRUE(judge(plan, code, source).stops);
}

TEST(CudaMemory, AnAccessOutsideIsCaught) {
  PlanFromText plan({R"(^bb0(%a: tensor<100xf32>):
    %0 = graph.neg %a : tensor<100xf32> -> tensor<100xf32>
    graph.yield %0 : tensor<100xf32>)"});
  compiler::CudaCode code = compiler::emitCuda(*plan);
  std::string source = code.source(), guard = "if (i < 100u)";
  size_t at = source.find(guard);
  ASSERT_NE(at, std::string::npos);
  source.replace(at, guard.size(), "if (i < 101u)");
  EmulatedKernels kernels(source);
  Emulated emulated = kernels.run(plan.kernels()[0], 1, randomInputs(plan.kernels()[0], 1), simt::Order::Forward);
  EXPECT_EQ(emulated.report.raceCount, 2u);
  ASSERT_FALSE(emulated.report.races.empty());
  EXPECT_EQ(emulated.report.races[0], "read by thread 100 of block 0 outside of buffer 0, at byte 400 of 400");
}

} // namespace
