#include "tools/amp-run/Results.h"

#include "runtime/format/Npz.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>

namespace amp::tools {
namespace {

using runtime::NpzWriter;
using runtime::StateView;
using runtime::Status;

std::vector<uint64_t> shapeOf(runtime::Span<const uint64_t> shape) {
  return {shape.begin(), shape.end()};
}

Status addState(NpzWriter &writer, const StateView &state) {
  return writer.add(std::string(state.name), runtime::scalarTypeOf(state.type), shapeOf(state.shape),
                    runtime::ByteSpan(state.data, state.bytes));
}

template <typename Wanted>
Status saveStates(const runtime::Session &session, const std::string &path, Wanted &&wanted) {
  NpzWriter writer;
  for (const StateView &state : session.states())
    if (wanted(state.role))
      if (Status status = addState(writer, state); !status.isOk())
        return status;
  return writer.write(runtime::posixFileSystem(), path);
}

Status saveGradients(const runtime::Trainer &trainer, const std::string &path) {
  NpzWriter writer;
  std::deque<std::vector<float>> unscaled; // the writer borrows them
  for (const StateView &state : trainer.session().states()) {
    if (state.role != format::Role::Gradient)
      continue;
    unscaled.emplace_back(state.bytes / sizeof(float));
    trainer.unscaledGradient(state, unscaled.back().data());
    runtime::ByteSpan bytes(reinterpret_cast<const uint8_t *>(unscaled.back().data()), state.bytes);
    Status status = writer.add(std::string(state.of), runtime::ScalarType::F32, shapeOf(state.shape), bytes);
    if (!status.isOk())
      return status;
  }
  return writer.write(runtime::posixFileSystem(), path);
}

Status saveOutputs(const std::vector<runtime::OutputView> &outputs, const std::string &path) {
  NpzWriter writer;
  for (const runtime::OutputView &output : outputs) {
    Status status = writer.add(std::string(output.name), runtime::scalarTypeOf(output.type), shapeOf(output.shape),
                               runtime::ByteSpan(output.data, output.bytes));
    if (!status.isOk())
      return status;
  }
  return writer.write(runtime::posixFileSystem(), path);
}

} // namespace

std::string jsonNumber(double value) {
  if (!std::isfinite(value))
    return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value); // enough to read the same float32 back
  return text;
}

std::string jsonText(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    char escaped[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void printStep(uint64_t number, const runtime::StepResult &step, double seconds, bool json) {
  if (!json) {
    std::printf("step %llu: loss %.7g, gradient norm %.7g, scale %.9g, lr %.9g, %.2f ms%s\n",
                static_cast<unsigned long long>(number), step.loss, step.gradNorm, step.scale, step.learningRate,
                seconds * 1e3, step.stepped ? "" : " (skipped: not finite)");
    return;
  }
  std::printf("{\"step\":%llu,\"loss\":%s,\"stepped\":%s,\"found_inf\":%s,\"grad_norm\":%s,\"scale\":%s,\"lr\":%s,"
              "\"seconds\":%.6f}\n",
              static_cast<unsigned long long>(number), jsonNumber(step.loss).c_str(), step.stepped ? "true" : "false",
              step.foundInf ? "true" : "false", jsonNumber(step.gradNorm).c_str(), jsonNumber(step.scale).c_str(),
              jsonNumber(step.learningRate).c_str(), seconds);
}

void printEvaluation(uint64_t number, float loss, double seconds, bool json) {
  if (json)
    std::printf("{\"step\":%llu,\"loss\":%s,\"seconds\":%.6f}\n", static_cast<unsigned long long>(number),
                jsonNumber(loss).c_str(), seconds);
  else
    std::printf("evaluation %llu: loss %.7g, %.2f ms\n", static_cast<unsigned long long>(number), loss, seconds * 1e3);
}

void printBenchmark(std::vector<double> seconds, uint64_t peakBytes, bool json) {
  std::sort(seconds.begin(), seconds.end());
  double median = (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
  // The nearest rank: the smallest time that 95 of 100 steps do not exceed.
  double p95 = seconds[(seconds.size() * 95 + 99) / 100 - 1];
  auto peak = static_cast<unsigned long long>(peakBytes);
  if (json)
    std::printf("{\"min_seconds\":%.6f,\"median_seconds\":%.6f,\"p95_seconds\":%.6f,\"peak_bytes\":%llu}\n", seconds[0],
                median, p95, peak);
  else
    std::printf("%zu steps: min %.3f ms, median %.3f ms, p95 %.3f ms, peak memory %.1f MiB\n", seconds.size(),
                seconds[0] * 1e3, median * 1e3, p95 * 1e3, static_cast<double>(peak) / (1 << 20));
}

void printInputs(const format::Program &program) {
  std::string text;
  for (const format::Input *input : *program.inputs()) {
    text += text.empty() ? "[" : ",\n ";
    text += "{\"name\":" + jsonText(runtime::viewOf(input->name())) +
            ",\"type\":" + jsonText(runtime::elementName(runtime::elementTypeOf(input->type()))) +
            ",\"shape\":" + runtime::shapeText(runtime::spanOf(input->shape())) + "}";
  }
  std::printf("%s]\n", text.empty() ? "[" : text.c_str());
}

Status saveResults(runtime::Trainer &trainer, const std::vector<runtime::OutputView> &outputs,
                   const Arguments &arguments) {
  const runtime::Session &session = trainer.session();
  Status status;
  if (!arguments.outputs.empty())
    status = saveOutputs(outputs, arguments.outputs);
  if (status.isOk() && !arguments.gradients.empty())
    status = saveGradients(trainer, arguments.gradients);
  if (status.isOk() && !arguments.parameters.empty())
    status = saveStates(session, arguments.parameters, [](format::Role role) {
      return role == format::Role::Parameter || role == format::Role::Statistic;
    });
  if (status.isOk() && !arguments.state.empty())
    status = saveStates(session, arguments.state, runtime::isSaved);
  if (status.isOk() && !arguments.save.empty())
    status = trainer.save(runtime::posixFileSystem(), arguments.save, {});
  return status;
}

} // namespace amp::tools
