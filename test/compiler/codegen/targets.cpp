// What holds for the shared object whatever it computes: no undefined symbol, equal bytes, older and newer processors.
#include "test/compiler/codegen/CompiledKernel.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace amp;
using namespace amp::test;

namespace {

// A kernel of everything that could tempt LLVM into a call: exp, log, tanh, halves, zero filling, copying.
const char *temptations = R"(^bb0(%x: tensor<2x9x9x6xf16>, %w: tensor<4x6x3x3xf16>, %b: tensor<4xbf16>):
  %0 = graph.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      groups = 1 : i64, layout = #graph<layout channels_last>} : (tensor<2x9x9x6xf16>, tensor<4x6x3x3xf16>) -> tensor<2x9x9x4xf16>
  %1 = graph.bias_add %0, %b {axis = 3 : i64} : (tensor<2x9x9x4xf16>, tensor<4xbf16>) -> tensor<2x9x9x4xf16>
  %2 = graph.tanh %1 : tensor<2x9x9x4xf16> -> tensor<2x9x9x4xf16>
  %3 = graph.exp %2 : tensor<2x9x9x4xf16> -> tensor<2x9x9x4xf16>
  %4 = graph.log %3 : tensor<2x9x9x4xf16> -> tensor<2x9x9x4xf16>
  %5 = graph.cast %4 : tensor<2x9x9x4xf16> -> tensor<2x9x9x4xbf16>
  graph.yield %4, %5 : tensor<2x9x9x4xf16>, tensor<2x9x9x4xbf16>)";

std::vector<std::string> undefinedSymbols(const std::vector<char> &bytes) {
  llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()), "kernels.so");
  auto object = llvm::cantFail(llvm::object::ObjectFile::createELFObjectFile(buffer));
  std::vector<std::string> names;
  for (const auto &symbol : llvm::cast<llvm::object::ELFObjectFileBase>(*object).getDynamicSymbolIterators())
    if (llvm::cantFail(symbol.getFlags()) & llvm::object::BasicSymbolRef::SF_Undefined)
      if (std::string name = llvm::cantFail(symbol.getName()).str(); !name.empty())
        names.push_back(name);
  return names;
}

TEST(SharedObject, HasNoUndefinedSymbolOnAnyProcessor) {
  for (const char *cpu : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
    SCOPED_TRACE(cpu);
    compiler::CpuOptions options;
    options.cpu = cpu;
    CompiledKernel kernel(temptations, {}, options);
    EXPECT_EQ(undefinedSymbols(kernel.bytes()), std::vector<std::string>());
  }
}

TEST(SharedObject, RunsAlikeWithoutFmaAndF16c) {
  compiler::CpuOptions old;
  old.cpu = "x86-64-v2";
  CompiledKernel(temptations, {}, old).check(1e-2);
  CompiledKernel(temptations).check(1e-2);
}

TEST(SharedObject, HasTheSameBytesTwice) {
  CompiledKernel first(temptations), second(temptations);
  EXPECT_EQ(first.bytes(), second.bytes());
}

} // namespace
