#include "tools/amp-compile/Report.h"

#include <nlohmann/json.hpp>

#include <cstdio>

using namespace amp::compiler;

static void printJson(const CompileOptions &options, const CompileResult &result) {
  nlohmann::ordered_json summary;
  summary["package"] = options.output;
  for (const StageSummary &stage : result.stages) {
    nlohmann::ordered_json line;
    for (const auto &[name, value] : stage.figures)
      line[name] = value;
    line["seconds"] = stage.seconds;
    summary["stages"][stage.stage] = line;
  }
  summary["seconds"] = result.seconds;
  std::printf("%s\n", summary.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

static void printLines(const CompileOptions &options, const CompileResult &result) {
  for (const StageSummary &stage : result.stages) {
    std::string figures;
    for (const auto &[name, value] : stage.figures)
      figures += (figures.empty() ? "" : ", ") + std::to_string(value) + " " + name;
    std::printf("%-10s %7.3f s  %s\n", stage.stage.c_str(), stage.seconds, figures.c_str());
  }
  std::printf("%-10s %7.3f s  %s\n", "total", result.seconds, options.output.c_str());
}

void amp::tools::report(const CompileOptions &options, const CompileResult &result, bool json) {
  for (const std::string &remark : result.remarks)
    std::fprintf(stderr, "amp-compile: %s\n", remark.c_str());
  for (const std::string &error : result.errors)
    std::fprintf(stderr, "amp-compile: error: %s\n", error.c_str());
  if (result.exitCode == 2)
    std::fprintf(stderr, "amp-compile: this is a fault of amp: please report it with the model and the command\n");
  if (result.exitCode)
    return;
  if (!options.emit.empty())
    std::fwrite(result.text.data(), 1, result.text.size(), stdout);
  else if (json)
    printJson(options, result);
  else
    printLines(options, result);
}
