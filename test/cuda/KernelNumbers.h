// The arguments of a kernel in memory, and inputs by chance.
#ifndef AMP_TEST_CUDA_KERNELNUMBERS_H
#define AMP_TEST_CUDA_KERNELNUMBERS_H

#include "test/compiler/codegen/KernelReference.h"
#include "test/cuda/simt/Machine.h"

#include <memory>
#include <vector>

namespace amp::test {

/// Buffers of a kernel's inputs and results, with guards around them. Results lie where the plan wants them, some over
/// inputs; what they hold at first is no number.
class KernelArguments {
public:
  KernelArguments(plan::KernelOp kernel, const std::vector<Tensor> &inputs);
  ~KernelArguments();

  std::vector<void *> pointers(); ///< inputs, then results
  std::vector<simt::Region> regions() const;
  std::vector<Tensor> results() const;

private:
  struct Buffer;
  size_t inputs;
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<size_t> places; ///< buffer of each result
};

/// Inputs of a kernel's types: numbers of [-1, 1), but of [0, 1) where a root is taken of them (second moments, f64);
/// integers of [0, integerLimit).
std::vector<Tensor> randomInputs(plan::KernelOp kernel, unsigned seed, int64_t integerLimit = 3);

/// Tensor by tensor.
void expectNear(const std::vector<Tensor> &got, const std::vector<Tensor> &want, double tolerance);
/// Fails where a bit differs.
void expectSame(const std::vector<Tensor> &got, const std::vector<Tensor> &want);

} // namespace amp::test

#endif
