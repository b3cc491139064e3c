// Emit rules, compiled and run eight lanes at a time, against the double-precision oracle of the same op.
#include "dialects/graph/interfaces/Lanes.h"
#include "dialects/train/Train.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;
using namespace amp;
using graph::ReferenceTensor;

namespace {

constexpr int64_t lanes = 8;

/// What a value of an element type is in the memory of the test: its compute type; i1 is a byte.
Type storage(Type element) {
  Type compute = graph::computeType(element);
  return compute.isInteger(1) ? IntegerType::get(element.getContext(), 8) : compute;
}

/// Eight values of one operand or result, as raw bytes.
struct Buffer {
  alignas(64) char bytes[lanes * 8] = {};
  // A memref descriptor of rank 1.
  struct {
    void *allocated, *aligned;
    int64_t offset, size, stride;
  } descriptor = {bytes, bytes, 0, lanes, 1};

  void set(int64_t lane, Type element, double real, int64_t integer) { write(lane, storage(element), real, integer); }
  template <typename T> T get(int64_t lane) const {
    T value;
    std::memcpy(&value, bytes + lane * sizeof(T), sizeof(T));
    return value;
  }
  double real(int64_t lane, Type element) const {
    if (!isa<FloatType>(element))
      return static_cast<double>(integer(lane, element));
    return storage(element).isF64() ? get<double>(lane) : get<float>(lane);
  }
  int64_t integer(int64_t lane, Type element) const {
    switch (storage(element).getIntOrFloatBitWidth()) {
    case 8:
      return get<int8_t>(lane);
    case 32:
      return get<int32_t>(lane);
    default:
      return get<int64_t>(lane);
    }
  }

private:
  template <typename T> void put(int64_t lane, T value) { std::memcpy(bytes + lane * sizeof(T), &value, sizeof(T)); }
  void write(int64_t lane, Type type, double real, int64_t integer) {
    if (type.isF64())
      put<double>(lane, real);
    else if (type.isF32())
      put<float>(lane, static_cast<float>(real));
    else if (type.isInteger(64))
      put<int64_t>(lane, integer);
    else if (type.isInteger(32))
      put<int32_t>(lane, static_cast<int32_t>(integer));
    else
      put<int8_t>(lane, static_cast<int8_t>(integer));
  }
};

class Emit : public testing::Test {
protected:
  Emit() {
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

  /// Parses one op on tensors of eight elements (or scalars) whose operands are %0, %1, ... of the given types, and
  /// compiles it.
  void compile(const std::vector<std::string> &types, const std::string &text);
  /// Runs the compiled op on the buffers, and its oracle on what they hold.
  void run(std::vector<Buffer> &operands, std::vector<Buffer> &results, SmallVectorImpl<ReferenceTensor> &wanted);
  /// Largest error over `count` draws, in units of the last place of fp32.
  double worstError(double low, double high, int count, unsigned result = 0);

  Type operandElement(unsigned i) { return getElementTypeOrSelf(op->getOperand(i)); }
  Type resultElement(unsigned i) { return getElementTypeOrSelf(op->getResult(i)); }
  bool isScalar(Value value) { return cast<RankedTensorType>(value.getType()).getRank() == 0; }

  MLIRContext context;
  OwningOpRef<ModuleOp> source;
  Operation *op = nullptr;
  std::unique_ptr<ExecutionEngine> engine;

private:
  OwningOpRef<ModuleOp> buildKernel();
  Value load(OpBuilder &builder, Value argument, Value operand);
  void store(OpBuilder &builder, Value argument, Value value);
};

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
  op = &program.getBody().front().front();
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

void Emit::run(std::vector<Buffer> &operands, std::vector<Buffer> &results, SmallVectorImpl<ReferenceTensor> &wanted) {
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

double ulps(float got, double wanted) {
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

TEST_F(Emit, UnaryOpsAreWithinTheirBound) {
  struct Function {
    const char *name;
    double low, high, bound;
  };
  // The bound of tanh is that of MLIR's rational approximation.
  const Function functions[] = {{"relu", -3, 3, 0},     {"neg", -3, 3, 0},       {"sqrt", 0, 1e6, 0.51},
                                {"exp", -110, 90, 1.5}, {"exp", -1, 1, 1.5},     {"log", 0, 3, 1.5},
                                {"log", 0, 1e-38, 1.5}, {"log", 0.9, 1.1, 1.5},  {"sigmoid", -110, 110, 2.5},
                                {"tanh", -10, 10, 6},   {"tanh", -1e-3, 1e-3, 6}};
  for (const Function &function : functions) {
    SCOPED_TRACE(function.name);
    compile({"tensor<8xf32>"}, std::string("%y = graph.") + function.name + " %arg0 : tensor<8xf32> -> tensor<8xf32>");
    ASSERT_TRUE(engine);
    EXPECT_LE(worstError(function.low, function.high, 40000), function.bound);
  }
}

TEST_F(Emit, SpecialValuesKeepTheirMeaning) {
  const double infinity = HUGE_VAL, nan = std::nan("");
  const double inputs[lanes] = {nan, infinity, -infinity, 0.0, -0.0, 1e-45, 3e38, -3e38};
  for (const char *name : {"relu", "neg", "exp", "log", "sqrt", "sigmoid", "tanh"}) {
    SCOPED_TRACE(name);
    compile({"tensor<8xf32>"}, std::string("%y = graph.") + name + " %arg0 : tensor<8xf32> -> tensor<8xf32>");
    ASSERT_TRUE(engine);
    std::vector<Buffer> operands(1), results;
    for (int64_t lane = 0; lane < lanes; ++lane)
      operands[0].set(lane, operandElement(0), inputs[lane], 0);
    SmallVector<ReferenceTensor> wanted;
    run(operands, results, wanted);
    for (int64_t lane = 0; lane < lanes; ++lane)
      EXPECT_LE(ulps(results[0].get<float>(lane), wanted[0].floats[lane]), 2)
          << "at " << inputs[lane] << ": " << results[0].get<float>(lane) << ", wants " << wanted[0].floats[lane];
  }
}

TEST_F(Emit, BinaryAndGradientOpsRoundOnceAStep) {
  for (const char *name : {"add", "sub", "mul", "div"}) {
    SCOPED_TRACE(name);
    compile({"tensor<8xf32>", "tensor<8xf32>"},
            std::string("%y = graph.") + name + " %arg0, %arg1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>");
    ASSERT_TRUE(engine);
    EXPECT_LE(worstError(0.1, 3, 4000), 0.51);
  }
  for (const char *name : {"relu_grad", "tanh_grad", "sigmoid_grad"}) {
    SCOPED_TRACE(name);
    compile({"tensor<8xf32>", "tensor<8xf32>"},
            std::string("%y = graph.") + name + " %arg0, %arg1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>");
    ASSERT_TRUE(engine);
    EXPECT_LE(worstError(0.05, 0.9, 4000), 3);
  }
}

TEST_F(Emit, IntegersAndComparisons) {
  for (const char *text : {"graph.div %arg0, %arg1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi64>",
                           "graph.add %arg0, %arg1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi64>",
                           "graph.compare le %arg0, %arg1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi1>",
                           "graph.compare eq %arg0, %arg1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi1>"}) {
    SCOPED_TRACE(text);
    compile({"tensor<8xi64>", "tensor<8xi64>"}, std::string("%y = ") + text);
    ASSERT_TRUE(engine);
    std::vector<Buffer> operands(2), results;
    const int64_t left[lanes] = {-7, 7, -7, 7, 0, 3, -1, 1}, right[lanes] = {2, -2, -2, 2, 5, 3, 1, -1};
    for (int64_t lane = 0; lane < lanes; ++lane) {
      operands[0].set(lane, operandElement(0), 0, left[lane]);
      operands[1].set(lane, operandElement(1), 0, right[lane]);
    }
    SmallVector<ReferenceTensor> wanted;
    run(operands, results, wanted);
    for (int64_t lane = 0; lane < lanes; ++lane)
      EXPECT_EQ(results[0].integer(lane, resultElement(0)), wanted[0].integers[lane]) << "lane " << lane;
  }
}

// Every cast to 16 bits rounds like the oracle, ties, subnormals and overflow included.
TEST_F(Emit, CastsRoundToNearestEven) {
  for (const char *from : {"f32", "f64"})
    for (const char *to : {"bf16", "f16"}) {
      SCOPED_TRACE(std::string(from) + " to " + to);
      std::string type = std::string("tensor<8x") + from + ">";
      compile({type}, "%y = graph.cast %arg0 : " + type + " -> tensor<8x" + to + ">");
      ASSERT_TRUE(engine);
      std::mt19937_64 random(5);
      for (int round = 0; round < 4000; ++round) {
        std::vector<Buffer> operands(1), results;
        for (int64_t lane = 0; lane < lanes; ++lane) {
          // Random bits of a float, of which the last may be those of a tie.
          uint32_t word = static_cast<uint32_t>(random()) & (lane % 2 ? 0xffffffffu : 0xfffff000u);
          float value;
          std::memcpy(&value, &word, sizeof value);
          double wide = value;
          if (lane % 4 == 3)
            wide *= 1 + 1e-12;
          if (round == 0 && lane == 0)
            wide = HUGE_VAL;
          operands[0].set(lane, operandElement(0), wide, 0);
        }
        SmallVector<ReferenceTensor> wanted;
        run(operands, results, wanted);
        for (int64_t lane = 0; lane < lanes; ++lane)
          ASSERT_EQ(ulps(results[0].get<float>(lane), wanted[0].floats[lane]), 0)
              << operands[0].real(lane, operandElement(0)) << " became " << results[0].get<float>(lane) << ", wants "
              << wanted[0].floats[lane];
      }
    }
}

TEST_F(Emit, OptimizersAreWithinAFewUlps) {
  const std::string t = "tensor<8xf32>", s = "tensor<f32>", i = "tensor<i64>", d = "tensor<f64>";
  compile({t, t, s, i, t},
          "%p, %b = train.sgd %arg0, %arg1, %arg2, %arg3, %arg4 {momentum = 0.9 : f64, dampening = 0.1 : f64, "
          "weight_decay = 0.01 : f64, nesterov = true} : (" +
              t + ", " + t + ", " + s + ", " + i + ", " + t + ") -> (" + t + ", " + t + ")");
  ASSERT_TRUE(engine);
  EXPECT_LE(worstError(0.1, 0.9, 4000, 1), 3);
  compile({t, t, t, t, s, d, d}, "%p, %m, %v = train.adam %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6 {beta1 = 0.9 "
                                 ": f64, beta2 = 0.999 : f64, "
                                 "eps = 1.0e-8 : f64, weight_decay = 0.01 : f64, decoupled = true} : (" +
                                     t + ", " + t + ", " + t + ", " + t + ", " + s + ", " + d + ", " + d + ") -> (" +
                                     t + ", " + t + ", " + t + ")");
  ASSERT_TRUE(engine);
  EXPECT_LE(worstError(0.1, 0.9, 4000, 1), 3);
  EXPECT_LE(worstError(0.1, 0.9, 4000, 2), 3);
  compile({t, s}, "%y = train.unscale %arg0, %arg1 : (" + t + ", " + s + ") -> " + t);
  ASSERT_TRUE(engine);
  EXPECT_LE(worstError(1, 1000, 4000), 2);
}

TEST_F(Emit, LossScaleMovesAsTheOracle) {
  const std::string s = "tensor<f32>";
  compile(
      {s, "tensor<i32>", "tensor<i1>", s},
      "%s, %t = train.update_scale %arg0, %arg1, %arg2, %arg3 {growth = 2.0 : f64, backoff = 0.5 : f64, interval = 3 : "
      "i64, "
      "min = 1.0 : f64, max = 3.4028234663852886e38 : f64} : (tensor<f32>, tensor<i32>, tensor<i1>, tensor<f32>) -> "
      "(tensor<f32>, tensor<i32>)");
  ASSERT_TRUE(engine);
  for (double scale : {1.0, 8.0, 1.5, 2e38, 3.4028234663852886e38})
    for (int64_t tracker : {0, 1, 2})
      for (int64_t finite : {0, 1})
        for (double loss : {1.0, HUGE_VAL, std::nan("")}) {
          std::vector<Buffer> operands(4), results;
          operands[0].set(0, operandElement(0), scale, 0);
          operands[1].set(0, operandElement(1), 0, tracker);
          operands[2].set(0, operandElement(2), 0, finite);
          operands[3].set(0, operandElement(3), loss, 0);
          SmallVector<ReferenceTensor> wanted;
          run(operands, results, wanted);
          EXPECT_EQ(results[0].get<float>(0), static_cast<float>(wanted[0].floats[0]));
          EXPECT_EQ(results[1].get<int32_t>(0), wanted[1].integers[0]);
        }
}

} // namespace
