// Kernels that call oneDNN give what the generated kernels of the same bodies give, in any order of their tiles.
#include "compiler/codegen/cpu/Codegen.h"
#include "compiler/select/Catalogue.h"
#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"
#include "runtime/device/cpu/CpuBinary.h"
#include "runtime/library/Library.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace mlir;
using namespace amp;

namespace {

using Floats = std::vector<float>;

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};

/// A kernel of f32 tensors, planned by the rows of one library and run as the runtime runs it.
class PlannedKernel {
public:
  PlannedKernel(const std::string &body, llvm::StringRef select) {
    DialectRegistry registry;
    compiler::registerCpuCodegen(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module =
        parseSourceString<ModuleOp>("plan.kernel @k attributes {implementation = \"\", tiles = 1 : i64, workspace = "
                                    "0 : i64, aliases = array<i64: " +
                                        aliases(body) + ">, steps = []} {\n" + body + "\n}\n",
                                    &context);
    if (!module)
      return;
    kernel = *module->getOps<plan::KernelOp>().begin();
    row = compiler::chooseRow(kernel, select);
    row->plan(kernel);
    llvm::SmallVector<char> code;
    if (succeeded(compiler::emitKernels(*module, compiler::hostCpu(), code)) && !code.empty())
      load(code);
  }

  bool parsed() const { return static_cast<bool>(module); }
  int64_t tiles() const { return int64_t(const_cast<plan::KernelOp &>(kernel).getTiles()); }

  Floats run(bool backwards = false) {
    std::vector<Floats> buffers;
    Block &body = kernel.getBody().front();
    for (Type type : body.getArgumentTypes())
      buffers.push_back(numbers(type, uint32_t(buffers.size()) + 1));
    for (Type type : body.getTerminator()->getOperandTypes())
      buffers.push_back(Floats(size_t(cast<RankedTensorType>(type).getNumElements()), std::nanf("")));
    std::vector<void *> arguments;
    for (Floats &buffer : buffers)
      arguments.push_back(buffer.data());
    for (int64_t tile = 0; tile < tiles(); ++tile)
      runTile(arguments, backwards ? tiles() - 1 - tile : tile);
    Floats results;
    for (size_t i = body.getNumArguments(); i < buffers.size(); ++i)
      results.insert(results.end(), buffers[i].begin(), buffers[i].end());
    return results;
  }

  const compiler::KernelRow *row = nullptr;
  plan::KernelOp kernel;

private:
  /// No result overwrites an input.
  static std::string aliases(const std::string &body) {
    std::string list = "-1";
    for (auto left = std::count(body.begin() + std::ptrdiff_t(body.find("graph.yield")), body.end(), '%'); left > 1;
         --left)
      list += ", -1";
    return list;
  }

  void load(llvm::ArrayRef<char> code) {
    bytes.assign(code.begin(), code.end());
    auto loaded = runtime::CpuBinary::load({bytes.data(), bytes.size()});
    ASSERT_TRUE(loaded.isOk()) << loaded.status().message();
    binary = std::move(*loaded);
  }

  static Floats numbers(Type type, uint32_t seed) {
    Floats values(size_t(cast<RankedTensorType>(type).getNumElements()));
    for (float &value : values) {
      seed = seed * 1664525u + 1013904223u;
      value = float(int32_t(seed)) / 2147483648.0f;
    }
    return values;
  }

  /// Each tile finds a workspace full of NaN.
  void runTile(std::vector<void *> &arguments, int64_t tile) {
    size_t size = (size_t(kernel.getWorkspace()) + 127) / 64 * 64;
    std::unique_ptr<uint8_t, Free> workspace(static_cast<uint8_t *>(std::aligned_alloc(64, size)));
    std::memset(workspace.get(), 0xff, size);
    for (Attribute step : kernel.getSteps()) {
      if (auto generated = dyn_cast<plan::GeneratedAttr>(step)) {
        ASSERT_TRUE(binary);
        auto function = binary->kernel(plan::generatedSymbol(kernel, generated));
        ASSERT_TRUE(function.isOk()) << function.status().message();
        (*function)(arguments.data(), tile, workspace.get());
        continue;
      }
      runLibrary(cast<plan::LibraryAttr>(step), arguments, tile, workspace.get());
    }
  }

  static void runLibrary(plan::LibraryAttr step, const std::vector<void *> &arguments, int64_t tile,
                         uint8_t *workspace) {
    auto view = [](llvm::StringRef text) { return std::string_view(text.data(), text.size()); };
    runtime::LibraryRequest request{view(step.getOperation()),
                                    {step.getNumbers().data(), step.getNumbers().size()},
                                    view(step.getImplementation()),
                                    view(step.getVersion())};
    auto call = runtime::findLibrary(view(step.getLibrary()))->create(request);
    ASSERT_TRUE(call.isOk()) << call.status().message();
    std::vector<void *> operands;
    for (Attribute attribute : step.getOperands()) {
      auto operand = cast<plan::OperandAttr>(attribute);
      auto *base = operand.getWorkspace() ? workspace : static_cast<uint8_t *>(arguments[size_t(operand.getIndex())]);
      operands.push_back(base + operand.getOffset() + operand.getTileStride() * tile);
    }
    auto status = (*call)->execute(operands.data(), workspace);
    ASSERT_TRUE(status.isOk()) << status.message();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<uint8_t> bytes;
  std::unique_ptr<runtime::CpuBinary> binary;
};

void expectLikeGenerated(const std::string &body, int64_t tiles, size_t steps) {
  PlannedKernel library(body, "onednn"), generated(body, "generated");
  ASSERT_TRUE(library.parsed()) << body;
  ASSERT_EQ(library.row->library, "onednn");
  ASSERT_EQ(generated.row->library, "generated");
  EXPECT_EQ(library.tiles(), tiles);
  EXPECT_EQ(library.kernel.getSteps().size(), steps);
  Floats seen = library.run(), wanted = generated.run();
  ASSERT_EQ(seen.size(), wanted.size());
  for (size_t i = 0; i < seen.size(); ++i)
    ASSERT_NEAR(seen[i], wanted[i], 1e-4 * std::max(1.0f, std::abs(wanted[i]))) << "element " << i;
  Floats backwards = library.run(true);
  EXPECT_EQ(0, std::memcmp(seen.data(), backwards.data(), seen.size() * sizeof(float)));
}

const std::string geometry = "{dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, "
                             "pads = array<i64: 1, 1, 0, 1>, strides = array<i64: 2, 1>";

TEST(OneDnnRows, ConvolutionWritesItsResult) {
  expectLikeGenerated("^bb0(%x: tensor<3x9x8x5xf32>, %w: tensor<12x5x3x3xf32>):\n"
                      "%y = graph.conv2d %x, %w " +
                          geometry +
                          "} : (tensor<3x9x8x5xf32>, tensor<12x5x3x3xf32>) -> "
                          "tensor<3x4x8x12xf32>\ngraph.yield %y : tensor<3x4x8x12xf32>",
                      3, 1);
}

TEST(OneDnnRows, EpilogueReadsTheStagedTile) {
  expectLikeGenerated("^bb0(%w: tensor<12x5x3x3xf32>, %b: tensor<12xf32>, %x: tensor<3x9x8x5xf32>):\n"
                      "%y = graph.conv2d %x, %w " +
                          geometry +
                          "} : (tensor<3x9x8x5xf32>, tensor<12x5x3x3xf32>) -> "
                          "tensor<3x4x8x12xf32>\n"
                          "%z = graph.bias_add %y, %b {axis = 3 : i64} : (tensor<3x4x8x12xf32>, tensor<12xf32>) -> "
                          "tensor<3x4x8x12xf32>\n"
                          "%r = graph.relu %z : tensor<3x4x8x12xf32> -> tensor<3x4x8x12xf32>\n"
                          "graph.yield %r : tensor<3x4x8x12xf32>",
                      3, 2);
}

TEST(OneDnnRows, ResultAndEpilogueAreBothMade) {
  expectLikeGenerated("^bb0(%x: tensor<3x9x8x5xf32>, %w: tensor<12x5x3x3xf32>):\n"
                      "%y = graph.conv2d %x, %w " +
                          geometry +
                          "} : (tensor<3x9x8x5xf32>, tensor<12x5x3x3xf32>) -> "
                          "tensor<3x4x8x12xf32>\n"
                          "%r = graph.relu %y : tensor<3x4x8x12xf32> -> tensor<3x4x8x12xf32>\n"
                          "graph.yield %r, %y : tensor<3x4x8x12xf32>, tensor<3x4x8x12xf32>",
                      3, 2);
}

TEST(OneDnnRows, InputGradientWritesItsResult) {
  expectLikeGenerated("^bb0(%dy: tensor<3x4x8x12xf32>, %w: tensor<12x5x3x3xf32>):\n"
                      "%dx = graph.conv2d_input_grad %dy, %w " +
                          geometry +
                          ", input_shape = array<i64: 3, 9, 8, 5>} : "
                          "(tensor<3x4x8x12xf32>, tensor<12x5x3x3xf32>) -> tensor<3x9x8x5xf32>\n"
                          "graph.yield %dx : tensor<3x9x8x5xf32>",
                      3, 1);
}

TEST(OneDnnRows, MatMulTilesRows) {
  expectLikeGenerated("^bb0(%x: tensor<192x300xf32>, %w: tensor<300x256xf32>):\n"
                      "%y = graph.matmul %x, %w : (tensor<192x300xf32>, tensor<300x256xf32>) -> tensor<192x256xf32>\n"
                      "graph.yield %y : tensor<192x256xf32>",
                      3, 1);
}

TEST(OneDnnRows, MatMulTransposedHasAnEpilogue) {
  expectLikeGenerated("^bb0(%x: tensor<300x192xf32>, %w: tensor<256x300xf32>, %b: tensor<256xf32>):\n"
                      "%y = graph.matmul %x, %w {transpose_lhs = true, transpose_rhs = true} : (tensor<300x192xf32>, "
                      "tensor<256x300xf32>) -> tensor<192x256xf32>\n"
                      "%z = graph.bias_add %y, %b {axis = 1 : i64} : (tensor<192x256xf32>, tensor<256xf32>) -> "
                      "tensor<192x256xf32>\n"
                      "graph.yield %z : tensor<192x256xf32>",
                      3, 2);
}

TEST(OneDnnRows, BatchOfLeftMatricesIsOneMatrix) {
  expectLikeGenerated("^bb0(%x: tensor<2x3x4x5xf32>, %w: tensor<5x6xf32>):\n"
                      "%y = graph.matmul %x, %w : (tensor<2x3x4x5xf32>, tensor<5x6xf32>) -> tensor<2x3x4x6xf32>\n"
                      "graph.yield %y : tensor<2x3x4x6xf32>",
                      1, 1);
}

TEST(OneDnnRows, StepsAreTextThatParsesAgain) {
  PlannedKernel planned("^bb0(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>):\n"
                        "%y = graph.matmul %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
                        "graph.yield %y : tensor<64x64xf32>",
                        "onednn");
  auto textOf = [](Operation *op) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    op->print(stream);
    return text;
  };
  std::string text = textOf(planned.kernel->getParentOp());
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, planned.kernel.getContext());
  ASSERT_TRUE(again) << text;
  EXPECT_EQ(textOf(*again), text);
}

TEST(OneDnnRows, SmallKernelsStayGeneratedWithAuto) {
  std::string small = "^bb0(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>):\n"
                      "%y = graph.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>\n"
                      "graph.yield %y : tensor<2x4xf32>";
  std::string large = "^bb0(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>):\n"
                      "%y = graph.matmul %x, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n"
                      "graph.yield %y : tensor<256x256xf32>";
  EXPECT_EQ(PlannedKernel(small, "auto").row->library, "generated");
  EXPECT_EQ(PlannedKernel(small, "onednn").row->library, "onednn");
  EXPECT_EQ(PlannedKernel(large, "auto").row->library, "onednn");
}

TEST(OneDnnRows, BatchedRightSidesStayGenerated) {
  std::string body = "^bb0(%x: tensor<2x8x8xf32>, %w: tensor<2x8x8xf32>):\n"
                     "%y = graph.matmul %x, %w : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>\n"
                     "graph.yield %y : tensor<2x8x8xf32>";
  EXPECT_EQ(PlannedKernel(body, "onednn").row->library, "generated");
}

} // namespace
