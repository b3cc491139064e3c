// The learning rate as a function of the updates that were taken: a skipped step does not move it.
#pragma once

#include "runtime/base/Status.h"

namespace amp::tools {

class Schedule {
public:
  /// `text` is KIND[:warmup=UPDATES]; the schedule ends after `total` updates.
  static runtime::Result<Schedule> parse(const std::string &text, float base, uint64_t total);

  /// For the step that would make update number `updates` + 1.
  float rate(uint64_t updates) const;

private:
  enum class Kind : uint8_t { Constant, Cosine, Linear, Step };
  Schedule() = default;

  Kind kind = Kind::Constant;
  float base = 0;
  uint64_t total = 1;
  uint64_t warmup = 0;
};

} // namespace amp::tools
