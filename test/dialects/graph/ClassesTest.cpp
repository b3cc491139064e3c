// What ops tell passes about themselves: precision, layout and fusion classes.
#include "test/dialects/Evaluate.h"

using namespace mlir;
using namespace amp::graph;

namespace {
class Classes : public ::testing::Test {
protected:
  /// The last op before the return in a program on (%x: 2x3x4x4, %c: 3, %s: scalar) that `line` ends.
  Operation *last(const std::string &line) {
    std::string text = "train.program @f model inputs [\"x\", \"c\", \"s\"] outputs [] (%x: tensor<2x3x4x4xf32>, "
                       "%c: tensor<3xf32>, %s: tensor<f32>) {\n" +
                       line + "\ntrain.return\n}";
    module = parseSourceString<ModuleOp>(text, context.get());
    EXPECT_TRUE(module) << text;
    auto program = *module->getOps<amp::train::ProgramOp>().begin();
    return program.getReturn()->getPrevNode();
  }

  std::unique_ptr<MLIRContext> context = amp::test::makeContext();
  OwningOpRef<ModuleOp> module;
};
const char *pool = "kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, "
                   "dilations = array<i64: 1, 1>";
} // namespace

TEST_F(Classes, BinaryOpsFollowALayoutUnlessTheyBroadcast) {
  Operation *same = last("%y = graph.add %x, %s : (tensor<2x3x4x4xf32>, tensor<f32>) -> tensor<2x3x4x4xf32>");
  EXPECT_EQ(cast<LayoutOpInterface>(same).getLayoutClass(), LayoutClass::Elementwise);
  Operation *broadcast = last("%r = graph.reshape %c : tensor<3xf32> -> tensor<3x1x1xf32>\n%y = graph.add %x, %r : "
                              "(tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<2x3x4x4xf32>");
  EXPECT_EQ(cast<LayoutOpInterface>(broadcast).getLayoutClass(), LayoutClass::Fixed);
  EXPECT_EQ(cast<PrecisionOpInterface>(broadcast).getPrecisionClass(), PrecisionClass::Promote);
  EXPECT_EQ(cast<FusionOpInterface>(broadcast).getFusionClass(), FusionClass::Elementwise);
}

TEST_F(Classes, BiasMovesItsAxis) {
  auto bias =
      cast<BiasAddOp>(last("%y = graph.bias_add %x, %c {axis = 1 : i64} : (tensor<2x3x4x4xf32>, tensor<3xf32>) -> "
                           "tensor<2x3x4x4xf32>"));
  EXPECT_TRUE(bias.isImageOperand(0));
  EXPECT_FALSE(bias.isImageOperand(1));
  bias.convertToChannelsLast();
  EXPECT_EQ(bias.getAxis(), 3u);
}

TEST_F(Classes, ReductionsAcceptALayoutThatVanishes) {
  auto sum = cast<ReduceSumOp>(
      last("%y = graph.reduce_sum %x {axes = array<i64: 0, 2, 3>} : tensor<2x3x4x4xf32> -> tensor<3xf32>"));
  EXPECT_EQ(sum.getLayoutClass(), LayoutClass::Accepts);
  sum.convertToChannelsLast();
  EXPECT_EQ(sum.getAxes(), (ArrayRef<int64_t>{0, 1, 2}));
  EXPECT_TRUE(cast<FusionOpInterface>(*sum).acceptsPrologue(0));
  auto kept = cast<ReduceSumOp>(
      last("%y = graph.reduce_sum %x {axes = array<i64: 1>} : tensor<2x3x4x4xf32> -> tensor<2x4x4xf32>"));
  EXPECT_EQ(kept.getLayoutClass(), LayoutClass::Fixed);
}

TEST_F(Classes, MeansOfImagesAcceptALayout) {
  auto image = cast<ReduceMeanOp>(last("%y = graph.reduce_mean %x {axes = array<i64: 2, 3>, keep_dims = true} : "
                                       "tensor<2x3x4x4xf32> -> tensor<2x3x1x1xf32>"));
  EXPECT_EQ(image.getLayoutClass(), LayoutClass::Accepts);
  EXPECT_TRUE(cast<LayoutOpInterface>(*image).isImageResult(0));
  image.convertToChannelsLast();
  EXPECT_EQ(image.getAxes(), (ArrayRef<int64_t>{1, 2}));
  auto features = cast<ReduceMeanOp>(
      last("%y = graph.reduce_mean %x {axes = array<i64: 2, 3>} : tensor<2x3x4x4xf32> -> tensor<2x3xf32>"));
  EXPECT_EQ(features.getLayoutClass(), LayoutClass::Accepts);
  EXPECT_FALSE(cast<LayoutOpInterface>(*features).isImageResult(0));
}

