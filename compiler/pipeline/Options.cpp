// Parsers of KIND[:key=value,...] texts. An unknown key is an error that lists the known ones.
#include "compiler/pipeline/Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace amp::compiler;
using llvm::StringRef;

namespace {

/// One key of an option text: how its value is taken, and the values that are right.
struct Key {
  StringRef name;
  StringRef wanted; ///< "a number of at least 0"
  llvm::function_ref<bool(StringRef)> take;
};

std::string parseKeys(StringRef option, StringRef keys, llvm::ArrayRef<Key> known) {
  llvm::SmallVector<StringRef> parts;
  keys.split(parts, ',', -1, false);
  for (StringRef part : parts) {
    auto [name, value] = part.split('=');
    const Key *key = llvm::find_if(known, [name = name](const Key &k) { return k.name == name; });
    if (key == known.end()) {
      std::string names;
      for (const Key &k : known)
        names += (names.empty() ? "" : ", ") + k.name.str();
      return (option + ": unknown key '" + name + "'; known keys: " + names).str();
    }
    if (!key->take(value))
      return (option + ": " + name + " is '" + value + "', wants " + key->wanted).str();
  }
  return {};
}

bool takeNumber(StringRef text, double &value, double least, double most) {
  double parsed;
  if (text.getAsDouble(parsed) || !(parsed >= least && parsed <= most))
    return false;
  value = parsed;
  return true;
}

bool takeBool(StringRef text, bool &value) {
  value = text.empty() || text == "true" || text == "1";
  return value || text == "false" || text == "0";
}

std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  // The shortest text that reads back as the same number.
  for (int digits = 1; digits < 17; ++digits) {
    std::string shorter;
    llvm::raw_string_ostream(shorter) << llvm::format("%.*g", digits, value);
    double back;
    if (!StringRef(shorter).getAsDouble(back) && back == value)
      return shorter;
  }
  return text;
}

constexpr double kInfinity = HUGE_VAL;
constexpr double kLargestFloat = 3.4028234663852886e38;

} // namespace

std::string OptimizerOptions::canonical() const {
  std::string text = kind + ":lr=" + number(lr);
  if (kind == "sgd")
    text += ",momentum=" + number(momentum) + ",dampening=" + number(dampening) +
            ",nesterov=" + (nesterov ? "true" : "false");
  else
    text += ",beta1=" + number(beta1) + ",beta2=" + number(beta2) + ",eps=" + number(eps);
  return text + ",weight-decay=" + number(weightDecay);
}

std::string LossOptions::canonical() const {
  if (kind == "output")
    return of.empty() ? kind : kind + ":" + of;
  std::string text = kind + ":reduction=" + reduction;
  if (kind == "cross-entropy")
    text += ",ignore-index=" + std::to_string(ignoreIndex) + ",axis=" + std::to_string(axis);
  return of.empty() ? text : text + ",of=" + of;
}

bool CompileOptions::hasTarget(const std::string &target) const {
  return targets.empty() ? target == "cpu" : llvm::is_contained(targets, target);
}

std::string CompileOptions::resolvedPrecision() const {
  if (precision != "auto")
    return precision;
  return hasTarget("cpu") ? "bf16" : "fp16";
}

LossScaleOptions CompileOptions::resolvedLossScale() const {
  LossScaleOptions resolved = lossScale;
  if (resolved.kind == "auto")
    resolved.kind = resolvedPrecision() == "fp16" ? "dynamic" : "none";
  if (resolved.kind == "none")
    resolved.init = 1;
  return resolved;
}

std::string amp::compiler::parseOptimizer(const std::string &text, OptimizerOptions &options) {
  auto [kind, keys] = StringRef(text).split(':');
  OptimizerOptions parsed;
  parsed.kind = kind.str();
  parsed.lr = kind == "sgd" ? 0.01 : kind == "adamw" ? 3e-4 : 1e-3;
  parsed.weightDecay = kind == "adamw" ? 0.01 : 0;
  auto lr = [&](StringRef v) { return takeNumber(v, parsed.lr, 0, kLargestFloat); };
  auto decay = [&](StringRef v) { return takeNumber(v, parsed.weightDecay, 0, kLargestFloat); };
  auto momentum = [&](StringRef v) { return takeNumber(v, parsed.momentum, 0, 1); };
  auto dampening = [&](StringRef v) { return takeNumber(v, parsed.dampening, 0, 1); };
  auto nesterov = [&](StringRef v) { return takeBool(v, parsed.nesterov); };
  auto beta = [](double &beta) { return [&beta](StringRef v) { return takeNumber(v, beta, 0, 1) && beta < 1; }; };
  auto beta1 = beta(parsed.beta1), beta2 = beta(parsed.beta2);
  auto eps = [&](StringRef v) { return takeNumber(v, parsed.eps, 0, kLargestFloat); };
  std::string error;
  if (kind == "sgd")
    error = parseKeys("sgd", keys,
                      {{"lr", "a number of at least 0", lr},
                       {"momentum", "a number from 0 to 1", momentum},
                       {"dampening", "a number from 0 to 1", dampening},
                       {"nesterov", "true or false", nesterov},
                       {"weight-decay", "a number of at least 0", decay}});
  else if (kind == "adam" || kind == "adamw")
    error = parseKeys(kind, keys,
                      {{"lr", "a number of at least 0", lr},
                       {"beta1", "a number from 0 to below 1", beta1},
                       {"beta2", "a number from 0 to below 1", beta2},
                       {"eps", "a number of at least 0", eps},
                       {"weight-decay", "a number of at least 0", decay}});
  else
    error = "'" + kind.str() + "' is not there yet; sgd, adam and adamw are";
  if (error.empty() && parsed.nesterov && (parsed.momentum <= 0 || parsed.dampening != 0))
    error = "sgd: nesterov wants a momentum above 0 and dampening 0; momentum is " + number(parsed.momentum) +
            ", dampening " + number(parsed.dampening);
  if (error.empty())
    options = parsed;
  return error;
}

