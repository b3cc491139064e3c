// The catalogue of kernel implementations: which row takes a kernel.
#ifndef AMP_COMPILER_SELECT_CATALOGUE_H
#define AMP_COMPILER_SELECT_CATALOGUE_H

#include "dialects/plan/Plan.h"

namespace amp::compiler {

struct KernelRow {
  llvm::StringRef library; ///< "generated", or the library that the steps call
  llvm::StringRef name;
  bool (*matches)(plan::KernelOp kernel); ///< whether it can take the kernel
  bool (*pays)(plan::KernelOp kernel);    ///< whether it can, and is likely faster than the rows behind it
  void (*plan)(plan::KernelOp kernel);
};

/// The rows of Kernels.def, in its order.
llvm::ArrayRef<KernelRow> kernelRows();

/// The row for a kernel: with "auto" the first that pays, else the first of that library, else of generated code.
/// Null if there is none.
const KernelRow *chooseRow(plan::KernelOp kernel, llvm::StringRef select);

} // namespace amp::compiler

#endif
