// Matrix products of the oneDNN library against plain loops in double.
#include "test/runtime/library/OneDnnCalls.h"

using namespace amp::runtime;
using namespace amp::runtime::onednn;

namespace {

class OneDnnMatMul : public testing::TestWithParam<std::tuple<int, bool, bool>> {};

// rows, columns, depth; the matrices lie in wider ones.
constexpr int64_t shapes[][3] = {{1, 1, 1}, {1, 10, 84}, {3, 7, 5}, {32, 64, 48}, {33, 65, 129}};
constexpr int64_t extra = 3;

TEST_P(OneDnnMatMul, IsTheSumOfProducts) {
  auto [number, transposeLhs, transposeRhs] = GetParam();
  auto [rows, columns, depth] = shapes[number];
  MatMul m;
  m.rows = rows, m.columns = columns, m.depth = depth;
  m.transposeLhs = transposeLhs, m.transposeRhs = transposeRhs;
  m.lhsStride = (transposeLhs ? rows : depth) + extra;
  m.rhsStride = (transposeRhs ? depth : columns) + extra;
  m.resultStride = columns;
  Floats lhs = makeFloats((transposeLhs ? depth : rows) * m.lhsStride, 4);
  Floats rhs = makeFloats((transposeRhs ? columns : depth) * m.rhsStride, 5);
  std::vector<double> wanted, magnitudes;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t k = 0; k < columns; ++k) {
      double sum = 0, magnitude = 0;
      for (int64_t d = 0; d < depth; ++d) {
        double product = double(lhs[m.transposeLhs ? d * m.lhsStride + r : r * m.lhsStride + d]) *
                         rhs[m.transposeRhs ? k * m.rhsStride + d : d * m.rhsStride + k];
        sum += product, magnitude += std::abs(product);
      }
      wanted.push_back(sum), magnitudes.push_back(magnitude);
    }
  Planned call = planned(matmul, m);
  Floats seen = run(call, {&lhs, &rhs}, 2, rows * columns);
  expectClose(seen, wanted, magnitudes);
  expectSameBitsFromThreads(call, {&lhs, &rhs}, 2, seen);
}

INSTANTIATE_TEST_SUITE_P(Shapes, OneDnnMatMul,
                         testing::Combine(testing::Range(0, int(std::size(shapes))), testing::Bool(), testing::Bool()));

// bf16 is a matter of the processor: refused, or as good as bf16 operands are.
TEST(OneDnnMatMulBf16, IsRefusedOrRight) {
  MatMul m;
  m.type = ElementType::BF16;
  m.rows = m.columns = m.depth = 32;
  m.lhsStride = m.rhsStride = m.resultStride = 32;
  Result<Description> description = describe(matmul, m);
  if (!description.isOk()) {
    EXPECT_EQ(description.status().code(), StatusCode::Unsupported);
    EXPECT_NE(description.status().text().find("use --select=generated"), std::string::npos);
    return;
  }
  std::vector<uint16_t> ones(32 * 32, 0x3f80);
  Planned call = planned(matmul, m);
  Scratch result(32 * 32 * 4), scratch(call.description.scratchBytes);
  void *operands[] = {ones.data(), ones.data(), result.data, scratch.data};
  ASSERT_TRUE(call.call->execute(operands, scratch.data).isOk());
  EXPECT_EQ(Floats(result.data, result.data + 32 * 32), Floats(32 * 32, 32.0f));
}

} // namespace
