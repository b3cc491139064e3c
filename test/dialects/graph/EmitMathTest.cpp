// Emit rules of functions, powers, extrema and conditions, against the oracle of the same op.
#include "test/dialects/graph/EmitFixture.h"

#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace amp;
using namespace amp::test;
using graph::ReferenceTensor;

static const std::string vectorType = "tensor<8xf32>";
static const double infinity = HUGE_VAL, notANumber = std::nan("");

static std::string unary(const std::string &op) {
  return "%y = graph." + op + " : " + vectorType + " -> " + vectorType;
}
static std::string binary(const std::string &op, const std::string &type = "8xf32", const std::string &result = "") {
  std::string operand = "tensor<" + type + ">";
  return "%y = graph." + op + " %arg0, %arg1 : (" + operand + ", " + operand + ") -> tensor<" +
         (result.empty() ? type : result) + ">";
}

TEST_F(Emit, FunctionsAreWithinTheirBound) {
  struct Function {
    const char *text;
    double low, high, bound;
  };
  const Function functions[] = {{"erf %arg0", -5, 5, 1.01},
                                {"erf %arg0", -1, 1, 1.01},
                                {"erf %arg0", -1e-30, 1e-30, 1.5},
                                {"abs %arg0", -3, 3, 0},
                                {"reciprocal %arg0", -9, 9, 0.51},
                                {"gelu %arg0", 0, 9, 2.5},
                                {"gelu %arg0 {approximate = true}", -3, 9, 20}};
  for (const Function &function : functions) {
    SCOPED_TRACE(function.text);
    compile({vectorType}, unary(function.text));
    ASSERT_TRUE(engine);
    EXPECT_LE(worstError(function.low, function.high, 40000), function.bound);
  }
}

namespace {
class EmitDistance : public Emit {
protected:
  /// Largest distance of result 0 from the oracle where operand i lies in [-reach, reach].
  double worstDistance(double reach, int count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> draw(-reach, reach);
    double worst = 0;
    for (int round = 0; round < count; round += lanes) {
      std::vector<Buffer> operands(op->getNumOperands()), results;
      for (unsigned i = 0; i < operands.size(); ++i)
        for (int64_t lane = 0; lane < lanes; ++lane)
          operands[i].set(lane, operandElement(i), draw(random), 0);
      SmallVector<ReferenceTensor> wanted;
      run(operands, results, wanted);
      for (int64_t lane = 0; lane < lanes; ++lane)
        worst = std::max(worst, std::fabs(results[0].get<float>(lane) - wanted[0].floats[lane]));
    }
    return worst;
  }

  /// The results at eight pairs of operands, one result each.
  void expectPairs(const std::vector<std::pair<double, double>> &pairs, double bound) {
    for (size_t first = 0; first < pairs.size(); first += lanes) {
      std::vector<Buffer> operands(op->getNumOperands()), results;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        auto [x, y] = pairs[std::min(first + lane, pairs.size() - 1)];
        operands[0].set(lane, operandElement(0), x, int64_t(x));
        if (operands.size() > 1)
          operands[1].set(lane, operandElement(1), y, int64_t(y));
      }
      SmallVector<ReferenceTensor> wanted;
      run(operands, results, wanted);
      for (int64_t lane = 0; lane < lanes; ++lane)
        expectEqual(results[0], wanted[0], lane, bound, pairs[std::min(first + lane, pairs.size() - 1)]);
    }
  }

private:
  void expectEqual(const Buffer &seen, const ReferenceTensor &wanted, int64_t lane, double bound,
                   std::pair<double, double> at) {
    if (!wanted.isFloat()) {
      EXPECT_EQ(seen.integer(lane, resultElement(0)), wanted.integers[lane]) << "at " << at.first << ", " << at.second;
      return;
    }
    float got = seen.get<float>(lane);
    EXPECT_LE(ulps(got, wanted.floats[lane]), bound)
        << "at " << at.first << ", " << at.second << ": " << got << ", wants " << wanted.floats[lane];
    bool underflows = got == 0 && wanted.floats[lane] != 0;
    if (std::isnan(got) || underflows)
      return;
    EXPECT_EQ(std::signbit(got), std::signbit(wanted.floats[lane])) << "at " << at.first << ", " << at.second;
  }
};

std::vector<std::pair<double, double>> allPairs(const std::vector<double> &values) {
  std::vector<std::pair<double, double>> pairs;
  for (double x : values)
    for (double y : values)
      pairs.emplace_back(x, y);
  return pairs;
}

const std::vector<double> corners = {notANumber, infinity, -infinity, 0.0, -0.0,      1,          -1,      2,
                                     -2,         3,        -3,        0.5, -0.5,      1.5,        -1.5,    1e-45,
                                     3e38,       -3e38,    8388607,   1e7, -16777215, 16777216.0, 1.00001, 0.99999};
} // namespace

// What is near 0 has few good digits left of 1 - 1: the distance counts, as in PyTorch's.
TEST_F(EmitDistance, GeluAndItsGradientAreWithinADistance) {
  for (const char *kind : {"false", "true"}) {
    SCOPED_TRACE(kind);
    std::string attributes = std::string("{approximate = ") + kind + "}";
    compile({vectorType}, unary("gelu %arg0 " + attributes));
    ASSERT_TRUE(engine);
    EXPECT_LE(worstDistance(6, 40000), 1e-6);
    compile({vectorType, vectorType}, "%y = graph.gelu_grad %arg0, %arg1 " + attributes + " : " + vectorType + ", " +
                                          vectorType + " -> " + vectorType);
    ASSERT_TRUE(engine);
    EXPECT_LE(worstDistance(6, 40000), 4e-6);
    expectPairs({{1, 1e30}, {1, -1e30}, {1, 3e38}, {1, notANumber}, {2, 0.0}, {1, 20}, {1, -20}, {1, -200}}, 2);
  }
}

