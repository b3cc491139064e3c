#include "tools/amp-train/Schedule.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace amp::tools {

using runtime::Result;
using runtime::Status;
using runtime::StatusCode;

Result<Schedule> Schedule::parse(const std::string &text, float base, uint64_t total) {
  size_t colon = text.find(':');
  std::string name = text.substr(0, colon);
  Schedule schedule;
  schedule.base = base;
  schedule.total = std::max<uint64_t>(total, 1);
  if (name == "one-cycle")
    return Status(StatusCode::Unsupported, "--lr-schedule=one-cycle is not there yet; use cosine:warmup=UPDATES");
  if (name == "cosine")
    schedule.kind = Kind::Cosine;
  else if (name == "linear")
    schedule.kind = Kind::Linear;
  else if (name == "step")
    schedule.kind = Kind::Step;
  else if (name != "constant")
    return Status(StatusCode::Argument,
                  "--lr-schedule=" + runtime::quoted(text) + ", wanted constant, cosine, linear or step");
  if (colon == std::string::npos)
    return schedule;
  constexpr std::string_view key = "warmup=";
  const char *first = text.data() + std::min(text.size(), colon + 1 + key.size());
  const char *last = text.data() + text.size();
  auto [end, error] = std::from_chars(first, last, schedule.warmup);
  if (text.compare(colon + 1, key.size(), key) != 0 || error != std::errc() || end != last)
    return Status(StatusCode::Argument,
                  "--lr-schedule=" + runtime::quoted(text) + ", wanted nothing after the name but :warmup=UPDATES");
  return schedule;
}

float Schedule::rate(uint64_t updates) const {
  double at = double(std::min(updates, total)) / double(total);
  double factor = 1;
  if (kind == Kind::Cosine)
    factor = 0.5 * (1 + std::cos(3.14159265358979323846 * at));
  else if (kind == Kind::Linear)
    factor = 1 - at;
  else if (kind == Kind::Step)
    factor = std::pow(0.1, std::floor(3 * at)); // a tenth after each third
  if (updates < warmup)
    factor *= double(updates + 1) / double(warmup);
  return float(double(base) * factor);
}

} // namespace amp::tools
