#include "test/compiler/codegen/CompiledKernel.h"

#include "compiler/tiling/Tiling.h"
#include "dialects/train/Train.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

using namespace mlir;
using namespace amp;
using namespace amp::test;

compiler::CpuOptions CompiledKernel::hostOptions() {
  return compiler::hostCpu();
}

CompiledKernel::CompiledKernel(const std::string &body, std::vector<int64_t> aliases,
                               const compiler::CpuOptions &options) {
  DialectRegistry registry;
  compiler::registerCpuCodegen(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  size_t results = aliases.size();
  if (aliases.empty()) {
    // One -1 a result: the number of types of the yield.
    std::string yield = body.substr(body.find("graph.yield"));
    results = 1 + size_t(std::count(yield.begin(), yield.begin() + std::ptrdiff_t(yield.find(':')), ','));
    aliases.assign(results, -1);
  }
  std::string list;
  for (int64_t alias : aliases)
    list += (list.empty() ? "" : ", ") + std::to_string(alias);
  std::string text = "plan.kernel @k attributes {implementation = \"generated\", tiles = 1 : i64, workspace = 0 : i64, "
                     "aliases = array<i64: " +
                     list + ">, steps = [#plan.generated<\"whole\">]} {\n" + body + "\n}\n";
  module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << "does not parse: " << text;
    return;
  }
  kernel = *module->getOps<plan::KernelOp>().begin();
  compiler::Tiling tiling = compiler::tileKernel(kernel.getBody().front());
  kernel.setTiles(tiling.tiles);
  kernel.setWorkspace(tiling.workspace);
  tileCount = tiling.tiles;
  SmallVector<char> shared;
  if (failed(compiler::emitKernels(*module, options, shared))) {
    ADD_FAILURE() << "does not compile: " << text;
    return;
  }
  sharedObject.assign(shared.begin(), shared.end());
  auto loaded = runtime::CpuBinary::load({reinterpret_cast<const uint8_t *>(sharedObject.data()), sharedObject.size()});
  if (!loaded.isOk()) {
    ADD_FAILURE() << loaded.status().text();
    return;
  }
  binary = std::move(*loaded);
}

static std::vector<char> pack(const Tensor &tensor) {
  Type type = tensor.type.getElementType();
  size_t width = std::max<size_t>(type.getIntOrFloatBitWidth() / 8, 1);
  std::vector<char> bytes(width * size_t(tensor.size()));
  for (int64_t i = 0; i < tensor.size(); ++i) {
    uint64_t word;
    if (auto real = dyn_cast<FloatType>(type)) {
      llvm::APFloat value(tensor.floats[size_t(i)]);
      bool exact;
      value.convert(real.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &exact);
      word = value.bitcastToAPInt().getZExtValue();
    } else {
      word = uint64_t(tensor.integers[size_t(i)]);
    }
    std::memcpy(&bytes[width * size_t(i)], &word, width);
  }
  return bytes;
}

static Tensor unpack(RankedTensorType type, const std::vector<char> &bytes) {
  Tensor tensor(type);
  size_t width = std::max<size_t>(type.getElementTypeBitWidth() / 8, 1);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    uint64_t word = 0;
    std::memcpy(&word, &bytes[width * size_t(i)], width);
    if (auto real = dyn_cast<FloatType>(type.getElementType())) {
      llvm::APFloat value(real.getFloatSemantics(), llvm::APInt(unsigned(8 * width), word));
      bool exact;
      value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &exact);
      tensor.floats[size_t(i)] = value.convertToDouble();
    } else {
      tensor.integers[size_t(i)] = int64_t(word);
    }
  }
  return tensor;
}

std::vector<Tensor> CompiledKernel::inputs(unsigned seed, int64_t integerLimit) const {
  std::mt19937 engine(seed);
  std::vector<Tensor> tensors;
  if (!kernel)
    return tensors;
  for (BlockArgument argument : const_cast<plan::KernelOp &>(kernel).getBody().getArguments()) {
    Tensor tensor(cast<RankedTensorType>(argument.getType()));
    for (double &value : tensor.floats)
      value = float(double(engine()) / double(1ull << 31) - 1.0);
    for (int64_t &value : tensor.integers)
      value = int64_t(engine()) % (tensor.type.getElementType().isInteger(1) ? 2 : integerLimit);
    tensor.round();
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::vector<Tensor> CompiledKernel::run(const std::vector<Tensor> &inputs, unsigned permutation) const {
  auto op = const_cast<plan::KernelOp &>(kernel);
  constexpr size_t guard = 64;
  std::vector<std::vector<char>> buffers;
  for (const Tensor &input : inputs)
    buffers.push_back(pack(input));
  std::vector<RankedTensorType> types;
  std::vector<size_t> places;
  for (auto [number, type] : llvm::enumerate(op.getBody().front().getTerminator()->getOperandTypes())) {
    types.push_back(cast<RankedTensorType>(type));
    int64_t alias = op.getAliases()[number];
    places.push_back(alias >= 0 ? size_t(alias) : buffers.size());
    if (alias < 0)
      buffers.push_back(std::vector<char>(pack(Tensor(types.back())).size(), char(0x7b)));
  }
  for (auto &buffer : buffers)
    buffer.resize(buffer.size() + guard, char(0x5a));
  std::vector<void *> arguments;
  for (size_t input = 0; input < inputs.size(); ++input)
    arguments.push_back(buffers[input].data());
  for (size_t place : places)
    arguments.push_back(buffers[place].data());
  std::vector<int64_t> order(static_cast<size_t>(tileCount));
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = int64_t(i);
  std::shuffle(order.begin(), order.end(), std::mt19937(permutation));
  std::vector<char> workspace(size_t(op.getWorkspace()) + 64 + guard, char(0x5a));
  char *aligned = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(workspace.data()) + 63) & ~uintptr_t(63));
  auto function = binary->kernel("k");
  EXPECT_TRUE(function.isOk());
  for (int64_t tile : order)
    (*function)(arguments.data(), tile, aligned);
  for (auto &buffer : buffers)
    for (size_t i = buffer.size() - guard; i < buffer.size(); ++i)
      EXPECT_EQ(buffer[i], char(0x5a)) << "wrote past the end of a buffer";
  EXPECT_EQ(aligned[op.getWorkspace()], char(0x5a)) << "wrote past the end of the workspace";
  std::vector<Tensor> results;
  for (auto [place, type] : llvm::zip_equal(places, types))
    results.push_back(unpack(type, buffers[place]));
  return results;
}

std::vector<Tensor> CompiledKernel::reference(const std::vector<Tensor> &inputs) const {
  return referenceOf(kernel, inputs);
}

void CompiledKernel::check(const std::vector<Tensor> &inputs, double tolerance) const {
  ASSERT_TRUE(compiled());
  std::vector<Tensor> want = reference(inputs), first = run(inputs, 0);
  for (unsigned permutation : {0u, 1u, 2u}) {
    std::vector<Tensor> got = run(inputs, permutation);
    for (size_t result = 0; result < want.size(); ++result) {
      SCOPED_TRACE("result " + std::to_string(result));
      expectNear(got[result], want[result], tolerance);
      for (size_t i = 0; i < got[result].floats.size(); ++i)
        ASSERT_EQ(std::memcmp(&got[result].floats[i], &first[result].floats[i], sizeof(double)), 0)
            << "element " << i << " depends on the order of the tiles";
    }
  }
}
