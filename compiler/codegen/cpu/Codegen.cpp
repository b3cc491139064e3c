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
#include "llvm/Support/raw_ostream.h"

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

/// Emits all kernels into one module and brings it to LLVM IR. Gives null after an error.
static std::unique_ptr<llvm::Module> compileKernels(ModuleOp module, const CpuOptions &options,
                                                    llvm::TargetMachine &machine, llvm::LLVMContext &context) {
  CpuTarget target = describe(machine);
  MLIRContext *mlirContext = module.getContext();
  mlirContext->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, LLVM::LLVMDialect, math::MathDialect,
                           scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  // Locations would carry names of files into the code: they stay behind.
  ImplicitLocOpBuilder builder(UnknownLoc::get(mlirContext), mlirContext);
  OwningOpRef<ModuleOp> code = ModuleOp::create(builder.getLoc());
  for (plan::KernelOp kernel : module.getOps<plan::KernelOp>()) {
    if (!isGenerated(kernel))
      continue;
    builder.setInsertionPointToEnd(code->getBody());
    if (failed(KernelEmitter(builder, kernel, target).emit()))
      return nullptr;
  }
  if (failed(lowerToLlvm(*code, target))) {
    module.emitError("the code of the kernels did not lower to LLVM; please report this");
    return nullptr;
  }
  return translate(*code, context, machine, options.optLevel);
}

LogicalResult amp::compiler::emitKernels(ModuleOp module, const CpuOptions &options,
                                         SmallVectorImpl<char> &sharedObject) {
  sharedObject.clear();
  if (llvm::none_of(module.getOps<plan::KernelOp>(), isGenerated))
    return success();
  auto machine = createMachine(module.getLoc(), options);
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  auto code = compileKernels(module, options, *machine, context);
  SmallVector<char, 0> object;
  if (!code || failed(emitObject(module.getLoc(), *code, *machine, object)))
    return failure();
  return linkShared(module.getLoc(), object, sharedObject);
}

LogicalResult amp::compiler::emitLlvm(ModuleOp module, const CpuOptions &options, std::string &text) {
  auto machine = createMachine(module.getLoc(), options);
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  auto code = compileKernels(module, options, *machine, context);
  if (!code)
    return failure();
  llvm::raw_string_ostream stream(text);
  code->print(stream, nullptr);
  return success();
}
