// From the LLVM dialect to an object file.
#include "compiler/codegen/cpu/Lower.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace amp::compiler;

/// Loops stay loops: kernels are vectorised already, and a library has nothing to offer.
void amp::compiler::optimise(llvm::Module &code, llvm::TargetMachine &machine, unsigned level) {
  if (level == 0)
    return;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  // No loop may become a call of memset or memcpy: the shared object has no undefined symbol.
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  auto optimisation = level == 1   ? llvm::OptimizationLevel::O1
                      : level == 2 ? llvm::OptimizationLevel::O2
                                   : llvm::OptimizationLevel::O3;
  builder.buildPerModuleDefaultPipeline(optimisation).run(code, modules);
}

std::unique_ptr<llvm::Module> amp::compiler::translate(ModuleOp code, llvm::LLVMContext &context,
                                                       llvm::TargetMachine &machine) {
  auto module = translateModuleToLLVMIR(code, context, "kernels");
  if (!module) {
    code.emitError("the code of the kernels did not translate to LLVM IR; please report this");
    return nullptr;
  }
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : *module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // Prefer the whole register: kernels choose their own widths.
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  return module;
}

std::string amp::compiler::emitObject(llvm::Module &code, llvm::TargetMachine &machine, SmallVectorImpl<char> &object) {
  for (const llvm::Function &function : code)
    if (function.isDeclaration() && !function.isIntrinsic())
      return "the code of the kernels calls '" + function.getName().str() +
             "', which no package has; please report this";
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return "LLVM emits no object files for '" + machine.getTargetTriple().str() + "'";
  passes.run(code);
  return {};
}
