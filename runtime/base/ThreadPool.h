// A small pool over the tiles of one kernel at a time. Which thread runs a tile is the only thing that differs from
// run to run, so kernels whose tiles are independent give the same bits at any number of threads.
#pragma once

#include "runtime/base/Status.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace amp::runtime {

/// Not thread-safe itself: one caller at a time, and a task must not call run() of its own pool.
class ThreadPool {
public:
  /// `threads` counts the caller; 0 asks for one a CPU that this process may use.
  static Result<std::unique_ptr<ThreadPool>> create(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned threads() const { return static_cast<unsigned>(workers.size()) + 1; }

  /// Calls task(tile, worker) once for every tile in [0, tiles) and returns when all have returned; worker is in
  /// [0, threads()), and no two calls run with the same worker at once. Allocates nothing.
  template <typename Task> void run(int64_t tiles, Task &&task) {
    auto call = [](void *context, int64_t tile, unsigned worker) {
      (*static_cast<std::remove_reference_t<Task> *>(context))(tile, worker);
    };
    runErased(tiles, call, const_cast<void *>(static_cast<const void *>(&task)));
  }

private:
  using Call = void (*)(void *, int64_t, unsigned);

  ThreadPool() = default;
  void runErased(int64_t tiles, Call call, void *context);
  void serve(unsigned worker);
  void takeTiles(unsigned worker);

  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable idle;
  std::atomic<uint64_t> generation{0}; // written under the mutex; read without it by spinning workers
  std::atomic<int64_t> next{0};
  // Under the mutex:
  bool stopping = false;
  bool open = false;
  unsigned active = 0;
  // Written while no worker is active:
  int64_t tiles = 0;
  Call call = nullptr;
  void *context = nullptr;
};

} // namespace amp::runtime
