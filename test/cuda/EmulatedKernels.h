// Kernels of a plan as the host's compiler makes them from the very source that amp-compile prints, on the emulator.
#ifndef AMP_TEST_CUDA_EMULATEDKERNELS_H
#define AMP_TEST_CUDA_EMULATEDKERNELS_H

#include "compiler/codegen/cuda/Codegen.h"
#include "test/cuda/KernelNumbers.h"

#include <string>
#include <vector>

namespace amp::test {

/// What came of a launch.
struct Emulated {
  std::vector<Tensor> results;
  simt::Report report;
};

class EmulatedKernels {
public:
  /// Compiles the source, for the emulator; fails the test where that fails.
  explicit EmulatedKernels(const std::string &source);
  ~EmulatedKernels();
  EmulatedKernels(const EmulatedKernels &) = delete;
  EmulatedKernels &operator=(const EmulatedKernels &) = delete;

  bool compiled() const { return library != nullptr; }
  /// A kernel by its name; fails the test where there is none.
  simt::Entry entry(const std::string &name) const;
  /// Runs `kernel` on `inputs`. Results lie where the plan wants them, some over inputs; what they held is no number.
  Emulated run(plan::KernelOp kernel, unsigned blocks, const std::vector<Tensor> &inputs, simt::Order order) const;

private:
  void *library = nullptr;
};

/// Runs the kernel in every order: each report is clean, results are near the reference and the same bits in all.
void expectRight(const EmulatedKernels &kernels, plan::KernelOp kernel, unsigned blocks,
                 const std::vector<Tensor> &inputs, double tolerance);

constexpr simt::Order kOrders[] = {simt::Order::Forward, simt::Order::Reverse, simt::Order::Random,
                                   simt::Order::Greedy};

} // namespace amp::test

#endif
