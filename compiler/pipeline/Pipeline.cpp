// Runs the stages on one model, turns diagnostics into the user's messages, and stops where --emit says.
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/CudaBinaries.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/pipeline/Stages.h"
#include "compiler/pipeline/Summary.h"

#include "compiler/codegen/cpu/Codegen.h"
#include "compiler/codegen/cuda/Codegen.h"
#include "compiler/import/onnx/Import.h"
#include "compiler/package/Package.h"
#include "compiler/support/Remarks.h"
#include "dialects/train/Train.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The ONNX node names of a location: "node 'a', 'b': ", or nothing; the model's own name stands before it anyway.
std::string nodePrefix(Location location, llvm::StringRef model) {
  std::string names;
  forEachNodeName(location, [&](StringAttr name) {
    if (name.getValue() != model)
      names += (names.empty() ? "'" : ", '") + name.str() + "'";
  });
  return names.empty() ? "" : "node " + names + ": ";
}

class Compilation {
public:
  explicit Compilation(const CompileOptions &options)
      : options(options), context(makeRegistry(), MLIRContext::Threading::DISABLED),
        handler(&context, [this](Diagnostic &diagnostic) { record(diagnostic); }) {
    // Messages name nodes; the IR of an op tells a user nothing.
    context.printOpOnDiagnostic(false);
  }

  CompileResult run();

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAmp(registry);
    return registry;
  }

  void record(Diagnostic &diagnostic);
  bool isWanted(llvm::StringRef remark) const;
  bool import();
  bool runStage(const Stage &stage);
  bool emitText();
  LossOptions decidedLoss();
  bool package();
  bool generateCpu(std::vector<KernelBinary> &binaries);
  bool generateCuda(std::vector<KernelBinary> &binaries);
  CpuOptions cpuOptions() const;
  bool fail(int exitCode, std::string error);
  void summarizeStage(llvm::StringRef name, double begin, std::vector<std::pair<std::string, int64_t>> figures);

  const CompileOptions &options;
  MLIRContext context;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  CompileResult result;
};

void Compilation::record(Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  if (!llvm::StringRef(text).starts_with("node '"))
    text = nodePrefix(diagnostic.getLocation(), options.model) + text;
  for (Diagnostic &note : diagnostic.getNotes())
    text += "\n  note: " + nodePrefix(note.getLocation(), options.model) + note.str();
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    result.errors.push_back(options.model + ": " + text);
  else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning || isWanted(diagnostic.str()))
    result.remarks.push_back((diagnostic.getSeverity() == DiagnosticSeverity::Warning ? "warning: " : "remark: ") +
                             text);
}

/// A remark opens with its topic, "[fusion] "; the topics of --explain are wanted, and how an undecided loss was
/// decided.
bool Compilation::isWanted(llvm::StringRef remark) const {
  if (remark.starts_with("[loss]"))
    return options.loss.kind.empty();
  llvm::StringRef topic = remark.starts_with("[") ? remark.drop_front().split(']').first : "";
  return topic.empty() || llvm::is_contained(options.explain, topic.str());
}

bool Compilation::fail(int exitCode, std::string error) {
  if (!error.empty())
    result.errors.push_back(std::move(error));
  result.exitCode = exitCode;
  return false;
}

void Compilation::summarizeStage(llvm::StringRef name, double begin,
                                 std::vector<std::pair<std::string, int64_t>> figures) {
  result.stages.push_back({name.str(), now() - begin, std::move(figures)});
}

bool Compilation::import() {
  double begin = now();
  ImportOptions importOptions;
  if (options.batch)
    importOptions.batch = {options.batch};
  importOptions.shapes = options.shapes;
  module = importOnnx(context, options.model, importOptions, result.errors);
  if (!module)
    return fail(1, result.errors.empty() ? options.model + ": the model cannot be imported" : "");
  summarizeStage("import", begin, summarize(*module, "import"));
  return true;
}

/// A stage that the user's model can fail (shape, trainstep) is the user's to mend; later ones have contracts.
bool Compilation::runStage(const Stage &stage) {
  double begin = now();
  PassManager passes(&context);
  passes.enableVerifier(true);
  stage.addPasses(passes, options);
  if (failed(passes.run(*module)))
    return fail(stage.name == "shape" || stage.name == "trainstep" ? 1 : 2,
                result.errors.empty() ? options.model + ": stage " + stage.name.str() + " failed" : "");
  summarizeStage(stage.name, begin, summarize(*module, stage.name));
  return true;
}

