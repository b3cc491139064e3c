// Numbers of a request to calls and back. A package is trusted code, but its numbers are checked all the same: oneDNN
// multiplies them without asking.
#include "runtime/library/onednn/Catalogue.h"

#include "runtime/base/Checked.h"

#include <array>

namespace amp::runtime::onednn {

namespace {

constexpr size_t convolutionNumbers = 23;
constexpr size_t matMulNumbers = 12;
constexpr int64_t largestLength = 1 << 30;
constexpr int64_t largestTensor = int64_t(1) << 40;

Status refuse(const std::string &what) {
  return Status(StatusCode::Damaged, "a call of oneDNN has " + what + "; recompile the model");
}

/// Takes numbers one by one, each with the range that it must lie in; remembers the first that does not.
class NumberReader {
public:
  explicit NumberReader(Span<const int64_t> numbers) : numbers(numbers) {}

  int64_t take(const char *name, int64_t smallest, int64_t largest) {
    int64_t value = numbers[next++];
    if (failure.isOk() && (value < smallest || value > largest))
      failure = refuse(std::string(name) + " " + std::to_string(value) + ", which is outside " +
                       std::to_string(smallest) + " to " + std::to_string(largest));
    return value;
  }
  int64_t length(const char *name) { return take(name, 1, largestLength); }
  bool flag(const char *name) { return take(name, 0, 1) == 1; }
  ElementType type(const char *name) {
    return static_cast<ElementType>(take(name, int64_t(ElementType::F32), int64_t(ElementType::BF16)));
  }
  RecordedSizes sizes() {
    RecordedSizes recorded;
    recorded.packedBytes = take("packed bytes", 0, largestTensor);
    recorded.scratchBytes = take("scratch bytes", 0, largestTensor);
    return recorded;
  }
  void product(const char *name, const std::array<int64_t, 4> &shape) {
    std::optional<uint64_t> count = elementCount(shape);
    if (failure.isOk() && (!count || *count > uint64_t(largestTensor)))
      failure = refuse(std::string(name) + " of more than " + std::to_string(largestTensor) + " elements");
  }

  Status failure;

private:
  Span<const int64_t> numbers;
  size_t next = 0;
};

Status wrongCount(size_t seen, size_t wanted) {
  return refuse(std::to_string(seen) + " numbers, its operation wants " + std::to_string(wanted));
}

} // namespace

std::vector<int64_t> numbersOf(const Convolution &c, const Description &description) {
  return {int64_t(c.type),
          int64_t(c.resultType),
          c.batch,
          c.groups,
          c.channels,
          c.height,
          c.width,
          c.outChannels,
          c.outHeight,
          c.outWidth,
          c.kernelHeight,
          c.kernelWidth,
          c.strideHeight,
          c.strideWidth,
          c.dilationHeight,
          c.dilationWidth,
          c.padTop,
          c.padLeft,
          c.padBottom,
          c.padRight,
          c.packedWeight,
          description.packedBytes,
          description.scratchBytes};
}

std::vector<int64_t> numbersOf(const MatMul &m, const Description &description) {
  return {int64_t(m.type),         int64_t(m.resultType),   m.rows,      m.columns,   m.depth,
          m.transposeLhs,          m.transposeRhs,          m.lhsStride, m.rhsStride, m.resultStride,
          description.packedBytes, description.scratchBytes};
}

Result<Convolution> convolutionOf(Span<const int64_t> numbers, RecordedSizes &sizes) {
  if (numbers.size() != convolutionNumbers)
    return wrongCount(numbers.size(), convolutionNumbers);
  NumberReader reader(numbers);
  Convolution c;
  c.type = reader.type("element type");
  c.resultType = reader.type("result type");
  c.batch = reader.length("batch"), c.groups = reader.length("groups");
  c.channels = reader.length("channels"), c.height = reader.length("height"), c.width = reader.length("width");
  c.outChannels = reader.length("output channels");
  c.outHeight = reader.length("output height"), c.outWidth = reader.length("output width");
  c.kernelHeight = reader.length("kernel height"), c.kernelWidth = reader.length("kernel width");
  c.strideHeight = reader.length("stride"), c.strideWidth = reader.length("stride");
  c.dilationHeight = reader.length("dilation"), c.dilationWidth = reader.length("dilation");
  for (int64_t *pad : {&c.padTop, &c.padLeft, &c.padBottom, &c.padRight})
    *pad = reader.take("pad", 0, largestLength);
  c.packedWeight = reader.flag("weight form");
  sizes = reader.sizes();
  reader.product("an image", {c.batch, c.channels, c.height, c.width});
  reader.product("a result", {c.batch, c.outChannels, c.outHeight, c.outWidth});
  reader.product("a weight", {c.outChannels, c.channels, c.kernelHeight, c.kernelWidth});
  if (reader.failure.isOk() && (c.channels % c.groups != 0 || c.outChannels % c.groups != 0))
    return refuse(std::to_string(c.groups) + " groups, which do not divide " + std::to_string(c.channels) + " and " +
                  std::to_string(c.outChannels) + " channels");
  return reader.failure.isOk() ? Result<Convolution>(c) : Result<Convolution>(reader.failure);
}

Result<MatMul> matMulOf(Span<const int64_t> numbers, RecordedSizes &sizes) {
  if (numbers.size() != matMulNumbers)
    return wrongCount(numbers.size(), matMulNumbers);
  NumberReader reader(numbers);
  MatMul m;
  m.type = reader.type("element type");
  m.resultType = reader.type("result type");
  m.rows = reader.length("rows"), m.columns = reader.length("columns"), m.depth = reader.length("depth");
  m.transposeLhs = reader.flag("lhs form"), m.transposeRhs = reader.flag("rhs form");
  m.lhsStride = reader.take("lhs stride", m.transposeLhs ? m.rows : m.depth, largestLength);
  m.rhsStride = reader.take("rhs stride", m.transposeRhs ? m.depth : m.columns, largestLength);
  m.resultStride = reader.take("result stride", m.columns, largestLength);
  sizes = reader.sizes();
  reader.product("an lhs", {m.transposeLhs ? m.depth : m.rows, m.lhsStride, 1, 1});
  reader.product("an rhs", {m.transposeRhs ? m.columns : m.depth, m.rhsStride, 1, 1});
  reader.product("a result", {m.rows, m.resultStride, 1, 1});
  return reader.failure.isOk() ? Result<MatMul>(m) : Result<MatMul>(reader.failure);
}

Result<Description> describe(std::string_view operation, Span<const int64_t> numbers) {
  RecordedSizes sizes;
  if (operation == matmul) {
    Result<MatMul> call = matMulOf(numbers, sizes);
    return call.isOk() ? describe(operation, *call) : Result<Description>(call.status());
  }
  Result<Convolution> call = convolutionOf(numbers, sizes);
  return call.isOk() ? describe(operation, *call) : Result<Description>(call.status());
}

} // namespace amp::runtime::onednn
