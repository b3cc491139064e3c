#include "tools/amp-train/Report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace amp::tools {

using runtime::Result;
using runtime::Status;

namespace {

// The shortest text that gives the number back; JSON has none for what is not finite.
template <typename T> std::string jsonNumber(T value) {
  if (!std::isfinite(value))
    return "null";
  char text[64];
  auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : "null";
}

std::string validationKeys(const std::optional<Evaluation> &validation) {
  if (!validation)
    return "";
  std::string keys = ",\"validation_loss\":" + jsonNumber(validation->loss);
  return validation->classes ? keys + ",\"validation_accuracy\":" + jsonNumber(validation->accuracy) : keys;
}

// Lines of our own begin with the step, which is all that is read back.
bool belongsTo(std::string_view line, uint64_t keepSteps) {
  constexpr std::string_view head = "{\"step\":";
  uint64_t step = 0;
  if (line.substr(0, head.size()) != head)
    return false;
  auto [end, error] = std::from_chars(line.data() + head.size(), line.data() + line.size(), step);
  return error == std::errc() && end != line.data() + line.size() && step <= keepSteps;
}

std::string keptLines(const std::vector<uint8_t> &old, uint64_t keepSteps) {
  std::string_view text(reinterpret_cast<const char *>(old.data()), old.size());
  std::string kept;
  while (!text.empty()) {
    size_t end = text.find('\n');
    if (end == std::string_view::npos)
      break; // a line that was being written when the process ended
    if (belongsTo(text.substr(0, end), keepSteps))
      kept += text.substr(0, end + 1);
    text.remove_prefix(end + 1);
  }
  return kept;
}

} // namespace

std::string logLine(const StepReport &step) {
  return "{\"step\":" + std::to_string(step.step) + ",\"epoch\":" + std::to_string(step.epoch) +
         ",\"loss\":" + jsonNumber(step.result.loss) + ",\"lr\":" + jsonNumber(step.result.learningRate) +
         ",\"scale\":" + jsonNumber(step.result.scale) + ",\"skipped\":" + (step.result.stepped ? "false" : "true") +
         ",\"grad_norm\":" + jsonNumber(step.result.gradNorm) + ",\"seconds\":" + jsonNumber(step.seconds) +
         validationKeys(step.validation) + "}\n";
}

Result<std::unique_ptr<StepLog>> StepLog::open(runtime::FileSystem &files, const std::string &path,
                                               uint64_t keepSteps) {
  std::string kept;
  Result<runtime::PathKind> kind = files.kind(path);
  if (keepSteps > 0 && kind.isOk() && *kind == runtime::PathKind::File) {
    Result<std::vector<uint8_t>> old = readWhole(files, path, UINT64_MAX);
    if (!old.isOk())
      return old.status();
    kept = keptLines(*old, keepSteps);
  }
  std::unique_ptr<StepLog> log(new StepLog());
  Result<std::unique_ptr<runtime::WritableFile>> file = files.create(path);
  if (!file.isOk())
    return file.status();
  log->file = std::move(*file);
  if (Status status = log->file->write(runtime::bytesOf(kept)); !status.isOk())
    return status;
  return log;
}

Status StepLog::write(const StepReport &step) {
  std::string line = logLine(step);
  return file->write(runtime::bytesOf(line));
}

Report::Report(bool json, uint64_t totalSteps, uint64_t totalEpochs)
    : json(json), terminal(isatty(STDERR_FILENO) != 0), totalSteps(totalSteps), totalEpochs(totalEpochs),
      shown(std::chrono::steady_clock::now()) {}

void Report::clearBar() {
  if (barShown)
    std::fprintf(stderr, "\r\033[K");
  barShown = false;
}

void Report::remark(const std::string &text) {
  clearBar();
  std::fprintf(stderr, "amp-train: remark: %s\n", text.c_str());
}

void Report::step(const StepReport &step) {
  auto now = std::chrono::steady_clock::now();
  double pause = terminal ? 0.1 : 30;
  if (std::chrono::duration<double>(now - shown).count() < pause)
    return;
  shown = now;
  constexpr size_t width = 30;
  std::string bar(std::min<size_t>(width, size_t(width * step.step / std::max<uint64_t>(totalSteps, 1))), '#');
  bar.resize(width, '.');
  if (terminal)
    std::fprintf(stderr, "\r\033[K[%s] step %llu/%llu  epoch %llu  loss %.4f", bar.c_str(),
                 (unsigned long long)step.step, (unsigned long long)totalSteps, (unsigned long long)step.epoch,
                 double(step.result.loss));
  else
    std::fprintf(stderr, "step %llu/%llu  epoch %llu  loss %.4f\n", (unsigned long long)step.step,
                 (unsigned long long)totalSteps, (unsigned long long)step.epoch, double(step.result.loss));
  barShown = terminal;
  std::fflush(stderr);
}

void Report::epoch(const EpochReport &epoch) {
  clearBar();
  double rate = epoch.seconds > 0 ? double(epoch.samples) / epoch.seconds : 0;
  if (json) {
    std::string line = "{\"epoch\":" + std::to_string(epoch.epoch) + ",\"step\":" + std::to_string(epoch.step) +
                       ",\"loss\":" + jsonNumber(epoch.loss) + ",\"skipped\":" + std::to_string(epoch.skipped) +
                       ",\"seconds\":" + jsonNumber(epoch.seconds) + ",\"samples_per_second\":" + jsonNumber(rate) +
                       validationKeys(epoch.validation) + "}";
    std::printf("%s\n", line.c_str());
  } else {
    std::printf("epoch %llu/%llu  step %llu  loss %.4f", (unsigned long long)epoch.epoch,
                (unsigned long long)totalEpochs, (unsigned long long)epoch.step, epoch.loss);
    if (epoch.validation)
      std::printf("  validation loss %.4f", epoch.validation->loss);
    if (epoch.validation && epoch.validation->classes)
      std::printf("  accuracy %.4f", epoch.validation->accuracy);
    std::printf("  skipped %llu  %.0f samples/s\n", (unsigned long long)epoch.skipped, rate);
  }
  std::fflush(stdout);
}

} // namespace amp::tools
