// A package in memory, ready to run: its state and scratch sections, its loaded kernels, its programs. Knows nothing
// of training; runtime/train builds on it.
#pragma once

#include "runtime/step/Executor.h"
#include "runtime/step/Tensor.h"

#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace amp::runtime {

struct SessionOptions {
  unsigned threads = 0; ///< 0: one a CPU; results are bitwise the same at any number
};

struct SessionMemory {
  uint64_t state = 0;
  uint64_t scratch = 0;
  uint64_t workspace = 0; ///< of all threads
  uint64_t inputs = 0;    ///< copies of inputs that were misaligned or converted
};

/// Not thread-safe: one call at a time. Several sessions, of the same or of other packages, are independent.
class Session {
public:
  /// Loads the package's code into this process and leaves the states as the package has them ("derive" has run).
  static Result<std::unique_ptr<Session>> create(std::shared_ptr<const PackageReader> package,
                                                 const SessionOptions &options);

  /// Binds and runs a program. When the inputs are refused, nothing has run. Allocates nothing after the first run.
  Status run(std::string_view program, Span<const TensorView> inputs);
  bool has(std::string_view program) const { return programs.count(program) != 0; }

  /// An output of a program's last run.
  Result<OutputView> output(std::string_view program, std::string_view name) const;
  std::vector<OutputView> outputs(std::string_view program) const;

  const std::vector<StateView> &states() const { return stateViews; }
  /// Null when there is none of that name.
  const StateView *state(std::string_view name) const;
  /// The first state of a role, or null.
  const StateView *state(format::Role role) const;

  /// Sets all states as the package has them and runs "derive".
  Status reset();
  /// Remakes derived states from the others; after states were written from outside.
  Status derive();

  const PackageReader &package() const { return *reader; }
  SessionMemory memory() const;
  unsigned threads() const { return executor->threads(); }

private:
  Session() = default;
  Status loadBinary();
  Status prepareKernels();
  Status prepareStep(const format::KernelStep &step, PreparedStep &prepared) const;
  void prepareProgram(const format::Program &program);
  void listStates();
  uint8_t *place(const format::Argument &argument) const;
  OutputView outputView(const PreparedProgram &program, const format::Output &output) const;

  std::shared_ptr<const PackageReader> reader;
  std::unique_ptr<CpuBinary> binary;
  Memory stateSection;
  Memory scratchSection;
  std::unique_ptr<Executor> executor;
  std::vector<PreparedKernel> kernels;
  std::unordered_map<std::string_view, std::unique_ptr<PreparedProgram>> programs;
  std::vector<StateView> stateViews;
  std::unordered_map<std::string_view, size_t> statePlaces;
};

} // namespace amp::runtime
