// What the opaque handles of amp.h are.
#pragma once

#include "runtime/capi/Failure.h"
#include "runtime/train/Trainer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

struct amp_program {
  std::shared_ptr<const amp::runtime::PackageReader> reader;
};

struct amp_batch {
  struct Entry {
    std::string name;
    amp::runtime::ElementType type;
    std::vector<uint64_t> shape;
    const void *data;
    uint64_t bytes;
  };
  std::vector<Entry> entries;

  std::vector<amp::runtime::TensorView> views() const;
};

struct amp_trainer {
  std::unique_ptr<amp::runtime::Trainer> trainer;
  std::vector<const amp::runtime::StateView *> parameters;
  std::vector<const amp::runtime::StateView *> statistics;
  std::vector<amp::runtime::OutputView> outputs; // of the last evaluation
  std::map<std::string, std::string> texts;
};

namespace amp::runtime::capi {

/// Fails unless `index` is below `count`: "amp_trainer_output: index 2, the last evaluation left 2 outputs".
inline Status checkIndex(const char *function, size_t index, size_t count, const char *owner, const char *what) {
  if (index < count)
    return Status();
  return argumentFailure(std::string(function) + ": index " + std::to_string(index) + ", " + owner + " " +
                         std::to_string(count) + " " + what);
}

inline amp_type typeOf(ElementType type) {
  return static_cast<amp_type>(type);
}

/// A description of a tensor of the package: its names end with a zero (checkPackage), so views become C strings.
amp_tensor describe(std::string_view name, ElementType type, Span<const uint64_t> shape, const void *data,
                    uint64_t bytes);

} // namespace amp::runtime::capi