TEST_F(EmitDistance, PowersAreWithinAnUlp) {
  compile({vectorType, vectorType}, binary("pow"));
  ASSERT_TRUE(engine);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> exponent(-100, 100), base(-3, 3), wide(-44.8, 38.5);
  std::vector<std::pair<double, double>> pairs;
  for (int i = 0; i < 80000; ++i) {
    float x = i % 2 ? std::pow(10, wide(random)) : std::fabs(base(random));
    float y = i % 2 ? exponent(random) / 30 : exponent(random);
    pairs.emplace_back(x, y);
  }
  expectPairs(pairs, 0.75);
}

TEST_F(EmitDistance, PowersHaveTheCornersOfC) {
  compile({vectorType, vectorType}, binary("pow"));
  ASSERT_TRUE(engine);
  expectPairs(allPairs(corners), 0.75);
}

TEST_F(EmitDistance, KnownExponentsTakeAShortWay) {
  for (double exponent : {0.0, 1.0, 2.0, 3.0, 0.5, -0.5, -1.0, -2.0, 2.5}) {
    SCOPED_TRACE(exponent);
    compile({vectorType}, "%e = graph.constant dense<" + std::to_string(exponent) + "> : tensor<f32>\n" +
                              "%y = graph.pow %arg0, %e : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>");
    ASSERT_TRUE(engine);
    std::vector<std::pair<double, double>> pairs;
    for (double x : {notANumber, infinity, 0.0, -0.0, 1.0, 1.5, 3e38, 7.25, 1e-3, 12345.678})
      pairs.emplace_back(x, exponent);
    if (exponent != 0.5 && exponent != -0.5) // a root of what is negative is no number, of -infinity too
      pairs.insert(pairs.end(), {{-infinity, exponent}, {-2.5, exponent}, {-1e-3, exponent}});
    expectPairs(pairs, 1.5);
  }
}

TEST_F(EmitDistance, ExtremaKeepNaN) {
  for (const char *op : {"min", "max"}) {
    SCOPED_TRACE(op);
    compile({vectorType, vectorType}, binary(op));
    ASSERT_TRUE(engine);
    expectPairs(allPairs({notANumber, infinity, -infinity, 0.0, 1, -1, 2, 1e-45}), 0);
    compile({"tensor<8xi32>", "tensor<8xi32>"}, binary(op, "8xi32"));
    ASSERT_TRUE(engine);
    expectPairs(allPairs({0, 1, -1, 7, -7, 2147483647, -2147483648.0}), 0);
  }
}

TEST_F(EmitDistance, IntegerPowersWrapAndTruncate) {
  for (const char *type : {"8xi32", "8xi64"}) {
    SCOPED_TRACE(type);
    std::string tensor = std::string("tensor<") + type + ">";
    compile({tensor, tensor}, binary("pow", type));
    ASSERT_TRUE(engine);
    expectPairs(allPairs({0, 1, -1, 2, -2, 3, -3, 5, 33, 63, -63, 64}), 0);
  }
}

TEST_F(EmitDistance, ConditionsAndMagnitudes) {
  for (const char *op : {"logical_and", "logical_or"}) {
    compile({"tensor<8xi1>", "tensor<8xi1>"}, binary(op, "8xi1"));
    ASSERT_TRUE(engine);
    expectPairs(allPairs({0, 1}), 0);
  }
  compile({"tensor<8xi1>"}, "%y = graph.logical_not %arg0 : tensor<8xi1> -> tensor<8xi1>");
  ASSERT_TRUE(engine);
  expectPairs({{0, 0}, {1, 0}}, 0);
  compile({vectorType}, "%y = graph.is_nan %arg0 : tensor<8xf32> -> tensor<8xi1>");
  ASSERT_TRUE(engine);
  expectPairs({{notANumber, 0}, {infinity, 0}, {0, 0}, {-1, 0}}, 0);
  compile({"tensor<8xi64>"}, "%y = graph.abs %arg0 : tensor<8xi64> -> tensor<8xi64>");
  ASSERT_TRUE(engine);
  expectPairs({{-7, 0}, {7, 0}, {0, 0}}, 0);
  compile({vectorType}, unary("erf %arg0"));
  ASSERT_TRUE(engine);
  expectPairs({{notANumber, 0}, {infinity, 0}, {-infinity, 0}, {0.0, 0}, {-0.0, 0}, {1e-45, 0}, {3e38, 0}, {-3e38, 0}},
              1);
}

// A scalar operand meets a vector in either place.
TEST_F(EmitDistance, ScalarsBroadcast) {
  for (const char *op : {"pow", "min", "max"}) {
    SCOPED_TRACE(op);
    compile({vectorType, "tensor<f32>"},
            std::string("%y = graph.") + op + " %arg0, %arg1 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>");
    ASSERT_TRUE(engine);
    expectPairs({{0.5, 1.25}, {1, 1.25}, {1.25, 1.25}, {3, 1.25}, {7, 1.25}, {0, 1.25}, {2, 1.25}, {9, 1.25}}, 0.75);
    compile({"tensor<f32>", vectorType},
            std::string("%y = graph.") + op + " %arg0, %arg1 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>");
    ASSERT_TRUE(engine);
    expectPairs({{1.25, 0.5}, {1.25, 1}, {1.25, 1.25}, {1.25, 3}, {1.25, 7}, {1.25, 0}, {1.25, -2}, {1.25, 9}}, 0.75);
  }
}
