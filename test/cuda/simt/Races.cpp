#include "test/cuda/simt/Races.h"

#include <algorithm>

using namespace simt;

Races::Races(std::vector<Region> memory) : regions(std::move(memory)) {
  for (const Region &region : regions)
    cells.emplace_back((region.bytes + region.width - 1) / region.width);
}

void Races::forgetShared() {
  std::fill(cells[0].begin(), cells[0].end(), Cell());
}

bool Races::conflicts(const Access &before) const {
  if (before.epoch == 0)
    return false;
  if (before.block != current.block)
    return true;
  return before.thread != current.thread && before.epoch == current.epoch;
}

void Races::report(const std::string &text) {
  if (++found <= 4)
    reports.push_back(text);
}

static std::string threadText(unsigned block, unsigned thread) {
  return "thread " + std::to_string(thread) + " of block " + std::to_string(block);
}

void Races::touch(Cell &cell, const Region &region, size_t element, bool writes) {
  auto clash = [&](const Access &before, const char *what) {
    report(std::string(writes ? "write" : "read") + " by " + threadText(current.block, current.thread) + " and " +
           what + " by " + threadText(before.block, before.thread) + " of element " + std::to_string(element) + " of " +
           region.name + " are not ordered");
  };
  if (conflicts(cell.writer))
    clash(cell.writer, "write");
  if (writes) {
    for (const Access &reader : cell.readers)
      if (conflicts(reader)) {
        clash(reader, "read");
        break;
      }
    cell.writer = current;
    return;
  }
  // A reader that a write of this thread or epoch cannot clash with makes room for one that it can.
  Access &first = cell.readers[0], &second = cell.readers[1];
  bool isKnown = first.block == current.block && first.thread == current.thread && first.epoch != 0;
  if (first.epoch == 0 || isKnown || (first.block == current.block && first.epoch != current.epoch))
    first = current;
  else
    second = current;
}

void Races::access(const void *address, size_t bytes, bool writes) {
  auto at = reinterpret_cast<uintptr_t>(address);
  for (size_t number = 0; number < regions.size(); ++number) {
    const Region &region = regions[number];
    auto begin = reinterpret_cast<uintptr_t>(region.begin);
    if (at + bytes + Region::kGuard <= begin || at >= begin + region.bytes + Region::kGuard)
      continue;
    if (at < begin || at + bytes > begin + region.bytes)
      return report(std::string(writes ? "write" : "read") + " by " + threadText(current.block, current.thread) +
                    " outside of " + region.name + ", at byte " + std::to_string(int64_t(at - begin)) + " of " +
                    std::to_string(region.bytes));
    size_t first = (at - begin) / region.width, last = (at + bytes - 1 - begin) / region.width;
    for (size_t element = first; element <= last; ++element)
      touch(cells[number][element], region, element, writes);
    return;
  }
}