TEST_F(Classes, ExpandFollowsALayoutFromImageToImage) {
  const char *one = "%p = graph.constant dense<1.0> : tensor<2x3x1x1xf32>\n";
  auto image =
      cast<ExpandOp>(last(std::string(one) + "%y = graph.expand %p : tensor<2x3x1x1xf32> -> tensor<2x3x4x4xf32>"));
  EXPECT_EQ(image.getLayoutClass(), LayoutClass::Elementwise);
  auto scalar = cast<ExpandOp>(last("%y = graph.expand %s : tensor<f32> -> tensor<2x3x4x4xf32>"));
  EXPECT_EQ(scalar.getLayoutClass(), LayoutClass::Fixed);
}

TEST_F(Classes, JoinsAndSlicesMoveTheirAxes) {
  auto concat = cast<ConcatOp>(last("%y = graph.concat %x, %x {axis = 1 : i64} : (tensor<2x3x4x4xf32>, "
                                    "tensor<2x3x4x4xf32>) -> tensor<2x6x4x4xf32>"));
  EXPECT_EQ(concat.getLayoutClass(), LayoutClass::Accepts);
  concat.convertToChannelsLast();
  EXPECT_EQ(concat.getAxis(), 3u);
  const std::string ranges = "axes = array<i64: 1, 3>, starts = array<i64: 1, 0>, ends = array<i64: 2, 3>, steps = "
                             "array<i64: 1, 1>";
  auto slice = cast<SliceOp>(last("%y = graph.slice %x {" + ranges + "} : tensor<2x3x4x4xf32> -> tensor<2x1x4x3xf32>"));
  EXPECT_EQ(slice.getLayoutClass(), LayoutClass::Accepts);
  slice.convertToChannelsLast();
  EXPECT_EQ(slice.getAxes(), (ArrayRef<int64_t>{3, 2}));
  auto gradient = cast<SliceGradOp>(
      last("%d = graph.constant dense<1.0> : tensor<2x1x4x3xf32>\n%y = graph.slice_grad %d {" + ranges +
           ", input_shape = array<i64: 2, 3, 4, 5>} : tensor<2x1x4x3xf32> -> tensor<2x3x4x5xf32>"));
  gradient.convertToChannelsLast();
  EXPECT_EQ(gradient.getAxes(), (ArrayRef<int64_t>{3, 2}));
  EXPECT_EQ(gradient.getInputShape(), (ArrayRef<int64_t>{2, 4, 5, 3}));
  auto matrix = cast<ConcatOp>(
      last("%y = graph.concat %c, %c {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>"));
  EXPECT_EQ(matrix.getLayoutClass(), LayoutClass::Fixed);
}

TEST_F(Classes, VectorsLieAlongTheAxisOfABias) {
  auto bias = cast<EmitOpInterface>(last("%y = graph.bias_add %x, %c {axis = 1 : i64} : (tensor<2x3x4x4xf32>, "
                                         "tensor<3xf32>) -> tensor<2x3x4x4xf32>"));
  EXPECT_EQ(bias.getVectorAxis(0), std::nullopt);
  EXPECT_EQ(bias.getVectorAxis(1), std::optional<int64_t>(1));
}

TEST_F(Classes, PoolsAbsorbTheTransposeOfTheirResult) {
  auto op = cast<MaxPool2dOp>(
      last(std::string("%y = graph.max_pool2d %x {") + pool + "} : tensor<2x3x4x4xf32> -> tensor<2x3x2x2xf32>"));
  op.convertToChannelsLast();
  EXPECT_TRUE(cast<LayoutOpInterface>(*op).absorbResultTranspose());
  EXPECT_EQ(op.getLayout(), ChannelLayout::ChannelsLast);
  EXPECT_EQ(op.getResultLayout(), ChannelLayout::ChannelsFirst);
}

TEST_F(Classes, AveragePoolGradientMovesItsInputShape) {
  auto op = cast<AveragePool2dGradOp>(
      last(std::string("%y = graph.average_pool2d_grad %x {") + pool +
           ", input_shape = array<i64: 2, 3, 8, 9>} : tensor<2x3x4x4xf32> -> tensor<2x3x8x9xf32>"));
  op.convertToChannelsLast();
  EXPECT_EQ(op.getInputShape(), (ArrayRef<int64_t>{2, 8, 9, 3}));
  EXPECT_FALSE(cast<LayoutOpInterface>(*op).absorbResultTranspose());
  EXPECT_TRUE(cast<LayoutOpInterface>(*op).absorbOperandTranspose(0));
}

TEST_F(Classes, LossesKeepLabelsAndSeed) {
  auto loss = cast<PrecisionOpInterface>(last(R"(%l = graph.constant dense<0> : tensor<2x4x4xi64>
      %y = graph.cross_entropy_grad %s, %x, %l {axis = 1 : i64, ignore_index = -1 : i64}
        : (tensor<f32>, tensor<2x3x4x4xf32>, tensor<2x4x4xi64>) -> tensor<2x3x4x4xf32>)"));
  EXPECT_FALSE(loss.mayCastOperand(0));
  EXPECT_TRUE(loss.mayCastOperand(1));
  EXPECT_FALSE(loss.mayCastOperand(2));
  EXPECT_TRUE(loss.computesWide());
}
