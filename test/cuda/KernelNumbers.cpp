#include "test/cuda/KernelNumbers.h"

#include "dialects/train/Train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace mlir;
using namespace amp;
using namespace amp::test;

struct KernelArguments::Buffer {
  RankedTensorType type;
  size_t width;
  std::vector<char> bytes;

  explicit Buffer(RankedTensorType type)
      : type(type), width(std::max<size_t>(type.getElementTypeBitWidth() / 8, 1)),
        bytes(width * size_t(type.getNumElements()) + 2 * simt::Region::kGuard, char(0xff)) {}

  char *data() { return bytes.data() + simt::Region::kGuard; }
  const char *data() const { return bytes.data() + simt::Region::kGuard; }
  simt::Region region(const std::string &name) const {
    return {data(), bytes.size() - 2 * simt::Region::kGuard, width, name};
  }

  void write(const Tensor &tensor) {
    for (int64_t i = 0; i < tensor.size(); ++i) {
      uint64_t word = 0;
      if (auto real = dyn_cast<FloatType>(type.getElementType())) {
        llvm::APFloat value(tensor.floats[size_t(i)]);
        bool exact;
        value.convert(real.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &exact);
        word = value.bitcastToAPInt().getZExtValue();
      } else {
        word = uint64_t(tensor.integers[size_t(i)]);
      }
      std::memcpy(data() + width * size_t(i), &word, width);
    }
  }

  Tensor read() const {
    Tensor tensor(type);
    for (int64_t i = 0; i < tensor.size(); ++i) {
      uint64_t word = 0;
      std::memcpy(&word, data() + width * size_t(i), width);
      if (auto real = dyn_cast<FloatType>(type.getElementType())) {
        llvm::APFloat value(real.getFloatSemantics(), llvm::APInt(unsigned(8 * width), word));
        bool exact;
        value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &exact);
        tensor.floats[size_t(i)] = value.convertToDouble();
      } else {
        tensor.integers[size_t(i)] = llvm::SignExtend64(word, unsigned(8 * width));
      }
    }
    return tensor;
  }
};

KernelArguments::KernelArguments(plan::KernelOp kernel, const std::vector<Tensor> &inputs) : inputs(inputs.size()) {
  for (const Tensor &input : inputs) {
    buffers.push_back(std::make_unique<Buffer>(input.type));
    buffers.back()->write(input);
  }
  for (auto [number, value] : llvm::enumerate(kernel.getBody().front().getTerminator()->getOperands())) {
    int64_t alias = kernel.getAliases()[number];
    places.push_back(alias >= 0 ? size_t(alias) : buffers.size());
    if (alias < 0)
      buffers.push_back(std::make_unique<Buffer>(cast<RankedTensorType>(value.getType())));
  }
}

KernelArguments::~KernelArguments() = default;

std::vector<void *> KernelArguments::pointers() {
  std::vector<void *> all;
  for (size_t input = 0; input < inputs; ++input)
    all.push_back(buffers[input]->data());
  for (size_t place : places)
    all.push_back(buffers[place]->data());
  return all;
}

std::vector<simt::Region> KernelArguments::regions() const {
  std::vector<simt::Region> all;
  for (const auto &buffer : buffers)
    all.push_back(buffer->region("buffer " + std::to_string(all.size())));
  return all;
}

std::vector<Tensor> KernelArguments::results() const {
  std::vector<Tensor> all;
  for (size_t place : places)
    all.push_back(buffers[place]->read());
  return all;
}

std::vector<Tensor> amp::test::randomInputs(plan::KernelOp kernel, unsigned seed, int64_t integerLimit) {
  std::mt19937 engine(seed);
  std::vector<Tensor> tensors;
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    Tensor tensor(cast<RankedTensorType>(argument.getType()));
    // What a root is taken of: second moments of Adam, and the powers of its factors.
    bool positive = tensor.type.getElementType().isF64();
    for (OpOperand &use : argument.getUses())
      positive |= isa<train::AdamOp>(use.getOwner()) && use.getOperandNumber() == 3;
    for (double &value : tensor.floats)
      value = float(double(engine()) / double(1ull << (positive ? 32 : 31)) - (positive ? 0.0 : 1.0));
    for (int64_t &value : tensor.integers)
      value = int64_t(engine()) % (tensor.type.getElementType().isInteger(1) ? 2 : integerLimit);
    tensor.round();
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

void amp::test::expectNear(const std::vector<Tensor> &got, const std::vector<Tensor> &want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t result = 0; result < want.size(); ++result) {
    SCOPED_TRACE("result " + std::to_string(result));
    expectNear(got[result], want[result], tolerance);
  }
}

void amp::test::expectSame(const std::vector<Tensor> &got, const std::vector<Tensor> &want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t result = 0; result < want.size(); ++result) {
    EXPECT_EQ(got[result].integers, want[result].integers);
    ASSERT_EQ(got[result].floats.size(), want[result].floats.size());
    EXPECT_EQ(
        std::memcmp(got[result].floats.data(), want[result].floats.data(), want[result].floats.size() * sizeof(double)),
        0)
        << "the bits of result " << result << " differ";
  }
}
