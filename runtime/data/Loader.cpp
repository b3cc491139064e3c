#include "runtime/data/Loader.h"

#include "runtime/data/Shuffle.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace amp::data {

using runtime::Result;
using runtime::Status;

bool canPad(const std::vector<InputSpec> &inputs) {
  bool labelled = false;
  for (const InputSpec &input : inputs) {
    if (input.isLabels() && !input.canMask())
      return false;
    labelled = labelled || input.isLabels();
  }
  return labelled;
}

Loader::Loader(const Dataset &dataset, std::vector<InputSpec> inputs, LoaderOptions options)
    : dataset(dataset), inputs(std::move(inputs)), options(options), batchSamples(this->inputs[0].shape[0]) {
  batches = dataset.size() / batchSamples;
  if (options.shortBatch == ShortBatch::Pad && dataset.size() % batchSamples != 0)
    ++batches;
  for (Slot &slot : slots)
    for (const InputSpec &input : this->inputs)
      slot.batch.inputs.emplace_back(batchSamples * input.sampleBytes());
}

Loader::~Loader() {
  stop();
}

uint64_t Loader::droppedSamples() const {
  return options.shortBatch == ShortBatch::Pad ? 0 : dataset.size() % batchSamples;
}

void Loader::stop() {
  if (!producer.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  producer.join();
  stopping = false;
}

void Loader::start(uint64_t epoch, uint64_t firstBatch) {
  stop();
  for (Slot &slot : slots)
    slot.state = SlotState::Empty;
  taken = 0;
  firstBatch = std::min(firstBatch, batches);
  remaining = batches - firstBatch;
  producer = std::thread([this, epoch, firstBatch] { produce(epoch, firstBatch); });
}

void Loader::produce(uint64_t epoch, uint64_t firstBatch) {
  std::vector<uint64_t> order;
  if (options.shuffle) {
    order = shuffledOrder(dataset.size(), options.seed, epoch);
  } else {
    order.resize(dataset.size());
    std::iota(order.begin(), order.end(), uint64_t(0));
  }
  for (uint64_t batch = firstBatch; batch < batches; ++batch) {
    Slot &slot = slots[(batch - firstBatch) % 2];
    {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return stopping || slot.state == SlotState::Empty; });
      if (stopping)
        return;
    }
    Status status = fill(batch, order, slot.batch);
    {
      std::lock_guard<std::mutex> lock(mutex);
      slot.state = status.isOk() ? SlotState::Full : SlotState::Failed;
      slot.failure = std::move(status);
    }
    changed.notify_all();
  }
}

Result<const LoadedBatch *> Loader::next() {
  std::unique_lock<std::mutex> lock(mutex);
  if (taken > 0)
    slots[(taken - 1) % 2].state = SlotState::Empty;
  changed.notify_all();
  if (taken == remaining)
    return static_cast<const LoadedBatch *>(nullptr);
  Slot &slot = slots[taken % 2];
  changed.wait(lock, [&] { return slot.state != SlotState::Empty; });
  if (slot.state == SlotState::Failed)
    return slot.failure;
  ++taken;
  return static_cast<const LoadedBatch *>(&slot.batch);
}

Status Loader::fill(uint64_t batch, const std::vector<uint64_t> &order, LoadedBatch &to) const {
  uint64_t first = batch * batchSamples;
  to.samples = std::min(batchSamples, dataset.size() - first);
  for (size_t input = 0; input < inputs.size(); ++input)
    if (Status status = fillInput(input, first, order, to); !status.isOk())
      return status;
  to.weight = weightOf(to);
  return Status();
}

Status Loader::fillInput(size_t input, uint64_t first, const std::vector<uint64_t> &order, LoadedBatch &to) const {
  uint64_t bytes = inputs[input].sampleBytes();
  uint8_t *at = to.inputs[input].data();
  for (uint64_t i = 0; i < to.samples; ++i, at += bytes)
    if (Status status = dataset.copySample(order[first + i], input, at); !status.isOk())
      return status;
  if (to.samples == batchSamples)
    return Status();
  if (inputs[input].isLabels()) {
    mask(input, to);
    return Status();
  }
  // Padding repeats a real sample: zeros might be outside of what the network can compute with.
  for (uint64_t i = to.samples; i < batchSamples && bytes > 0; ++i, at += bytes)
    std::memcpy(at, to.inputs[input].data(), bytes);
  return Status();
}

// canMask allows int64 and int32 labels alone.
void Loader::mask(size_t input, LoadedBatch &to) const {
  const InputSpec &spec = inputs[input];
  uint64_t bytes = runtime::elementBytes(spec.type);
  // Little-endian: the low bytes of a negative int64 are the same number as int32.
  for (uint64_t i = to.samples * spec.sampleCount(); i < batchSamples * spec.sampleCount(); ++i)
    std::memcpy(&to.inputs[input][i * bytes], &spec.ignoreIndex, bytes);
}

uint64_t Loader::weightOf(const LoadedBatch &batch) const {
  for (size_t input = 0; input < inputs.size(); ++input) {
    const InputSpec &spec = inputs[input];
    if (!spec.canMask())
      continue;
    uint64_t bytes = runtime::elementBytes(spec.type);
    uint64_t weight = 0;
    for (uint64_t at = 0; at < batch.inputs[input].size(); at += bytes)
      weight += std::memcmp(&batch.inputs[input][at], &spec.ignoreIndex, bytes) != 0;
    return weight;
  }
  return batch.samples;
}

} // namespace amp::data
