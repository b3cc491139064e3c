// Samples by number: what --data=SPEC opens, already bound to the inputs of a program.
#pragma once

#include "runtime/base/ElementType.h"
#include "runtime/base/FileSystem.h"
#include "runtime/base/Limits.h"

#include <memory>
#include <string>
#include <vector>

namespace amp::data {

/// An input of the program as its package describes it; the first axis is the batch.
struct InputSpec {
  std::string name;
  runtime::ElementType type = runtime::ElementType::F32;
  std::vector<uint64_t> shape;
  int64_t indexLimit = 0; ///< > 0: values lie in [0, indexLimit) or equal ignoreIndex
  int64_t ignoreIndex = 0;

  /// What --loss adds: "labels", or "labels.OUTPUT" where several losses add up.
  bool isLabels() const { return name == "labels" || name.compare(0, 7, "labels.") == 0; }
  /// Whether the loss leaves out elements of this input that equal ignoreIndex.
  bool canMask() const {
    bool wide = type == runtime::ElementType::I64;
    bool fits = wide || (type == runtime::ElementType::I32 && ignoreIndex == int32_t(ignoreIndex));
    return isLabels() && indexLimit > 0 && fits;
  }
  std::vector<uint64_t> sampleShape() const { return {shape.begin() + 1, shape.end()}; }
  uint64_t sampleCount() const; ///< elements of one sample
  uint64_t sampleBytes() const { return sampleCount() * runtime::elementBytes(type); }
};

/// The batch size that all inputs share, or why there is none. Called before any other use of the inputs: it proves
/// that the sizes of all inputs fit 64 bits.
runtime::Result<uint64_t> batchSize(const std::vector<InputSpec> &inputs);

/// Immutable after opening; copySample may be called from several threads.
class Dataset {
public:
  virtual ~Dataset() = default;
  virtual uint64_t size() const = 0;
  /// Writes sample `index` of input number `input` to `to`, sampleBytes() long and in the input's type. Fails where a
  /// value does not fit that type.
  virtual runtime::Status copySample(uint64_t index, size_t input, uint8_t *to) const = 0;
};

enum class Part : uint8_t { Training, Validation };

/// Opens `mnist:DIR`, `tokens:FILE.bin` or `FILE.npz`; other forms are refused by name. Every input is bound, or the
/// message says which one is not and what the data hold instead.
runtime::Result<std::unique_ptr<Dataset>> openDataset(runtime::FileSystem &files, const std::string &spec, Part part,
                                                      const std::vector<InputSpec> &inputs,
                                                      const runtime::Limits &limits = {});

// The kinds, for openDataset.
runtime::Result<std::unique_ptr<Dataset>> openMnist(runtime::FileSystem &files, const std::string &folder, Part part,
                                                    const std::vector<InputSpec> &inputs,
                                                    const runtime::Limits &limits);
runtime::Result<std::unique_ptr<Dataset>> openNpz(runtime::FileSystem &files, const std::string &path,
                                                  const std::vector<InputSpec> &inputs, const runtime::Limits &limits);
/// Little-endian uint16 tokens. A sample is as many as the input takes; its labels are the tokens one further on.
runtime::Result<std::unique_ptr<Dataset>> openTokens(runtime::FileSystem &files, const std::string &path,
                                                     const std::vector<InputSpec> &inputs);

} // namespace amp::data
