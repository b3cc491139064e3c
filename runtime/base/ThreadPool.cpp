#include "runtime/base/ThreadPool.h"

#include "runtime/base/FloatMode.h"
#include "runtime/base/Limits.h"

#include <system_error>

#include <sched.h>

namespace amp::runtime {
namespace {

unsigned usableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return static_cast<unsigned>(CPU_COUNT(&set));
  unsigned count = std::thread::hardware_concurrency();
  return count ? count : 1;
}

// About 10 microseconds: kernels of one step follow each other closely, and a sleeping thread takes longer to wake.
constexpr int spins = 500;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

} // namespace

Result<std::unique_ptr<ThreadPool>> ThreadPool::create(unsigned threads) {
  if (threads == 0)
    threads = usableCpus();
  uint64_t most = Limits().threads;
  if (threads > most)
    return Status(StatusCode::Argument, std::to_string(threads) + " threads asked for, at most " +
                                            std::to_string(most) + " are possible; lower the number of threads");
  std::unique_ptr<ThreadPool> pool(new ThreadPool);
  for (unsigned i = 1; i < threads; ++i) {
    try {
      pool->workers.emplace_back([raw = pool.get(), i] { raw->serve(i); });
    } catch (const std::system_error &error) {
      return Status(StatusCode::Memory, "the system gave " + std::to_string(i) + " of " + std::to_string(threads) +
                                            " threads (" + error.what() + "); lower the number of threads");
    }
  }
  return pool;
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
    generation.fetch_add(1, std::memory_order_release);
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::runErased(int64_t tileCount, Call taskCall, void *taskContext) {
  if (tileCount <= 1 || workers.empty()) {
    for (int64_t tile = 0; tile < tileCount; ++tile)
      taskCall(taskContext, tile, 0);
    return;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    tiles = tileCount;
    call = taskCall;
    context = taskContext;
    next.store(0, std::memory_order_relaxed);
    open = true;
    generation.fetch_add(1, std::memory_order_release);
  }
  wake.notify_all();
  takeTiles(0);
  // Workers that have not woken yet are not waited for: they find the job closed.
  std::unique_lock<std::mutex> lock(mutex);
  open = false;
  idle.wait(lock, [this] { return active == 0; });
}

void ThreadPool::takeTiles(unsigned worker) {
  for (int64_t tile; (tile = next.fetch_add(1, std::memory_order_relaxed)) < tiles;)
    call(context, tile, worker);
}

void ThreadPool::serve(unsigned worker) {
  DefaultFloatMode mode; // a new thread inherits the mode of its creator
  uint64_t seen = 0;
  for (;;) {
    for (int i = 0; i < spins && generation.load(std::memory_order_acquire) == seen; ++i)
      relax();
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return generation.load(std::memory_order_relaxed) != seen; });
      seen = generation.load(std::memory_order_relaxed);
      if (stopping)
        return;
      if (!open)
        continue;
      ++active;
    }
    takeTiles(worker);
    std::lock_guard<std::mutex> lock(mutex);
    if (--active == 0)
      idle.notify_one();
  }
}

} // namespace amp::runtime
