#include "runtime/base/ThreadPool.h"

#include <gtest/gtest.h>

using namespace amp::runtime;

TEST(ThreadPool, EveryTileRunsOnceAtAnyNumberOfThreads) {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    Result<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(threads);
    ASSERT_TRUE(pool.isOk()) << pool.status().message();
    ASSERT_EQ((*pool)->threads(), threads);
    for (int64_t tiles : {0, 1, 2, 3, 17, 100})
      for (int repeat = 0; repeat < 200; ++repeat) {
        std::vector<std::atomic<int>> counts(static_cast<size_t>(tiles));
        (*pool)->run(tiles, [&](int64_t tile, unsigned) { ++counts[static_cast<size_t>(tile)]; });
        for (std::atomic<int> &count : counts)
          ASSERT_EQ(count, 1);
      }
  }
}

TEST(ThreadPool, AWorkerRunsOneTileAtATime) {
  Result<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(4);
  ASSERT_TRUE(pool.isOk());
  std::vector<std::atomic<int>> running(4);
  std::atomic<bool> shared{false};
  for (int repeat = 0; repeat < 100; ++repeat)
    (*pool)->run(64, [&](int64_t, unsigned worker) {
      if (running[worker].fetch_add(1) != 0)
        shared = true;
      running[worker].fetch_sub(1);
    });
  EXPECT_FALSE(shared);
}

TEST(ThreadPool, MoreThreadsThanTheLimitAreRefused) {
  Result<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(100000);
  ASSERT_FALSE(pool.isOk());
  EXPECT_EQ(pool.status().code(), StatusCode::Argument);
}