std::string amp::compiler::parseLoss(const std::string &text, LossOptions &options) {
  auto [kind, keys] = StringRef(text).split(':');
  LossOptions parsed;
  parsed.kind = kind.str();
  auto reduction = [&](StringRef v) { return parsed.reduction = v.str(), v == "mean" || v == "sum"; };
  auto of = [&](StringRef v) { return parsed.of = v.str(), !v.empty(); };
  auto ignore = [&](StringRef v) { return !v.getAsInteger(10, parsed.ignoreIndex); };
  auto axis = [&](StringRef v) { return parsed.hasAxis = !v.getAsInteger(10, parsed.axis); };
  std::string error;
  if (kind == "cross-entropy")
    error = parseKeys("cross-entropy", keys,
                      {{"of", "the name of an output", of},
                       {"reduction", "mean or sum", reduction},
                       {"ignore-index", "an integer", ignore},
                       {"axis", "an integer", axis}});
  else if (kind == "mse")
    error = parseKeys("mse", keys, {{"of", "the name of an output", of}, {"reduction", "mean or sum", reduction}});
  else if (kind == "output")
    parsed.of = keys.str();
  else
    error = "'" + kind.str() + "' is not there yet; cross-entropy, mse and output are";
  if (error.empty())
    options = parsed;
  return error;
}

std::string amp::compiler::parseLossScale(const std::string &text, LossScaleOptions &options) {
  auto [kind, keys] = StringRef(text).split(':');
  LossScaleOptions parsed;
  parsed.kind = kind.str();
  double fixed;
  std::string error;
  if (kind == "dynamic") {
    auto init = [&](StringRef v) { return takeNumber(v, parsed.init, 1e-38, kLargestFloat); };
    auto growth = [&](StringRef v) { return takeNumber(v, parsed.growth, 1, kLargestFloat) && parsed.growth > 1; };
    auto backoff = [&](StringRef v) { return takeNumber(v, parsed.backoff, 1e-38, 1) && parsed.backoff < 1; };
    auto interval = [&](StringRef v) {
      return !v.getAsInteger(10, parsed.interval) && parsed.interval > 0 && parsed.interval <= INT32_MAX;
    };
    auto least = [&](StringRef v) { return takeNumber(v, parsed.min, 1e-38, kLargestFloat); };
    auto most = [&](StringRef v) { return takeNumber(v, parsed.max, 1e-38, kInfinity); };
    error = parseKeys("dynamic", keys,
                      {{"init", "a positive number that fp32 holds", init},
                       {"growth", "a number above 1", growth},
                       {"backoff", "a number between 0 and 1", backoff},
                       {"interval", "a positive integer", interval},
                       {"min", "a positive number", least},
                       {"max", "a positive number", most}});
    if (error.empty() && parsed.min > parsed.max)
      error = "dynamic: min " + number(parsed.min) + " is above max " + number(parsed.max);
  } else if (takeNumber(kind, fixed, 1e-38, kLargestFloat)) {
    parsed.kind = "static";
    parsed.init = fixed;
  } else if (kind != "auto" && kind != "none") {
    error = "'" + text + "' is none of auto, none, a positive number, dynamic[:key=value,...]";
  }
  if (error.empty())
    options = parsed;
  return error;
}

std::string amp::compiler::parseArch(const std::string &text, CompileOptions &options) {
  llvm::SmallVector<StringRef> parts;
  StringRef(text).split(parts, ',');
  options.arch.clear();
  options.cudaArchs.clear();
  for (StringRef part : parts) {
    if (part.starts_with("sm_")) {
      if (part != "sm_80" && part != "sm_90")
        return "'" + part.str() + "' has no CUDA code; sm_80 and sm_90 have";
      if (!llvm::is_contained(options.cudaArchs, part.str()))
        options.cudaArchs.push_back(part.str());
      continue;
    }
    if (part.empty() || !options.arch.empty())
      return "'" + text + "' wants one CPU at most, and GPUs, with commas: native,sm_80,sm_90";
    options.arch = part.str();
  }
  if (options.arch.empty())
    options.arch = "native";
  return {};
}

std::string amp::compiler::parseShape(const std::string &text, std::map<std::string, std::vector<int64_t>> &shapes) {
  // The name may hold '=': the dimensions are what follows the last one.
  auto [name, dims] = StringRef(text).rsplit('=');
  std::vector<int64_t> shape;
  llvm::SmallVector<StringRef> parts;
  dims.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t length;
    if (part.getAsInteger(10, length) || length <= 0)
      return "'" + text + "' wants INPUT=8x3x224x224, positive lengths; it has '" + part.str() + "'";
    shape.push_back(length);
  }
  if (name.empty() || !shapes.emplace(name.str(), shape).second)
    return "'" + text + "' names " + (name.empty() ? "no input" : "an input that has a shape already");
  return {};
}
