// Emit rules, compiled and run eight lanes at a time, against the double-precision oracle of the same op.
#include "test/dialects/graph/EmitFixture.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace amp;
using namespace amp::test;
using graph::ReferenceTensor;

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

// The processor would stop the program: n / 0 is 0, and the least number by -1 wraps.
TEST_F(Emit, IntegerDivisionNeverStops) {
  compile({"tensor<8xi64>", "tensor<8xi64>"},
          "%y = graph.div %arg0, %arg1 : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi64>");
  ASSERT_TRUE(engine);
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  const int64_t left[lanes] = {7, 0, -7, least, least, 7, 8, least}, right[lanes] = {0, 0, 0, -1, 0, -1, 3, 1};
  const int64_t wanted[lanes] = {0, 0, 0, least, 0, -7, 2, least};
  std::vector<Buffer> operands(2), results;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    operands[0].set(lane, operandElement(0), 0, left[lane]);
    operands[1].set(lane, operandElement(1), 0, right[lane]);
  }
  run(operands, results);
  for (int64_t lane = 0; lane < lanes; ++lane)
    EXPECT_EQ(results[0].integer(lane, resultElement(0)), wanted[lane]) << "lane " << lane;
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
