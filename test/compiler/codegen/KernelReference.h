// What a kernel's results must be: the reference evaluation of its body, and how near code has to come.
#ifndef AMP_TEST_COMPILER_CODEGEN_KERNELREFERENCE_H
#define AMP_TEST_COMPILER_CODEGEN_KERNELREFERENCE_H

#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"

#include <vector>

namespace amp::test {

using Tensor = graph::ReferenceTensor;

/// What the ops of the body say.
std::vector<Tensor> referenceOf(plan::KernelOp kernel, const std::vector<Tensor> &inputs);

/// Fails where a result differs by more than `tolerance` of its greatest magnitude, plus one rounding of its type.
void expectNear(const Tensor &got, const Tensor &want, double tolerance);

} // namespace amp::test

#endif