bool Compilation::emitText() {
  llvm::raw_string_ostream stream(result.text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(true, false).useLocalScope();
  module->print(stream, flags);
  stream << '\n';
  return true;
}

CpuOptions Compilation::cpuOptions() const {
  if (options.arch == "native")
    return hostCpu();
  CpuOptions cpu;
  cpu.cpu = options.arch;
  return cpu;
}

bool Compilation::generateCpu(std::vector<KernelBinary> &binaries) {
  double begin = now();
  CpuOptions cpu = cpuOptions();
  SmallVector<char> code;
  if (failed(emitKernels(*module, cpu, code)))
    return fail(options.arch == "native" ? 2 : 1,
                result.errors.empty() ? options.model + ": code generation failed" : "");
  KernelBinary &binary = binaries.emplace_back();
  binary.arch = cpu.cpu;
  binary.features = requiredFeatures(cpu);
  binary.code.assign(code.begin(), code.end());
  summarizeStage("codegen", begin, {{"bytes of code", int64_t(code.size())}});
  return true;
}

bool Compilation::generateCuda(std::vector<KernelBinary> &binaries) {
  double begin = now();
  CudaBinaries made = makeCudaBinaries(*module, options);
  if (!made.error.empty())
    return fail(made.exitCode, options.model + ": " + made.error);
  if (!made.remark.empty())
    result.remarks.push_back("remark: " + made.remark);
  int64_t bytes = 0;
  for (KernelBinary &binary : made.binaries) {
    bytes += int64_t(binary.code.size());
    binaries.push_back(std::move(binary));
  }
  summarizeStage("cuda", begin, {{"kernels", made.kernels}, {"bytes of images", bytes}});
  return true;
}

/// What trainstep made of a loss that the user left open, read from the planned kernels.
LossOptions Compilation::decidedLoss() {
  LossOptions loss = options.loss;
  if (!loss.kind.empty())
    return loss;
  loss.kind = "output";
  module->walk([&](Operation *op) {
    if (auto entropy = dyn_cast<graph::CrossEntropyOp>(op)) {
      loss.kind = "cross-entropy";
      loss.axis = entropy.getAxis();
    }
  });
  return loss;
}

bool Compilation::package() {
  std::vector<KernelBinary> binaries;
  if (options.hasTarget("cpu") && !generateCpu(binaries))
    return false;
  if (options.hasTarget("cuda") && !generateCuda(binaries))
    return false;
  double begin = now();
  LossScaleOptions scale = options.resolvedLossScale();
  PackageDescription description;
  description.producer = "amp " AMP_VERSION;
  description.model = llvm::sys::path::filename(options.model).str();
  description.precision = options.resolvedPrecision();
  description.optimizer = options.optimizer.canonical();
  description.loss = decidedLoss().canonical();
  description.nonfinite = options.nonfinite;
  description.learningRate = options.optimizer.lr;
  description.lossScaling.dynamic = scale.kind == "dynamic";
  description.lossScaling.init = scale.init;
  description.lossScaling.growth = scale.growth;
  description.lossScaling.backoff = scale.backoff;
  description.lossScaling.interval = scale.interval;
  description.lossScaling.min = scale.min;
  description.lossScaling.max = scale.max;
  runtime::Status status = writePackage(*module, description, binaries, runtime::posixFileSystem(), options.output);
  if (!status.isOk())
    return fail(status.code() == runtime::StatusCode::Internal ? 2 : 1, status.message());
  summarizeStage("package", begin, {});
  return true;
}

CompileResult Compilation::run() {
  double begin = now();
  auto emits = [&](llvm::StringRef stage) { return options.emit == stage.str(); };
  auto work = [&] {
    // What is missing is said before the work, not after it.
    if (options.emit.empty() && options.hasTarget("cuda"))
      if (std::string missing = checkNvrtc(options.nvrtc); !missing.empty())
        return fail(1, missing);
    if (!import())
      return false;
    if (emits("import"))
      return emitText();
    for (const Stage &stage : stages()) {
      if (!runStage(stage))
        return false;
      if (emits(stage.name))
        return emitText();
    }
    if (emits("llvm"))
      return succeeded(emitLlvm(*module, cpuOptions(), result.text)) || fail(2, "");
    if (emits("cuda")) {
      result.text = emitCuda(*module).source();
      return true;
    }
    return package();
  };
  work();
  result.seconds = now() - begin;
  return std::move(result);
}

} // namespace

CompileResult amp::compiler::compile(const CompileOptions &options) {
  return Compilation(options).run();
}

const std::vector<std::string> &amp::compiler::emitStages() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = {"import"};
    for (const Stage &stage : stages())
      list.push_back(stage.name.str());
    list.push_back("llvm");
    list.push_back("cuda");
    return list;
  }();
  return names;
}
