// The way of the kernels of a plan: emit, lower, translate, optimise, object, shared object.
#include "compiler/codegen/cpu/Codegen.h"

#include "compiler/codegen/cpu/KernelEmitter.h"
#include "compiler/codegen/cpu/Lower.h"

#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"
#include "dialects/train/Train.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

void amp::compiler::registerCpuCodegen(DialectRegistry &registry) {
  registry
      .insert<graph::GraphDialect, train::TrainDialect, plan::PlanDialect, arith::ArithDialect, cf::ControlFlowDialect,
              LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

static bool isGenerated(plan::KernelOp kernel) {
  return llvm::any_of(kernel.getSteps(), [](Attribute step) { return isa<plan::GeneratedAttr>(step); });
}

/// Emits the kernels into one module and brings it to LLVM IR, not optimised. Gives null after an error.
static std::unique_ptr<llvm::Module> translateKernels(ModuleOp module, ArrayRef<plan::KernelOp> kernels,
                                                      llvm::TargetMachine &machine, llvm::LLVMContext &context) {
  CpuTarget target = describe(machine);
  MLIRContext *mlirContext = module.getContext();
  mlirContext->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, LLVM::LLVMDialect, math::MathDialect,
                           scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  // Locations would carry names of files into the code: they stay behind.
  ImplicitLocOpBuilder builder(UnknownLoc::get(mlirContext), mlirContext);
  OwningOpRef<ModuleOp> code = ModuleOp::create(builder.getLoc());
  for (plan::KernelOp kernel : kernels) {
    for (Attribute step : kernel.getSteps()) {
      auto generated = dyn_cast<plan::GeneratedAttr>(step);
      builder.setInsertionPointToEnd(code->getBody());
      if (generated && failed(KernelEmitter(builder, kernel, generated, target).emit()))
        return nullptr;
    }
  }
  if (failed(lowerToLlvm(*code, target))) {
    module.emitError("the code of the kernels did not lower to LLVM; please report this");
    return nullptr;
  }
  return translate(*code, context, machine);
}

static SmallVector<plan::KernelOp> generatedKernels(ModuleOp module) {
  return llvm::to_vector(llvm::make_filter_range(module.getOps<plan::KernelOp>(), isGenerated));
}

namespace {

/// Kernels that one thread optimises and turns into an object file: nine tenths of the time of a compilation.
struct Part {
  std::unique_ptr<llvm::TargetMachine> machine;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code;
  SmallVector<char, 0> object;
  std::string error;

  void compile(unsigned optLevel) {
    optimise(*code, *machine, optLevel);
    error = emitObject(*code, *machine, object);
  }
};

/// How many parts, whatever the number of cores: the bytes of a package must not depend on the machine's.
constexpr size_t kParts = 8;

} // namespace

LogicalResult amp::compiler::emitKernels(ModuleOp module, const CpuOptions &options,
                                         SmallVectorImpl<char> &sharedObject) {
  sharedObject.clear();
  SmallVector<plan::KernelOp> kernels = generatedKernels(module);
  if (kernels.empty())
    return success();
  std::vector<Part> parts(std::min(kParts, kernels.size()));
  // MLIR's part stays on this thread; each part has an LLVM context of its own.
  for (auto [number, part] : llvm::enumerate(parts)) {
    SmallVector<plan::KernelOp> share;
    for (size_t kernel = number; kernel < kernels.size(); kernel += parts.size())
      share.push_back(kernels[kernel]);
    part.machine = createMachine(module.getLoc(), options);
    part.code = part.machine ? translateKernels(module, share, *part.machine, part.context) : nullptr;
    if (!part.code)
      return failure();
  }
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency());
  for (Part &part : parts)
    pool.async([&part, &options] { part.compile(options.optLevel); });
  pool.wait();
  std::vector<ArrayRef<char>> objects;
  for (Part &part : parts) {
    if (!part.error.empty())
      return module.emitError(part.error);
    objects.push_back(part.object);
  }
  return linkShared(module.getLoc(), objects, sharedObject);
}

LogicalResult amp::compiler::emitLlvm(ModuleOp module, const CpuOptions &options, std::string &text) {
  auto machine = createMachine(module.getLoc(), options);
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  auto code = translateKernels(module, generatedKernels(module), *machine, context);
  if (!code)
    return failure();
  optimise(*code, *machine, options.optLevel);
  llvm::raw_string_ostream stream(text);
  code->print(stream, nullptr);
  return success();
}
