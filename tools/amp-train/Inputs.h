// Between the programs of a package and the loader.
#pragma once

#include "runtime/data/Loader.h"
#include "runtime/step/Tensor.h"

namespace amp::tools {

/// The inputs of a program of the package; fails where there is no such program, or no batch axis.
runtime::Result<std::vector<data::InputSpec>> programInputs(const runtime::PackageReader &package,
                                                            const std::string &program);

/// A loaded batch as the trainer takes it; borrows both.
std::vector<runtime::TensorView> viewsOf(const data::LoadedBatch &batch, const std::vector<data::InputSpec> &inputs);

} // namespace amp::tools
