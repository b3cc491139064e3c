// Functions amp_batch_* of amp.h.
#include "runtime/base/Checked.h"
#include "runtime/capi/Handles.h"

using namespace amp::runtime;

std::vector<TensorView> amp_batch::views() const {
  std::vector<TensorView> views;
  views.reserve(entries.size());
  for (const Entry &entry : entries)
    views.push_back({entry.name, entry.type, Span<const uint64_t>(entry.shape), entry.data, entry.bytes});
  return views;
}

extern "C" {

amp_status amp_batch_create(amp_batch **batch) {
  return capi::guarded([&]() -> Status {
    if (!batch)
      return capi::argumentFailure("amp_batch_create: batch is null");
    *batch = new amp_batch;
    return Status();
  });
}

void amp_batch_destroy(amp_batch *batch) {
  delete batch;
}

amp_status amp_batch_set(amp_batch *batch, const char *name, amp_type type, const uint64_t *shape, size_t rank,
                         const void *data) {
  return capi::guarded([&]() -> Status {
    if (!batch || !name || (rank != 0 && !shape))
      return capi::argumentFailure("amp_batch_set: batch, name or shape is null");
    if (int(type) < 0 || unsigned(type) >= elementTypeCount)
      return capi::argumentFailure("amp_batch_set: " + quoted(name) + " has type number " + std::to_string(int(type)) +
                                   ", wanted one of amp_type");
    if (rank > Limits().rank)
      return capi::argumentFailure("amp_batch_set: " + quoted(name) + " has rank " + std::to_string(rank) +
                                   ", wanted at most " + std::to_string(Limits().rank));
    amp_batch::Entry entry;
    entry.name = name;
    entry.type = static_cast<ElementType>(type);
    entry.shape.assign(shape, shape + rank);
    entry.data = data;
    std::optional<uint64_t> count = elementCount(entry.shape);
    std::optional<uint64_t> bytes = count ? checkedMultiply(*count, elementBytes(entry.type)) : std::nullopt;
    if (!bytes || (!data && *bytes != 0))
      return capi::argumentFailure("amp_batch_set: " + quoted(name) + " of shape " +
                                   shapeText(Span<const uint64_t>(entry.shape)) +
                                   (bytes ? " has null as its data" : " is larger than any memory"));
    entry.bytes = *bytes;
    for (amp_batch::Entry &known : batch->entries)
      if (known.name == entry.name) {
        known = std::move(entry);
        return Status();
      }
    batch->entries.push_back(std::move(entry));
    return Status();
  });
}

void amp_batch_clear(amp_batch *batch) {
  if (batch)
    batch->entries.clear();
}
}
