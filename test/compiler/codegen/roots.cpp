// Every family of roots against the reference, in both layouts and with an epilogue where one can follow.
#include "test/compiler/codegen/CompiledKernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace amp::test;

namespace {

struct Geometry {
  int batch, in, out, height, width, kernel, stride, pad, dilation, groups;
  int outHeight() const { return (height + 2 * pad - (kernel - 1) * dilation - 1) / stride + 1; }
  int outWidth() const { return (width + 2 * pad - (kernel - 1) * dilation - 1) / stride + 1; }
};

const Geometry geometries[] = {{2, 1, 6, 12, 12, 5, 1, 0, 1, 1}, {2, 6, 16, 12, 12, 5, 1, 0, 1, 1},
                               {3, 3, 19, 7, 9, 3, 2, 1, 1, 1},  {1, 8, 40, 6, 5, 3, 1, 2, 2, 1},
                               {2, 6, 4, 8, 8, 3, 2, 0, 1, 2},   {1, 4, 4, 5, 5, 1, 1, 0, 1, 4}};

std::string dims(std::initializer_list<int> lengths) {
  std::string text;
  for (int length : lengths)
    text += std::to_string(length) + "x";
  return text;
}
std::string image(bool last, int n, int c, int h, int w, const std::string &element) {
  return "tensor<" + (last ? dims({n, h, w, c}) : dims({n, c, h, w})) + element + ">";
}
std::string array(std::initializer_list<int> numbers) {
  std::string text = "array<i64: ";
  for (int number : numbers)
    text += (text.back() == ' ' ? "" : ", ") + std::to_string(number);
  return text + ">";
}
std::string layoutName(bool last) {
  return last ? "#graph<layout channels_last>" : "#graph<layout channels_first>";
}

std::string attributes(const Geometry &g, bool last) {
  return "strides = " + array({g.stride, g.stride}) + ", pads = " + array({g.pad, g.pad, g.pad, g.pad}) +
         ", dilations = " + array({g.dilation, g.dilation}) + ", groups = " + std::to_string(g.groups) +
         " : i64, layout = " + layoutName(last);
}

template <typename Body> void forEachConvolution(Body body) {
  for (const Geometry &g : geometries)
    for (bool last : {false, true})
      for (const char *element : {"f32", "bf16"}) {
        SCOPED_TRACE("channels " + std::to_string(g.in) + " to " + std::to_string(g.out) +
                     (last ? " last " : " first ") + element);
        body(g, last, std::string(element));
      }
}
double toleranceOf(const std::string &element) {
  return element == "f32" ? 2e-6 : 1e-2;
}

TEST(Convolution, ForwardWithBias) {
  forEachConvolution([](const Geometry &g, bool last, const std::string &element) {
    std::string x = image(last, g.batch, g.in, g.height, g.width, element);
    std::string w = "tensor<" + dims({g.out, g.in / g.groups, g.kernel, g.kernel}) + element + ">";
    std::string y = image(last, g.batch, g.out, g.outHeight(), g.outWidth(), element);
    std::string bias = "tensor<" + std::to_string(g.out) + "xf32>";
    CompiledKernel("^bb0(%x: " + x + ", %w: " + w + ", %b: " + bias + "):\n %0 = graph.conv2d %x, %w {" +
                   attributes(g, last) + "} : (" + x + ", " + w + ") -> " + y +
                   "\n %1 = graph.bias_add %0, %b {axis = " + (last ? "3" : "1") + " : i64} : (" + y + ", " + bias +
                   ") -> " + y + "\n graph.yield %1 : " + y)
        .check(toleranceOf(element));
  });
}

TEST(Convolution, InputGradient) {
  forEachConvolution([](const Geometry &g, bool last, const std::string &element) {
    std::string dx = image(last, g.batch, g.in, g.height, g.width, element);
    std::string w = "tensor<" + dims({g.out, g.in / g.groups, g.kernel, g.kernel}) + element + ">";
    std::string dy = image(last, g.batch, g.out, g.outHeight(), g.outWidth(), element);
    std::string shape = last ? array({g.batch, g.height, g.width, g.in}) : array({g.batch, g.in, g.height, g.width});
    CompiledKernel("^bb0(%dy: " + dy + ", %w: " + w + "):\n %0 = graph.conv2d_input_grad %dy, %w {" +
                   attributes(g, last) + ", input_shape = " + shape + "} : (" + dy + ", " + w + ") -> " + dx +
                   "\n graph.yield %0 : " + dx)
        .check(toleranceOf(element));
  });
}

TEST(Convolution, WeightGradient) {
  forEachConvolution([](const Geometry &g, bool last, const std::string &element) {
    std::string x = image(last, g.batch, g.in, g.height, g.width, element);
    std::string dw = "tensor<" + dims({g.out, g.in / g.groups, g.kernel, g.kernel}) + "f32>";
    std::string dy = image(last, g.batch, g.out, g.outHeight(), g.outWidth(), element);
    std::string shape = array({g.out, g.in / g.groups, g.kernel, g.kernel});
    CompiledKernel("^bb0(%x: " + x + ", %dy: " + dy + "):\n %0 = graph.conv2d_weight_grad %x, %dy {" +
                   attributes(g, last) + ", weight_shape = " + shape + "} : (" + x + ", " + dy + ") -> " + dw +
                   "\n graph.yield %0 : " + dw)
        .check(2e-6);
  });
}

std::string poolAttributes(int kernel, int stride, int pad, bool from, bool to) {
  return "kernel = " + array({kernel, kernel}) + ", strides = " + array({stride, stride}) +
         ", pads = " + array({pad, pad, pad, pad}) + ", dilations = array<i64: 1, 1>, layout = " + layoutName(from) +
         ", result_layout = " + layoutName(to);
}

TEST(Pooling, BothLayoutsForwardAndBack) {
  for (bool from : {false, true})
    for (bool to : {false, true})
      for (auto [kernel, stride, pad] : {std::array<int, 3>{2, 2, 0}, {3, 2, 1}, {3, 1, 1}})
        for (const char *element : {"f32", "f16"}) {
          SCOPED_TRACE(std::to_string(from) + std::to_string(to) + " " + std::to_string(kernel) + " " + element);
          int out = (8 + 2 * pad - kernel) / stride + 1;
          std::string x = image(from, 2, 11, 8, 8, element), y = image(to, 2, 11, out, out, element);
          std::string shape = from ? "array<i64: 2, 8, 8, 11>" : "array<i64: 2, 11, 8, 8>";
          std::string window = poolAttributes(kernel, stride, pad, from, to);
          for (const char *kind : {"max", "average"}) {
            SCOPED_TRACE(kind);
            std::string op = "graph." + std::string(kind) + "_pool2d";
            CompiledKernel("^bb0(%x: " + x + "):\n %0 = " + op + " %x {" + window + "} : " + x + " -> " + y +
                           "\n graph.yield %0 : " + y)
                .check();
          }
          CompiledKernel back("^bb0(%dy: " + y + ", %x: " + x + "):\n %0 = graph.max_pool2d_grad %dy, %x {" + window +
                              "} : " + y + ", " + x + " -> " + x + "\n graph.yield %0 : " + x);
          auto inputs = back.inputs(5);
          // Few values make many equal maxima: the first of a window gets the gradient.
          for (double &value : inputs[1].floats)
            value = std::round(value * 2);
          back.check(inputs, 1e-6);
          CompiledKernel("^bb0(%dy: " + y + "):\n %0 = graph.average_pool2d_grad %dy {" + window +
                         ", input_shape = " + shape + "} : " + y + " -> " + x + "\n graph.yield %0 : " + x)
              .check();
        }
}

TEST(Reduction, AxesAndLengths) {
  struct Case {
    const char *x, *axes, *y;
  };
  for (const Case &c : {Case{"64x10", "0", "10"},
                        {"3x5x7x6", "0, 1, 2", "6"},
                        {"5x33", "1", "5"},
                        {"4x3x8", "1", "4x8"},
                        {"700x9", "0", "9"},
                        {"4x3x50", "0, 1, 2", ""},
                        {"2x6x5x5", "0, 2, 3", "6"}})
    for (const char *op : {"reduce_sum", "reduce_mean"})
      for (const char *element : {"f32", "bf16"}) {
        SCOPED_TRACE(std::string(op) + " " + c.x + " " + c.axes + " " + element);
        std::string x = "tensor<" + std::string(c.x) + "x" + element + ">";
        std::string y = "tensor<" + std::string(c.y) + (*c.y ? "x" : "") + "f32>";
        CompiledKernel("^bb0(%x: " + x + "):\n %0 = graph." + op + " %x {axes = array<i64: " + c.axes + ">} : " + x +
                       " -> " + y + "\n graph.yield %0 : " + y)
            .check(2e-6);
      }
}

TEST(Softmax, AlongLastAndOtherAxes) {
  for (auto [shape, axis] : {std::pair{"70x10", 1}, {"5x37", 1}, {"3x10x6", 1}, {"9x21", 0}})
    for (const char *op : {"softmax", "log_softmax"}) {
      SCOPED_TRACE(std::string(op) + " " + shape);
      std::string t = "tensor<" + std::string(shape) + "xf32>", at = "{axis = " + std::to_string(axis) + " : i64}";
      CompiledKernel("^bb0(%x: " + t + "):\n %0 = graph." + op + " %x " + at + " : " + t + " -> " + t +
                     "\n graph.yield %0 : " + t)
          .check();
      CompiledKernel("^bb0(%d: " + t + ", %y: " + t + "):\n %0 = graph." + op + "_grad %d, %y " + at + " : " + t +
                     ", " + t + " -> " + t + "\n graph.yield %0 : " + t)
          .check();
    }
}

TEST(Loss, CrossEntropyIgnoresLabels) {
  for (const char *mean : {"true", "false"})
    for (const char *element : {"f32", "bf16"})
      for (auto [logits, labels] : {std::pair{"64x10", "64"}, {"5x3x7", "5x7"}}) {
        SCOPED_TRACE(std::string(logits) + element + mean);
        std::string x = "tensor<" + std::string(logits) + "x" + element + ">",
                    l = "tensor<" + std::string(labels) + "xi64>";
        std::string at = " {axis = 1 : i64, ignore_index = -100 : i64, mean = " + std::string(mean) + "} : (";
        CompiledKernel forward("^bb0(%x: " + x + ", %l: " + l + "):\n %0 = graph.cross_entropy %x, %l" + at + x + ", " +
                               l + ") -> tensor<f32>\n graph.yield %0 : tensor<f32>");
        CompiledKernel back("^bb0(%s: tensor<f32>, %x: " + x + ", %l: " + l +
                            "):\n %0 = graph.cross_entropy_grad %s, %x, %l" + at + "tensor<f32>, " + x + ", " + l +
                            ") -> " + x + "\n graph.yield %0 : " + x);
        auto inputs = forward.inputs(2);
        inputs[1].integers[3] = -100;
        forward.check(inputs);
        auto gradientInputs = back.inputs(2);
        gradientInputs[2].integers[3] = -100;
        back.check(gradientInputs);
        std::fill(inputs[1].integers.begin(), inputs[1].integers.end(), -100);
        forward.check(inputs);
      }
}

TEST(Loss, MeanSquaredError) {
  CompiledKernel(R"(^bb0(%x: tensor<7x9xf32>, %t: tensor<7x9xf32>):
    %0 = graph.mse %x, %t {mean = true} : (tensor<7x9xf32>, tensor<7x9xf32>) -> tensor<f32>
    graph.yield %0 : tensor<f32>)")
      .check();
}

TEST(Dropout, MaskIsPhilox) {
  for (const char *shape : {"37", "4x9", "3x5x8"}) {
    std::string t = "tensor<" + std::string(shape) + "xf32>";
    CompiledKernel kernel("^bb0(%x: " + t +
                          ", %s: tensor<i64>, %u: tensor<i64>):\n %0 = graph.dropout %x keyed(%s, %u : "
                          "tensor<i64>, tensor<i64>) {ratio = 0.3 : f64, number = 4 : i64} : " +
                          t + " -> " + t + "\n graph.yield %0 : " + t);
    kernel.check(kernel.inputs(1, 1000000007));
  }
}

} // namespace
