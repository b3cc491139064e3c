// Runs the launches of prepared programs, tile by tile, over the pool.
#pragma once

#include "runtime/base/ThreadPool.h"
#include "runtime/device/cpu/CpuBinary.h"
#include "runtime/library/Library.h"
#include "runtime/step/InputBinder.h"
#include "runtime/step/Memory.h"

#include <memory>
#include <mutex>
#include <vector>

namespace amp::runtime {

struct PreparedStep {
  KernelFunction function = nullptr; ///< or
  std::unique_ptr<LibraryCall> call;
  std::vector<format::Operand> operands; ///< of the call
};

struct PreparedKernel {
  std::string_view name;
  int64_t tiles = 1;
  std::vector<PreparedStep> steps;
};

struct PreparedLaunch {
  /// An argument whose address is known only when the inputs are bound.
  struct InputArgument {
    uint32_t argument;
    uint32_t input;
    uint64_t offset;
  };
  const PreparedKernel *kernel = nullptr;
  std::vector<void *> arguments;
  std::vector<InputArgument> fromInputs;
  const uint8_t *predicate = nullptr; ///< the launch is skipped when the byte is there and 0
};

struct PreparedProgram {
  explicit PreparedProgram(const format::Program &program) : program(&program), binder(program) {}
  const format::Program *program;
  InputBinder binder;
  std::vector<PreparedLaunch> launches;
};

/// The threads of a session and what each of them needs to itself.
class Executor {
public:
  static Result<std::unique_ptr<Executor>> create(unsigned threads, uint64_t workspaceBytes, uint64_t operands);

  /// Runs a program whose inputs are bound. Allocates nothing unless a library call fails.
  Status run(PreparedProgram &program);
  unsigned threads() const { return pool->threads(); }
  uint64_t workspaceBytes() const;

private:
  struct Worker {
    Memory workspace;
    std::vector<void *> operands;
  };

  Executor() = default;
  void runTile(const PreparedLaunch &launch, int64_t tile, Worker &worker);
  void recordFailure(const PreparedLaunch &launch, Status status);

  std::unique_ptr<ThreadPool> pool;
  std::vector<Worker> workers;
  std::atomic<bool> failed{false};
  std::mutex failureMutex;
  Status failure;
};

} // namespace amp::runtime
