// Compiles the emit rule of one op and runs it, eight lanes at a time, beside the op's oracle.
#ifndef AMP_TEST_DIALECTS_GRAPH_EMITFIXTURE_H
#define AMP_TEST_DIALECTS_GRAPH_EMITFIXTURE_H

#include "dialects/graph/interfaces/Lanes.h"
#include "dialects/train/Train.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"

#include "gtest/gtest.h"

#include <cstring>

namespace amp::test {

inline constexpr int64_t lanes = 8;

/// What a value of an element type is in the memory of the test: its compute type; i1 is a byte.
mlir::Type storage(mlir::Type element);

/// Eight values of one operand or result, as raw bytes.
struct Buffer {
  alignas(64) char bytes[lanes * 8] = {};
  // A memref descriptor of rank 1.
  struct {
    void *allocated, *aligned;
    int64_t offset, size, stride;
  } descriptor = {bytes, bytes, 0, lanes, 1};

  void set(int64_t lane, mlir::Type element, double real, int64_t integer) {
    write(lane, storage(element), real, integer);
  }
  template <typename T> T get(int64_t lane) const {
    T value;
    std::memcpy(&value, bytes + lane * sizeof(T), sizeof(T));
    return value;
  }
  double real(int64_t lane, mlir::Type element) const {
    if (!mlir::isa<mlir::FloatType>(element))
      return static_cast<double>(integer(lane, element));
    return storage(element).isF64() ? get<double>(lane) : get<float>(lane);
  }
  int64_t integer(int64_t lane, mlir::Type element) const {
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
  void write(int64_t lane, mlir::Type type, double real, int64_t integer) {
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
  Emit();

  /// Parses one op on tensors of eight elements (or scalars) whose operands are %0, %1, ... of the given types, and
  /// compiles it.
  void compile(const std::vector<std::string> &types, const std::string &text);
  /// Runs the compiled op on the buffers.
  void run(std::vector<Buffer> &operands, std::vector<Buffer> &results);
  /// Runs the compiled op on the buffers, and its oracle on what they hold.
  void run(std::vector<Buffer> &operands, std::vector<Buffer> &results,
           mlir::SmallVectorImpl<graph::ReferenceTensor> &wanted);
  /// Largest error over `count` draws, in units of the last place of fp32.
  double worstError(double low, double high, int count, unsigned result = 0);

  mlir::Type operandElement(unsigned i) { return mlir::getElementTypeOrSelf(op->getOperand(i)); }
  mlir::Type resultElement(unsigned i) { return mlir::getElementTypeOrSelf(op->getResult(i)); }
  bool isScalar(mlir::Value value) { return mlir::cast<mlir::RankedTensorType>(value.getType()).getRank() == 0; }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> source;
  mlir::Operation *op = nullptr;
  std::unique_ptr<mlir::ExecutionEngine> engine;

private:
  mlir::OwningOpRef<mlir::ModuleOp> buildKernel();
  mlir::Value load(mlir::OpBuilder &builder, mlir::Value argument, mlir::Value operand);
  void store(mlir::OpBuilder &builder, mlir::Value argument, mlir::Value value);
};

/// Distance from the exact value in units of the last place of fp32.
double ulps(float got, double wanted);

} // namespace amp::test

#endif
