// NVRTC makes cubins of the kernels without a GPU; where it is missing the user learns what is missing.
#include "compiler/codegen/cuda/Nvrtc.h"
#include "test/cuda/PlanFromText.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <set>

using namespace amp;
using namespace amp::test;

namespace {

const std::vector<std::string> kBodies = {
    R"(^bb0(%a: tensor<100xf16>, %b: tensor<100xbf16>):
      %0 = graph.tanh %a : tensor<100xf16> -> tensor<100xf16>
      %1 = graph.exp %b : tensor<100xbf16> -> tensor<100xbf16>
      graph.yield %0, %1 : tensor<100xf16>, tensor<100xbf16>)",
    R"(^bb0(%x: tensor<64x10xf32>):
      %0 = graph.reduce_sum %x {axes = array<i64: 0>} : tensor<64x10xf32> -> tensor<10xf32>
      graph.yield %0 : tensor<10xf32>)",
    R"(^bb0(%g: tensor<37x19xf32>):
      %1 = train.sum_squares %g : tensor<37x19xf32> -> tensor<3xf64>
      graph.yield %1 : tensor<3xf64>)",
    R"(^bb0(%x: tensor<64x10xf32>, %l: tensor<64xi64>):
      %0 = graph.cross_entropy %x, %l {axis = 1 : i64, ignore_index = -100 : i64} : (tensor<64x10xf32>, tensor<64xi64>)
          -> tensor<f32>
      graph.yield %0 : tensor<f32>)"};

class Nvrtc : public testing::Test {
protected:
  void SetUp() override {
    std::string missing = compiler::checkNvrtc("");
    if (!missing.empty())
      GTEST_SKIP() << "no NVRTC on this machine: " << missing;
  }

  std::vector<compiler::CudaImage> compile() {
    PlanFromText plan(kBodies);
    std::vector<compiler::CudaImage> images;
    bool internal = false;
    EXPECT_EQ(compiler::compileCuda(compiler::emitCuda(*plan).kernels, {"sm_80", "sm_90"}, "", images, internal), "");
    return images;
  }
};

TEST_F(Nvrtc, MakesImagesOfBothArchitectures) {
  std::vector<compiler::CudaImage> images = compile();
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].arch, "sm_80");
  EXPECT_EQ(images[1].arch, "sm_90a");
  for (const compiler::CudaImage &image : images) {
    SCOPED_TRACE(image.arch);
    auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(image.cubin, "image"));
    ASSERT_TRUE(bool(object));
    auto *elf = llvm::cast<llvm::object::ELFObjectFileBase>(object->get());
    EXPECT_EQ(elf->getEMachine(), 190); // EM_CUDA
    std::set<std::string> functions;
    for (const auto &symbol : elf->symbols())
      // The assembler's own functions, such as division, begin with a dollar.
      if (llvm::StringRef name = llvm::cantFail(symbol.getName());
          llvm::cantFail(symbol.getType()) == llvm::object::SymbolRef::ST_Function && !name.starts_with("$"))
        functions.insert(name.str());
    EXPECT_EQ(functions, (std::set<std::string>{"k0", "k1", "k2", "k3"}));
    for (const compiler::CudaKernel &kernel : image.kernels) {
      EXPECT_GT(kernel.registers, 0u) << kernel.name;
      EXPECT_EQ(kernel.spillBytes, 0u) << kernel.name;
    }
  }
}

TEST_F(Nvrtc, MakesTheSameBytesTwice) {
  std::vector<compiler::CudaImage> first = compile(), second = compile();
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_TRUE(first[i].cubin == second[i].cubin) << first[i].arch;
}

TEST_F(Nvrtc, NamesTheKernelThatDoesNotCompile) {
  PlanFromText plan(kBodies);
  std::vector<compiler::CudaKernel> kernels = compiler::emitCuda(*plan).kernels;
  kernels[2].text.insert(kernels[2].text.find('{') + 1, "\n  nonsense;");
  std::vector<compiler::CudaImage> images;
  bool internal = false;
  std::string error = compiler::compileCuda(kernels, {"sm_80"}, "", images, internal);
  EXPECT_NE(error.find("does not compile k2 for sm_80"), std::string::npos) << error;
  EXPECT_NE(error.find("nonsense"), std::string::npos) << error;
  EXPECT_TRUE(internal);
  EXPECT_TRUE(images.empty());
}

TEST(NvrtcMissing, SaysWhatToDo) {
  std::string error = compiler::checkNvrtc("/nowhere/libnvrtc.so.13");
  EXPECT_EQ(error.find("--target=cuda needs NVRTC"), 0u) << error;
  EXPECT_NE(error.find("/nowhere/libnvrtc.so.13"), std::string::npos) << error;
  EXPECT_NE(error.find("--nvrtc=FILE"), std::string::npos) << error;
}

TEST(NvrtcMissing, AnotherLibraryIsNotTakenForIt) {
  std::string error = compiler::checkNvrtc("libm.so.6");
  EXPECT_NE(error.find("lacks nvrtcVersion"), std::string::npos) << error;
}

} // namespace
