// Tensors for the steps of a run, out of npz files.
#pragma once

#include "runtime/format/Npz.h"
#include "runtime/step/Tensor.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace amp::tools {

/// One file: the arrays that a program takes, in types that it takes.
class Batch {
public:
  /// Arrays of other names are left alone; a missing one is the trainer's to refuse.
  static runtime::Result<Batch> open(runtime::FileSystem &files, const std::string &path,
                                     const format::Program &program);
  runtime::Span<const runtime::TensorView> views() const { return runtime::Span<const runtime::TensorView>(tensors); }

private:
  explicit Batch(runtime::NpzArchive archive) : archive(std::make_unique<runtime::NpzArchive>(std::move(archive))) {}
  runtime::Status add(const std::string &name, runtime::ElementType wanted);

  // Views point into these: they keep their places when the batch moves.
  std::unique_ptr<runtime::NpzArchive> archive;
  std::deque<runtime::NpzArray> arrays;
  std::deque<std::vector<int32_t>> widened;
  std::vector<runtime::TensorView> tensors;
};

} // namespace amp::tools
