// Kernels that call oneDNN give what the generated kernels of the same bodies give, in any order of their tiles.
#include "compiler/codegen/cpu/Codegen.h"
#include "compiler/select/Catalogue.h"
#include "dialects/graph/Graph.h"
#include "dialects/plan/Plan.h"
#include "runtime/base/Half.h"
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

using Bytes = std::vector<uint8_t>;
using Floats = std::vector<float>;

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};

/// A kernel of float tensors, planned by the rows of one library and run as the runtime runs it.
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
    std::vector<Bytes> buffers;
    Block &body = kernel.getBody().front();
    for (Type type : body.getArgumentTypes())
      buffers.push_back(numbers(type, uint32_t(buffers.size()) + 1));
    for (Type type : body.getTerminator()->getOperandTypes())
      buffers.push_back(Bytes(size_t(plan::byteSize(cast<RankedTensorType>(type))), uint8_t(0xff)));
    std::vector<void *> arguments;
    for (Bytes &buffer : buffers)
      arguments.push_back(buffer.data());
    for (int64_t tile = 0; tile < tiles(); ++tile)
      runTile(arguments, backwards ? tiles() - 1 - tile : tile);
    Floats results;
    for (auto [number, type] : llvm::enumerate(body.getTerminator()->getOperandTypes()))
      append(results, type, buffers[body.getNumArguments() + number]);
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

  static Bytes numbers(Type type, uint32_t seed) {
    auto tensor = cast<RankedTensorType>(type);
    Bytes bytes(size_t(plan::byteSize(tensor)));
    size_t width = bytes.size() / size_t(tensor.getNumElements());
    for (size_t at = 0; at < bytes.size(); at += width) {
      seed = seed * 1664525u + 1013904223u;
      float value = float(int32_t(seed)) / 2147483648.0f;
      uint16_t half = tensor.getElementType().isBF16() ? runtime::floatToBf16(value) : runtime::floatToF16(value);
      if (width == sizeof(float))
        std::memcpy(&bytes[at], &value, width);
      else
        std::memcpy(&bytes[at], &half, width);
    }
    return bytes;
  }

  static void append(Floats &floats, Type type, const Bytes &bytes) {
    Type element = cast<RankedTensorType>(type).getElementType();
    size_t width = element.getIntOrFloatBitWidth() / 8;
    for (size_t at = 0; at < bytes.size(); at += width) {
      float value;
      uint16_t half;
      std::memcpy(width == sizeof(float) ? static_cast<void *>(&value) : &half, &bytes[at], width);
      if (width != sizeof(float))
        value = element.isBF16() ? runtime::bf16ToFloat(half) : runtime::f16ToFloat(half);
      floats.push_back(value);
    }
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

/// `rounding` is what the results' type may differ by.
void expectLikeGenerated(const std::string &body, int64_t tiles, size_t steps, double rounding = 1e-4) {
  PlannedKernel library(body, "onednn"), generated(body, "generated");
  ASSERT_TRUE(library.parsed()) << body;
  ASSERT_EQ(library.row->library, "onednn");
  ASSERT_EQ(generated.row->library, "generated");
  EXPECT_EQ(library.tiles(), tiles);
  EXPECT_EQ(library.kernel.getSteps().size(), steps);
  Floats seen = library.run(), wanted = generated.run();
  ASSERT_EQ(seen.size(), wanted.size());
  for (size_t i = 0; i < seen.size(); ++i)
    ASSERT_NEAR(seen[i], wanted[i], rounding * std::max(1.0f, std::abs(wanted[i]))) << "element " << i;
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

/// The body in another element type, but for operands that the caller names f32.
std::string inType(std::string body, const std::string &element) {
  for (size_t at = body.find("xT>"); at != std::string::npos; at = body.find("xT>", at))
    body.replace(at, 3, "x" + element + ">");
  return body;
}

// oneDNN multiplies no fp16, and bf16 on few processors: a prologue widens where it must.
TEST(OneDnnRows, SixteenBitConvolutionsAreWidened) {
  for (const char *element : {"bf16", "f16"}) {
    SCOPED_TRACE(element);
    PlannedKernel planned(inType("^bb0(%x: tensor<2x8x8x16xT>, %w: tensor<8x16x1x1xT>):\n"
                                 "%y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = "
                                 "#graph<layout channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, "
                                 "1>} : (tensor<2x8x8x16xT>, tensor<8x16x1x1xT>) -> tensor<2x8x8x8xT>\n"
                                 "graph.yield %y : tensor<2x8x8x8xT>",
                                 element),
                          "onednn");
    ASSERT_TRUE(planned.parsed());
    EXPECT_EQ(planned.row->library, "onednn");
    bool native = isa<plan::LibraryAttr>(planned.kernel.getSteps()[0]);
    EXPECT_EQ(planned.kernel.getSteps().size(), native ? 2u : 3u);
    EXPECT_FALSE(native && element == std::string("f16"));
  }
}

TEST(OneDnnRows, WidenedConvolutionHasAnEpilogue) {
  expectLikeGenerated(inType("^bb0(%w: tensor<12x5x3x3xT>, %b: tensor<12xf32>, %x: tensor<3x9x8x5xT>):\n"
                             "%y = graph.conv2d %x, %w " +
                                 geometry +
                                 "} : (tensor<3x9x8x5xT>, tensor<12x5x3x3xT>) -> tensor<3x4x8x12xT>\n"
                                 "%z = graph.bias_add %y, %b {axis = 3 : i64} : (tensor<3x4x8x12xT>, tensor<12xf32>) "
                                 "-> tensor<3x4x8x12xT>\n"
                                 "graph.yield %z, %y : tensor<3x4x8x12xT>, tensor<3x4x8x12xT>",
                             "f16"),
                      3, 3, 2e-3);
}

TEST(OneDnnRows, WidenedInputGradientMeetsAnotherGradient) {
  expectLikeGenerated(
      inType("^bb0(%dy: tensor<3x4x8x12xT>, %w: tensor<12x5x3x3xT>, %other: tensor<3x9x8x5xT>, %x: "
             "tensor<3x9x8x5xT>):\n"
             "%dx = graph.conv2d_input_grad %dy, %w " +
                 geometry +
                 ", input_shape = array<i64: 3, 9, 8, 5>} : (tensor<3x4x8x12xT>, tensor<12x5x3x3xT>) "
                 "-> tensor<3x9x8x5xT>\n"
                 "%s = graph.add %dx, %other : (tensor<3x9x8x5xT>, tensor<3x9x8x5xT>) -> "
                 "tensor<3x9x8x5xT>\n"
                 "%r = graph.relu_grad %s, %x : tensor<3x9x8x5xT>, tensor<3x9x8x5xT> -> tensor<3x9x8x5xT>\n"
                 "graph.yield %r : tensor<3x9x8x5xT>",
             "f16"),
      3, 3, 4e-3);
}

TEST(OneDnnRows, WidenedMatMulsTakeEveryForm) {
  for (bool lhs : {false, true})
    for (bool rhs : {false, true}) {
      SCOPED_TRACE(std::to_string(lhs) + std::to_string(rhs));
      std::string left = lhs ? "tensor<300x192xT>" : "tensor<192x300xT>";
      std::string right = rhs ? "tensor<256x300xT>" : "tensor<300x256xT>";
      expectLikeGenerated(inType("^bb0(%x: " + left + ", %w: " + right +
                                     "):\n%y = graph.matmul %x, %w {transpose_lhs = " + (lhs ? "true" : "false") +
                                     ", transpose_rhs = " + (rhs ? "true" : "false") + "} : (" + left + ", " + right +
                                     ") -> tensor<192x256xf32>\ngraph.yield %y : tensor<192x256xf32>",
                                 "f16"),
                          3, 2);
    }
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
