// Packed weight gradients against the reference: bands of rows and of images, windows, strides, tails of every block.
#include "test/compiler/codegen/CompiledKernel.h"

#include <gtest/gtest.h>

using namespace amp::test;

namespace {

struct Shape {
  int batch, height, width, in, out, kernelH, kernelW, stride, pad, dilation;
};

std::string tensor(std::initializer_list<int> lengths, const std::string &element) {
  std::string text = "tensor<";
  for (int length : lengths)
    text += std::to_string(length) + "x";
  return text + element + ">";
}
std::string array(std::initializer_list<int> numbers) {
  std::string text = "array<";
  for (int number : numbers)
    text += (text.back() == '<' ? "i64: " : ", ") + std::to_string(number);
  return text + ">";
}

std::string gradientOf(const Shape &s, const std::string &element) {
  auto length = [&](int image, int kernel) {
    return (image + 2 * s.pad - (kernel - 1) * s.dilation - 1) / s.stride + 1;
  };
  std::string x = tensor({s.batch, s.height, s.width, s.in}, element),
              dw = tensor({s.out, s.in, s.kernelH, s.kernelW}, "f32");
  std::string dy = tensor({s.batch, length(s.height, s.kernelH), length(s.width, s.kernelW), s.out}, element);
  return "^bb0(%x: " + x + ", %dy: " + dy +
         "):\n %0 = graph.conv2d_weight_grad %x, %dy {strides = " + array({s.stride, s.stride}) +
         ", pads = " + array({s.pad, s.pad, s.pad, s.pad}) + ", dilations = " + array({s.dilation, s.dilation}) +
         ", groups = 1 : i64, layout = #graph<layout channels_last>, weight_shape = " +
         array({s.out, s.in, s.kernelH, s.kernelW}) + "} : (" + x + ", " + dy + ") -> " + dw + "\n";
}

const Shape shapes[] = {
    {2, 20, 22, 32, 64, 1, 1, 1, 0, 1}, // flat pixels, bands of rows
    {9, 7, 7, 24, 40, 1, 1, 1, 0, 1},   // bands of images, the last of one
    {2, 13, 14, 40, 18, 3, 3, 1, 1, 1}, // padded, tails of columns and rows
    {3, 9, 10, 17, 35, 3, 3, 2, 1, 1},  // strided taps
    {2, 15, 15, 32, 64, 1, 1, 2, 0, 1}, // pixels that no tap reads
    {1, 30, 33, 3, 20, 7, 7, 2, 3, 1},  // a window of few channels
    {2, 16, 40, 10, 32, 3, 5, 1, 2, 1}, // a window of several panels
    {1, 20, 20, 16, 16, 3, 3, 1, 2, 2}, // dilated
    {3, 30, 3, 16, 32, 3, 1, 2, 1, 1},  // one column
};

TEST(PackedWeightGradient, EqualsTheReference) {
  for (const Shape &shape : shapes)
    for (const char *element : {"f32", "bf16", "f16"}) {
      SCOPED_TRACE(gradientOf(shape, element));
      CompiledKernel kernel(gradientOf(shape, element) +
                            " graph.yield %0 : " + tensor({shape.out, shape.in, shape.kernelH, shape.kernelW}, "f32"));
      kernel.check(2e-6);
    }
}

TEST(PackedWeightGradient, ATileOwnsOutputChannels) {
  EXPECT_EQ(CompiledKernel(gradientOf(shapes[0], "f32") + " graph.yield %0 : tensor<64x32x1x1xf32>").tiles(), 2);
}

TEST(PackedWeightGradient, HasAnEpilogue) {
  CompiledKernel(gradientOf(shapes[2], "bf16") + " %1 = graph.neg %0 : tensor<18x40x3x3xf32> -> tensor<18x40x3x3xf32>\n"
                                                 " graph.yield %1 : tensor<18x40x3x3xf32>")
      .check(2e-6);
}

} // namespace
