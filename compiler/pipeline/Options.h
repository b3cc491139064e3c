// What a user can ask of a compilation, and how the texts of the command line become it.
#ifndef AMP_COMPILER_PIPELINE_OPTIONS_H
#define AMP_COMPILER_PIPELINE_OPTIONS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace amp::compiler {

/// --optimizer=KIND[:key=value,...]; defaults are torch.optim's, with lr 3e-4 for the default optimizer of amp.
struct OptimizerOptions {
  std::string kind = "adamw"; ///< sgd, adam, adamw
  double lr = 3e-4;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  double weightDecay = 0.01;
  double momentum = 0, dampening = 0;
  bool nesterov = false;

  /// The text that gives the same optimizer, every value that matters spelled out.
  std::string canonical() const;
};

/// --loss=KIND[:key=value,...], or output[:NAME]
struct LossOptions {
  std::string kind; ///< cross-entropy, mse, output; empty: decided from the model
  std::string of;   ///< output that it reads; empty: the only one
  std::string reduction = "mean";
  int64_t ignoreIndex = -100;
  bool hasAxis = false;
  int64_t axis = 1;

  std::string canonical() const;
};

/// --loss-scale=auto|none|NUMBER|dynamic[:key=value,...]
struct LossScaleOptions {
  std::string kind = "auto"; ///< auto, none, static, dynamic
  double init = 65536, growth = 2, backoff = 0.5;
  int64_t interval = 2000;
  double min = 1, max = 3.4028234663852886e38;
};

struct CompileOptions {
  std::string model;
  std::string output;
  OptimizerOptions optimizer;
  LossOptions loss;
  LossScaleOptions lossScale;
  std::string precision = "auto";     ///< auto, fp32, bf16, fp16
  std::string nonfinite = "skip";     ///< skip, stop, ignore
  std::string layout = "auto";        ///< auto, channels-last, channels-first
  std::vector<std::string> targets;   ///< cpu, cuda; none is cpu
  std::string arch = "native";        ///< native, or a CPU as LLVM spells it
  std::vector<std::string> cudaArchs; ///< sm_80, sm_90; none is all
  std::string nvrtc;                  ///< file of the library; empty: as the loader finds it
  std::string select = "auto";        ///< auto, generated, onednn
  std::string freeze, trainable;      ///< regular expressions over initializer names
  bool dropout = true;
  std::string batchnormVariance = "population"; ///< or "sample"
  int64_t batch = 0;                            ///< 0: as in the file
  std::map<std::string, std::vector<int64_t>> shapes;
  std::string emit; ///< stage whose IR is printed; empty: write a package
  std::vector<std::string> explain;

  bool hasTarget(const std::string &target) const;
  /// CUDA code is made, so the plan may hold nothing that only a CPU understands.
  bool makesCuda() const { return hasTarget("cuda") || emit == "cuda"; }
  /// auto resolved: fp16 where a GPU alone is asked for.
  std::string resolvedPrecision() const;
  /// auto resolved: dynamic for fp16, none for the others.
  LossScaleOptions resolvedLossScale() const;
};

/// Each parser fills `options` and returns an empty text, or says what is wrong with `text` and what is wanted; the
/// command line names the option before it.
std::string parseOptimizer(const std::string &text, OptimizerOptions &options);
std::string parseLoss(const std::string &text, LossOptions &options);
std::string parseLossScale(const std::string &text, LossScaleOptions &options);
/// native, a CPU, sm_80, sm_90, or several with commas
std::string parseArch(const std::string &text, CompileOptions &options);
/// INPUT=8x3x224x224
std::string parseShape(const std::string &text, std::map<std::string, std::vector<int64_t>> &shapes);

} // namespace amp::compiler

#endif
