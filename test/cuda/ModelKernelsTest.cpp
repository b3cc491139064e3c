// The kernels of whole models that have CUDA code, as the pipeline plans them: on the emulator they equal the
// reference, and what the same plan's code for the CPU gives.
#include "compiler/codegen/cpu/Codegen.h"
#include "compiler/import/onnx/Import.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/pipeline/Stages.h"
#include "runtime/device/cpu/CpuBinary.h"
#include "test/cuda/EmulatedKernels.h"

#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace amp;
using namespace amp::test;

namespace {

/// The model's plan for both targets.
struct Plan {
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;

  explicit Plan(compiler::CompileOptions options, const std::string &model = "mlp_mnist", int64_t batch = 32) {
    DialectRegistry registry;
    compiler::registerAmp(registry);
    context.appendDialectRegistry(registry);
    options.targets = {"cpu", "cuda"};
    compiler::ImportOptions import;
    import.batch = {batch};
    std::vector<std::string> errors;
    module = compiler::importOnnx(context, "test/models/" + model + ".ts.train.dyn.onnx", import, errors);
    for (const std::string &error : errors)
      ADD_FAILURE() << error;
    for (const compiler::Stage &stage : compiler::stages()) {
      PassManager passes(&context);
      stage.addPasses(passes, options);
      if (!module || failed(passes.run(*module)))
        module = nullptr;
    }
  }
};

std::set<std::string> rootsOf(plan::KernelOp kernel) {
  std::set<std::string> names;
  for (Operation &op : kernel.getBody().front())
    names.insert(op.getName().getStringRef().str());
  return names;
}

/// The code of the plan for this CPU.
class CpuKernels {
public:
  explicit CpuKernels(ModuleOp module) {
    SmallVector<char> code;
    EXPECT_TRUE(succeeded(compiler::emitKernels(module, compiler::hostCpu(), code)));
    auto loaded = runtime::CpuBinary::load({reinterpret_cast<const uint8_t *>(code.data()), code.size()});
    EXPECT_TRUE(loaded.isOk()) << loaded.status().text();
    binary = std::move(*loaded);
  }

  std::vector<Tensor> run(plan::KernelOp kernel, const std::vector<Tensor> &inputs) const {
    KernelArguments arguments(kernel, inputs);
    auto step = cast<plan::GeneratedAttr>(kernel.getSteps()[0]);
    auto function = binary->kernel(plan::generatedSymbol(kernel, step));
    EXPECT_TRUE(function.isOk());
    std::vector<char> workspace(size_t(kernel.getWorkspace()) + 64);
    char *aligned = workspace.data() + (64 - reinterpret_cast<uintptr_t>(workspace.data()) % 64) % 64;
    for (int64_t tile = 0; tile < int64_t(kernel.getTiles()); ++tile)
      (*function)(arguments.pointers().data(), tile, aligned);
    return arguments.results();
  }

private:
  std::unique_ptr<runtime::CpuBinary> binary;
};

/// Whether no op of the kernel sums: then both targets compute each element by the same operations.
bool isElementwise(plan::KernelOp kernel) {
  return llvm::all_of(kernel.getBody().front().without_terminator(), [](Operation &op) {
    return cast<graph::FusionOpInterface>(op).getFusionClass() == graph::FusionClass::Elementwise;
  });
}

/// Checks every kernel with CUDA code, and gives the names of their ops. `tolerance` is the reference's, which rounds
/// between the ops of a kernel; the code for the CPU does not.
void checkKernels(Plan &plan, std::set<std::string> &covered, double tolerance) {
  compiler::CudaCode code = compiler::emitCuda(*plan.module);
  EmulatedKernels kernels(code.source());
  ASSERT_TRUE(kernels.compiled());
  CpuKernels cpu(*plan.module);
  for (const compiler::CudaKernel &made : code.kernels) {
    auto kernel = plan.module->lookupSymbol<plan::KernelOp>(made.name);
    covered.merge(rootsOf(kernel));
    std::vector<Tensor> inputs = randomInputs(kernel, 5, 10);
    expectRight(kernels, kernel, made.blocks, inputs, tolerance);
    SCOPED_TRACE(made.name + " on the CPU");
    std::vector<Tensor> got = kernels.run(kernel, made.blocks, inputs, simt::Order::Forward).results;
    if (isElementwise(kernel))
      expectSame(got, cpu.run(kernel, inputs));
    else
      expectNear(got, cpu.run(kernel, inputs), 1e-6);
  }
}

void checkMlp(const std::string &precision, const std::string &optimizer) {
  compiler::CompileOptions options;
  options.precision = precision;
  EXPECT_EQ(compiler::parseOptimizer(optimizer, options.optimizer), "");
  Plan plan(options);
  ASSERT_TRUE(plan.module);
  std::set<std::string> covered;
  checkKernels(plan, covered, 2e-6);
  // Everything but the matrix products, and with it the list: elementwise, a reduction, the optimizer.
  for (const compiler::CudaRefusal &refused : compiler::emitCuda(*plan.module).refused)
    EXPECT_EQ(refused.reason, "graph.matmul has no CUDA code yet") << refused.name;
  for (const char *op :
       {"graph.reduce_sum", "graph.cross_entropy", "graph.cross_entropy_grad", "train.sum_squares", "train.measure"})
    EXPECT_TRUE(covered.count(op)) << op;
  EXPECT_TRUE(covered.count(optimizer.compare(0, 3, "sgd") == 0 ? "train.sgd" : "train.adam"));
}

TEST(CudaMlp, Bf16WithAdamW) {
  checkMlp("bf16", "adamw:lr=1e-3,eps=1e-4");
}
TEST(CudaMlp, Fp16WithMomentum) {
  checkMlp("fp16", "sgd:lr=0.05,momentum=0.9,nesterov=true,weight-decay=1e-4");
}
TEST(CudaMlp, Fp32WithAdam) {
  checkMlp("fp32", "adam:weight-decay=0.01");
}

// What their networks have beside: images, masks, broadcasts of several axes, activations of transformers.
TEST(CudaModels, ResidualNetworkAndTransformer) {
  for (auto [model, precision, tolerance] :
       {std::tuple{"resnet8_cifar", "fp16", 0x1p-9}, {"nano_gpt", "bf16", 0x1p-6}}) {
    SCOPED_TRACE(model);
    compiler::CompileOptions options;
    options.precision = precision;
    Plan plan(options, model, 1);
    ASSERT_TRUE(plan.module);
    std::set<std::string> covered;
    checkKernels(plan, covered, tolerance);
    EXPECT_TRUE(covered.count(model == std::string("nano_gpt") ? "graph.softmax" : "graph.normalize"));
  }
}

TEST(CudaMlp, TextIsTheSameTwice) {
  compiler::CompileOptions options;
  Plan first(options), second(options);
  ASSERT_TRUE(first.module && second.module);
  EXPECT_EQ(compiler::emitCuda(*first.module).source(), compiler::emitCuda(*second.module).source());
}

} // namespace
