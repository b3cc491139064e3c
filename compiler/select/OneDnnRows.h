// The rows of Kernels.def that call oneDNN.
#ifndef AMP_COMPILER_SELECT_ONEDNNROWS_H
#define AMP_COMPILER_SELECT_ONEDNNROWS_H

#include "dialects/plan/Plan.h"

namespace amp::compiler {

/// conv2d and conv2d_input_grad on channels-last f32 images: tiles of images.
bool matches_onednnConvolution(plan::KernelOp kernel);
bool pays_onednnConvolution(plan::KernelOp kernel);
void plan_onednnConvolution(plan::KernelOp kernel);

/// matmul in f32 with one matrix on the right: tiles of rows.
bool matches_onednnMatMul(plan::KernelOp kernel);
bool pays_onednnMatMul(plan::KernelOp kernel);
void plan_onednnMatMul(plan::KernelOp kernel);

} // namespace amp::compiler

#endif
