// What a run leaves: lines on stdout, npz files.
#pragma once

#include "runtime/train/Trainer.h"
#include "tools/amp-run/Arguments.h"

#include <string>
#include <vector>

namespace amp::tools {

/// A number as JSON has it: null where it is not finite.
std::string jsonNumber(double value);
/// A text as JSON has it.
std::string jsonText(std::string_view text);

void printStep(uint64_t number, const runtime::StepResult &step, double seconds, bool json);
void printEvaluation(uint64_t number, float loss, double seconds, bool json);
void printBenchmark(std::vector<double> seconds, uint64_t peakBytes, bool json);
void printInputs(const format::Program &program);

/// Writes the files that --save* ask for. `outputs` are those of the last step.
runtime::Status saveResults(runtime::Trainer &trainer, const std::vector<runtime::OutputView> &outputs,
                            const Arguments &arguments);

} // namespace amp::tools
