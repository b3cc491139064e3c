// Compiles the emit rule of one op: to LLVM, with what the compiler expands, and into this process.
#include "test/dialects/graph/EmitFixture.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/Support/TargetSelect.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace amp;
using namespace amp::test;
using graph::ReferenceTensor;

Type amp::test::storage(Type element) {
  Type compute = graph::computeType(element);
  return compute.isInteger(1) ? IntegerType::get(element.getContext(), 8) : compute;
}

Emit::Emit() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  DialectRegistry registry;
  registry.insert<graph::GraphDialect, train::TrainDialect, arith::ArithDialect, math::MathDialect, func::FuncDialect,
                  memref::MemRefDialect, vector::VectorDialect, LLVM::LLVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

Value Emit::load(OpBuilder &builder, Value argument, Value operand) {
  Location loc = builder.getUnknownLoc();
  Type element = getElementTypeOrSelf(operand), stored = storage(element);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value value = isScalar(operand)
                    ? Value(memref::LoadOp::create(builder, loc, argument, zero))
                    : Value(vector::LoadOp::create(builder, loc, VectorType::get(lanes, stored), argument, zero));
  if (!element.isInteger(1))
    return value;
  return graph::Lanes(builder, loc)
      .compare(arith::CmpIPredicate::ne, value, graph::Lanes(builder, loc).integer(value, 0));
}

void Emit::store(OpBuilder &builder, Value argument, Value value) {
  Location loc = builder.getUnknownLoc();
  if (getElementTypeOrSelf(value).isInteger(1))
    value = arith::ExtUIOp::create(builder, loc, graph::withElement(value.getType(), builder.getI8Type()), value);
  if (!isa<VectorType>(value.getType()))
    value = vector::BroadcastOp::create(builder, loc, VectorType::get(lanes, value.getType()), value);
  vector::StoreOp::create(builder, loc, value, argument,
                          ValueRange(arith::ConstantIndexOp::create(builder, loc, 0).getResult()));
}

OwningOpRef<ModuleOp> Emit::buildKernel() {
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> arguments;
  for (Value value : llvm::concat<Value>(SmallVector<Value>(op->getOperands()), SmallVector<Value>(op->getResults())))
    arguments.push_back(MemRefType::get(lanes, storage(getElementTypeOrSelf(value))));
  auto function = func::FuncOp::create(builder, loc, "kernel", builder.getFunctionType(arguments, {}));
  function->setAttr("llvm.emit_c_interface", builder.getUnitAttr());
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  SmallVector<Value> operands;
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    operands.push_back(load(builder, body->getArgument(index), operand));
  SmallVector<Value> results = cast<graph::EmitOpInterface>(op).emit(builder, operands);
  for (auto [index, result] : llvm::enumerate(results))
    store(builder, body->getArgument(op->getNumOperands() + index), result);
  func::ReturnOp::create(builder, loc);
  return module;
}

void Emit::compile(const std::vector<std::string> &types, const std::string &text) {
  std::string arguments, names;
  for (size_t i = 0; i < types.size(); ++i) {
    arguments += (i ? ", %arg" : "%arg") + std::to_string(i) + ": " + types[i];
    names += (i ? ", \"" : "\"") + std::to_string(i) + "\"";
  }
  source = parseSourceString<ModuleOp>("train.program @f derive inputs [" + names + "] outputs [] (" + arguments +
                                           ") {\n" + text + "\ntrain.return\n}",
                                       &context);
  ASSERT_TRUE(source) << text;
  auto program = *source->getOps<train::ProgramOp>().begin();
  op = program.getReturn()->getPrevNode();
  OwningOpRef<ModuleOp> module = buildKernel();
  PassManager passes(&context);
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  RewritePatternSet patterns(&context);
  MathPolynomialApproximationOptions approximation;
  populateMathPolynomialApproximationPatterns(patterns, approximation);
  ASSERT_TRUE(succeeded(applyPatternsGreedily(*module, std::move(patterns))));
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  ASSERT_TRUE(succeeded(passes.run(*module)));
  auto built = ExecutionEngine::create(*module);
  ASSERT_TRUE(static_cast<bool>(built)) << llvm::toString(built.takeError());
  engine = std::move(*built);
}

void Emit::run(std::vector<Buffer> &operands, std::vector<Buffer> &results) {
  results.assign(op->getNumResults(), Buffer());
  std::vector<void *> descriptors, packed;
  for (std::vector<Buffer> *list : {&operands, &results})
    for (Buffer &buffer : *list) {
      buffer.descriptor.allocated = buffer.descriptor.aligned = buffer.bytes;
      descriptors.push_back(&buffer.descriptor);
    }
  for (void *&descriptor : descriptors)
    packed.push_back(&descriptor);
  ASSERT_FALSE(static_cast<bool>(engine->invokePacked("_mlir_ciface_kernel", packed)));
}

void Emit::run(std::vector<Buffer> &operands, std::vector<Buffer> &results, SmallVectorImpl<ReferenceTensor> &wanted) {
  run(operands, results);
  SmallVector<ReferenceTensor> inputs;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    ReferenceTensor tensor(cast<RankedTensorType>(op->getOperand(i).getType()));
    for (int64_t lane = 0; lane < tensor.size(); ++lane) {
      if (tensor.isFloat())
        tensor.floats[lane] = operands[i].real(lane, operandElement(i));
      else
        tensor.integers[lane] = operands[i].integer(lane, operandElement(i));
    }
    inputs.push_back(std::move(tensor));
  }
  wanted.clear();
  ASSERT_TRUE(succeeded(cast<graph::ReferenceOpInterface>(op).evaluate(inputs, wanted)));
}

double amp::test::ulps(float got, double wanted) {
  if (std::isnan(wanted) || std::isnan(got))
    return std::isnan(wanted) && std::isnan(got) ? 0 : HUGE_VAL;
  auto rounded = static_cast<float>(wanted);
  if (rounded == got)
    return 0;
  if (std::isinf(rounded) || std::isinf(got))
    return HUGE_VAL;
  double unit = std::ldexp(1.0, std::max(-149, std::ilogb(wanted) - 23));
  return std::fabs(static_cast<double>(got) - wanted) / unit;
}

double Emit::worstError(double low, double high, int count, unsigned result) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> draw(low, high);
  double worst = 0;
  for (int round = 0; round < count; round += lanes) {
    std::vector<Buffer> operands(op->getNumOperands()), results;
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      for (int64_t lane = 0; lane < lanes; ++lane)
        operands[i].set(lane, operandElement(i), draw(random), static_cast<int64_t>(draw(random)));
    SmallVector<ReferenceTensor> wanted;
    run(operands, results, wanted);
    for (int64_t lane = 0; lane < wanted[result].size(); ++lane)
      worst = std::max(worst, ulps(results[result].get<float>(lane), wanted[result].floats[lane]));
  }
  return worst;
}
