// Cuts a dataset into batches of the program's size, one batch ahead of the trainer on a thread of its own.
#pragma once

#include "runtime/data/Dataset.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace amp::data {

/// What happens to the samples that do not fill a last batch.
enum class ShortBatch : uint8_t { Drop, Pad };

struct LoaderOptions {
  bool shuffle = false;
  uint64_t seed = 0;
  ShortBatch shortBatch = ShortBatch::Drop;
};

struct LoadedBatch {
  std::vector<std::vector<uint8_t>> inputs; ///< in the order of the inputs, whole batches in the inputs' types
  uint64_t samples = 0;                     ///< of the data; the rest of the batch is padding
  /// What the batch's mean loss counts for: the label elements that the loss does not leave out, else the samples.
  uint64_t weight = 0;
};

/// Whether padding can be hidden from the loss: every labels input has an ignore index.
bool canPad(const std::vector<InputSpec> &inputs);

/// One user thread at a time. The dataset outlives the loader.
class Loader {
public:
  Loader(const Dataset &dataset, std::vector<InputSpec> inputs, LoaderOptions options);
  ~Loader();
  Loader(const Loader &) = delete;
  Loader &operator=(const Loader &) = delete;

  uint64_t batchesPerEpoch() const { return batches; }
  /// Samples that an epoch leaves out.
  uint64_t droppedSamples() const;

  /// Begins an epoch at one of its batches: what has been prefetched is dropped.
  void start(uint64_t epoch, uint64_t firstBatch = 0);
  /// The next batch, valid until the call after; null at the end of the epoch.
  runtime::Result<const LoadedBatch *> next();

private:
  enum class SlotState : uint8_t { Empty, Full, Failed };
  struct Slot {
    LoadedBatch batch;
    SlotState state = SlotState::Empty;
    runtime::Status failure;
  };

  void stop();
  void produce(uint64_t epoch, uint64_t firstBatch);
  runtime::Status fill(uint64_t batch, const std::vector<uint64_t> &order, LoadedBatch &to) const;
  runtime::Status fillInput(size_t input, uint64_t first, const std::vector<uint64_t> &order, LoadedBatch &to) const;
  void mask(size_t input, LoadedBatch &to) const;
  uint64_t weightOf(const LoadedBatch &batch) const;

  const Dataset &dataset;
  std::vector<InputSpec> inputs;
  LoaderOptions options;
  uint64_t batchSamples;
  uint64_t batches;

  std::thread producer;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  // Two slots: one with the user, one being filled.
  Slot slots[2];
  uint64_t taken = 0; // batches that the user has got in this epoch, from firstBatch on
  uint64_t remaining = 0;
};

} // namespace amp::data
