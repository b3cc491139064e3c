#include "runtime/step/Executor.h"

#include "runtime/base/FloatMode.h"

namespace amp::runtime {

Result<std::unique_ptr<Executor>> Executor::create(unsigned threads, uint64_t workspaceBytes, uint64_t operands) {
  Result<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(threads);
  if (!pool.isOk())
    return pool.status();
  std::unique_ptr<Executor> executor(new Executor);
  executor->pool = std::move(*pool);
  for (unsigned i = 0; i < executor->pool->threads(); ++i) {
    Result<Memory> workspace = Memory::allocate(workspaceBytes, "the workspace of a thread");
    if (!workspace.isOk())
      return workspace.status();
    executor->workers.push_back({std::move(*workspace), std::vector<void *>(operands)});
  }
  return executor;
}

uint64_t Executor::workspaceBytes() const {
  uint64_t bytes = 0;
  for (const Worker &worker : workers)
    bytes += worker.workspace.size();
  return bytes;
}

Status Executor::run(PreparedProgram &program) {
  DefaultFloatMode mode;
  for (PreparedLaunch &launch : program.launches) {
    if (launch.predicate && *launch.predicate == 0)
      continue;
    for (const PreparedLaunch::InputArgument &from : launch.fromInputs)
      launch.arguments[from.argument] = const_cast<uint8_t *>(program.binder.pointer(from.input)) + from.offset;
    pool->run(launch.kernel->tiles, [&](int64_t tile, unsigned worker) { runTile(launch, tile, workers[worker]); });
    if (failed.load(std::memory_order_relaxed)) {
      failed = false;
      return std::move(failure);
    }
  }
  return Status();
}

void Executor::runTile(const PreparedLaunch &launch, int64_t tile, Worker &worker) {
  for (const PreparedStep &step : launch.kernel->steps) {
    if (step.function) {
      step.function(launch.arguments.data(), tile, worker.workspace.data());
      continue;
    }
    for (size_t i = 0; i < step.operands.size(); ++i) {
      const format::Operand &operand = step.operands[i];
      auto *base = operand.source() == format::OperandSource::Argument
                       ? static_cast<uint8_t *>(launch.arguments[operand.index()])
                       : worker.workspace.data();
      worker.operands[i] = base + operand.offset() + operand.tile_stride() * static_cast<uint64_t>(tile);
    }
    Status status = step.call->execute(worker.operands.data(), worker.workspace.data());
    if (!status.isOk())
      return recordFailure(launch, std::move(status));
  }
}

void Executor::recordFailure(const PreparedLaunch &launch, Status status) {
  std::lock_guard<std::mutex> lock(failureMutex);
  if (!failed.load(std::memory_order_relaxed))
    failure = std::move(status).at("kernel " + quoted(launch.kernel->name));
  failed = true;
}

} // namespace amp::runtime
