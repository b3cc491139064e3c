// The emulator itself, on kernels that are wrong in one way each.
#include "compiler/codegen/cuda/Prelude.h"
#include "test/cuda/EmulatedKernels.h"

#include <gtest/gtest.h>

using namespace amp;
using namespace amp::test;

namespace {

const char *const kWrong = R"(
AMP_KERNEL(256) same_element(float *r) { store(r, 0, 1.0f); }
AMP_ENTRY(same_element)

AMP_KERNEL(256) other_block(float *r) {
  const u32 i = blockIdx.x * 256u + threadIdx.x;
  store(r, i, load(r, i ^ 256u));
}
AMP_ENTRY(other_block)

// The sum's memory is used again while a slow warp may still read it.
AMP_KERNEL(256) used_again(float *r) {
  AMP_SHARED(float, shared, 8);
  const float first = blockSum(1.0f, shared), second = blockSum(2.0f, shared);
  if (threadIdx.x == 0)
    store(r, blockIdx.x, first + second);
}
AMP_ENTRY(used_again)

AMP_KERNEL(256) shuffle_against_barrier(float *r) {
  float sum = 1.0f;
  if (threadIdx.x < 100)
    __syncthreads();
  sum = warpSum(sum);
  store(r, blockIdx.x * 256u + threadIdx.x, sum);
}
AMP_ENTRY(shuffle_against_barrier)

AMP_KERNEL(256) different_shuffles(float *r) {
  store(r, blockIdx.x * 256u + threadIdx.x, __shfl_xor_sync(0xffffffffu, 1.0f, threadIdx.x < 5 ? 1 : 2));
}
AMP_ENTRY(different_shuffles)

AMP_KERNEL(256) too_much_memory(float *r) {
  AMP_SHARED(float, shared, 20000);
  store(r, blockIdx.x * 256u + threadIdx.x, shared[threadIdx.x]);
}
AMP_ENTRY(too_much_memory)

// Each thread alone: right.
AMP_KERNEL(256) own_element(float *r) {
  const u32 i = blockIdx.x * 256u + threadIdx.x;
  store(r, i, load(r, i) + 1.0f);
}
AMP_ENTRY(own_element)
)";

class Simt : public testing::Test {
protected:
  static void SetUpTestSuite() { kernels = new EmulatedKernels(compiler::cudaPrelude + std::string(kWrong)); }
  static void TearDownTestSuite() { delete kernels; }

  /// Two blocks on a buffer of one element a thread.
  simt::Report run(const std::string &name, simt::Order order = simt::Order::Forward) {
    std::vector<float> memory(512 + 2 * simt::Region::kGuard / sizeof(float));
    float *result = memory.data() + simt::Region::kGuard / sizeof(float);
    simt::Launch launch;
    launch.blocks = 2;
    launch.order = order;
    launch.memory = {{result, 512 * sizeof(float), sizeof(float), "r"}};
    void *arguments[] = {result};
    simt::Entry entry = kernels->entry(name);
    return entry ? simt::run(entry, arguments, launch) : simt::Report{"there is no kernel", {}, 0};
  }

  static inline EmulatedKernels *kernels = nullptr;
};

TEST_F(Simt, ARightKernelIsClean) {
  for (simt::Order order : kOrders) {
    simt::Report report = run("own_element", order);
    EXPECT_TRUE(report.isClean()) << report.error << (report.races.empty() ? "" : report.races[0]);
  }
}

TEST_F(Simt, RacesAreFoundWithinAndBetweenBlocks) {
  for (const char *name : {"same_element", "other_block", "used_again"})
    for (simt::Order order : kOrders) {
      simt::Report report = run(name, order);
      EXPECT_EQ(report.error, "");
      EXPECT_GT(report.raceCount, 0u) << name << " in order " << int(order);
    }
  EXPECT_EQ(run("same_element").races.at(0),
            "write by thread 1 of block 0 and write by thread 0 of block 0 of element 0 of r are not ordered");
}

TEST_F(Simt, WhatWouldHangEndsInAReport) {
  for (simt::Order order : kOrders) {
    std::string error = run("shuffle_against_barrier", order).error;
    EXPECT_NE(error.find("100 threads at a barrier, 28 in a shuffle, 128 ended"), std::string::npos) << error;
    error = run("different_shuffles", order).error;
    EXPECT_NE(error.find("lanes of a warp meet in different shuffles"), std::string::npos) << error;
  }
}

TEST_F(Simt, SharedMemoryHasItsLimit) {
  EXPECT_NE(run("too_much_memory").error.find("more than 49152 bytes of shared memory"), std::string::npos);
}

} // namespace
