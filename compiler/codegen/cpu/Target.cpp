// The processor that kernels are compiled for.
#include "compiler/codegen/cpu/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace amp::compiler;

std::unique_ptr<llvm::TargetMachine> amp::compiler::createMachine(Location location, const CpuOptions &options) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target) {
    emitError(location) << "LLVM has no target '" << triple.str() << "': " << reason;
    return nullptr;
  }
  std::unique_ptr<llvm::MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(options.cpu)) {
    emitError(location) << "'" << options.cpu
                        << "' is not a CPU that LLVM knows for x86-64; use x86-64-v3, x86-64-v4 or "
                        << "a name of `llc -mcpu=help`";
    return nullptr;
  }
  auto level = options.optLevel >= 3   ? llvm::CodeGenOptLevel::Aggressive
               : options.optLevel == 0 ? llvm::CodeGenOptLevel::None
                                       : llvm::CodeGenOptLevel::Default;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, options.cpu, options.features, llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt, level));
}

CpuTarget amp::compiler::describe(const llvm::TargetMachine &machine) {
  const llvm::MCSubtargetInfo &info = *machine.getMCSubtargetInfo();
  CpuTarget target;
  target.lanes = info.checkFeatures("+avx512f,+avx512vl") ? 16 : info.checkFeatures("+avx2") ? 8 : 4;
  target.fma = info.checkFeatures("+fma");
  target.f16c = info.checkFeatures("+f16c");
  return target;
}

std::vector<std::string> amp::compiler::requiredFeatures(const CpuOptions &options) {
  // What compiled kernels can execute; x86-64 itself and what only system code uses are left out.
  static const char *const asked[] = {
      "avx",  "avx2", "avx512bf16", "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl", "avx512vnni", "bmi",
      "bmi2", "f16c", "fma",        "lzcnt",    "movbe",    "popcnt",   "sse3",    "sse4.1",   "sse4.2",     "ssse3"};
  MLIRContext context;
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  auto machine = createMachine(UnknownLoc::get(&context), options);
  std::vector<std::string> features;
  for (const char *name : asked)
    if (machine && machine->getMCSubtargetInfo()->checkFeatures(std::string("+") + name))
      features.push_back(name);
  return features;
}

CpuOptions amp::compiler::hostCpu() {
  CpuOptions options;
  options.cpu = llvm::sys::getHostCPUName().str();
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(features);
  options.features = llvm::join(features, ",");
  return options;
}
