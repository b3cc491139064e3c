// Batch and layer normalisation against the reference: both layouts, 16-bit storage, channels that do not fill a
// vector.
#include "test/compiler/codegen/CompiledKernel.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace amp::test;

namespace {

/// An image or a matrix, and the axis of its channels.
struct Channels {
  const char *shape;
  int axis, count;
};

// Runs and chunks of rows with and without a rest, blocks of channels with a narrow last one.
const Channels shapes[] = {{"3x5x7x19", 3, 19}, {"2x19x5x7", 1, 19}, {"37x50", 1, 50},
                           {"4x300x3", 2, 3},   {"3x3x1030", 1, 3},  {"2x9x8x160", 3, 160},
                           {"1x40x6x6", 1, 40}, {"8x64x2x2", 1, 64}, {"700x80", 1, 80}};

std::string tensor(const std::string &shape, const std::string &element) {
  return "tensor<" + shape + "x" + element + ">";
}

template <typename Body> void forEachShape(Body body) {
  for (const Channels &channels : shapes)
    for (const char *element : {"f32", "bf16", "f16"}) {
      SCOPED_TRACE(std::string(channels.shape) + " " + element);
      body(tensor(channels.shape, element), tensor(std::to_string(channels.count), "f32"),
           "axis = " + std::to_string(channels.axis) + " : i64", std::string(element));
    }
}

double toleranceOf(const std::string &element) {
  return element == "f32" ? 2e-6 : 1e-5;
}

TEST(BatchNormalization, Moments) {
  forEachShape([](const std::string &x, const std::string &c, const std::string &axis, const std::string &element) {
    CompiledKernel("^bb0(%x: " + x + "):\n %0, %1, %2 = graph.batch_moments %x {" + axis + ", eps = 1.0e-5 : f64} : (" +
                   x + ") -> (" + c + ", " + c + ", " + c + ")\n graph.yield %0, %1, %2 : " + c + ", " + c + ", " + c)
        .check(toleranceOf(element));
  });
}

// The mean is ten thousand deviations away from 0: E[x^2] - E[x]^2 would be noise.
TEST(BatchNormalization, MomentsFarFromZero) {
  for (const char *shape : {"4x31x33x16", "4x16x31x33"}) {
    SCOPED_TRACE(shape);
    std::string x = tensor(shape, "f32"), axis = shape[2] == '3' ? "3" : "1";
    CompiledKernel kernel("^bb0(%x: " + x + "):\n %0, %1, %2 = graph.batch_moments %x {axis = " + axis +
                          " : i64, eps = 0.0 : f64} : (" + x +
                          ") -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)\n graph.yield %0, %1, %2 : "
                          "tensor<16xf32>, tensor<16xf32>, tensor<16xf32>");
    auto inputs = kernel.inputs(5);
    for (double &value : inputs[0].floats)
      value = float(1000.0 + 0.1 * value);
    auto got = kernel.run(inputs), want = kernel.reference(inputs);
    for (int channel = 0; channel < 16; ++channel) {
      EXPECT_NEAR(got[0].floats[channel], want[0].floats[channel], 1000 * 0x1p-24);
      EXPECT_NEAR(got[1].floats[channel] / want[1].floats[channel], 1.0, 1e-3);
    }
  }
}

TEST(BatchNormalization, MomentsMoveRunningStatistics) {
  std::string x = "tensor<5x4x4x100xbf16>", c = "tensor<100xf32>";
  CompiledKernel kernel(
      "^bb0(%x: " + x + ", %m: " + c + ", %v: " + c + "):\n %0, %1, %2 = graph.batch_moments %x {axis = 3 : i64, " +
      "eps = 1.0e-5 : f64} : (" + x + ") -> (" + c + ", " + c + ", " + c +
      ")\n %3, %4 = graph.update_statistics %0, %1, %m, %v {momentum = 0.9 : f64, correction = 1.0125 : f64} : (" + c +
      ", " + c + ", " + c + ", " + c + ") -> (" + c + ", " + c + ")\n graph.yield %0, %2, %3, %4 : " + c + ", " + c +
      ", " + c + ", " + c);
  EXPECT_GT(kernel.tiles(), 0);
  kernel.check(1e-5);
}

TEST(BatchNormalization, NormalizeWithEpilogue) {
  forEachShape([](const std::string &x, const std::string &c, const std::string &axis, const std::string &) {
    CompiledKernel("^bb0(%x: " + x + ", %m: " + c + ", %d: " + c + ", %s: " + c + ", %b: " + c + ", %r: " + x +
                   "):\n %0 = graph.normalize %x, %m, %d, %s, %b {" + axis + ", of_batch = true} : (" + x + ", " + c +
                   ", " + c + ", " + c + ", " + c + ") -> " + x + "\n %1 = graph.add %0, %r : (" + x + ", " + x +
                   ") -> " + x + "\n %2 = graph.relu %1 : " + x + " -> " + x + "\n graph.yield %2 : " + x)
        .check(4e-3);
  });
}

TEST(BatchNormalization, SumsWithPrologue) {
  forEachShape([](const std::string &x, const std::string &c, const std::string &axis, const std::string &element) {
    CompiledKernel("^bb0(%y: " + x + ", %dy: " + x + ", %x: " + x + ", %m: " + c + ", %d: " + c +
                   "):\n %0 = graph.relu_grad %dy, %y : " + x + ", " + x + " -> " + x +
                   "\n %1, %2 = graph.normalize_sums %0, %x, %m, %d {" + axis + "} : (" + x + ", " + x + ", " + c +
                   ", " + c + ") -> (" + c + ", " + c + ")\n graph.yield %1, %2 : " + c + ", " + c)
        .check(toleranceOf(element));
  });
}

// The gradient of a pool over the whole image reaches the sums through a broadcast.
TEST(BatchNormalization, SumsOfBroadcastGradient) {
  for (auto [image, point, axis] : {std::tuple{"4x6x5x70", "4x1x1x70", "3"}, std::tuple{"4x70x6x5", "4x70x1x1", "1"}}) {
    SCOPED_TRACE(image);
    std::string x = tensor(image, "bf16"), p = tensor(point, "bf16"), c = "tensor<70xf32>";
    CompiledKernel("^bb0(%y: " + x + ", %p: " + p + ", %x: " + x + ", %m: " + c + ", %d: " + c +
                   "):\n %e = graph.expand %p : " + p + " -> " + x + "\n %0 = graph.relu_grad %e, %y : " + x + ", " +
                   x + " -> " + x + "\n %1, %2 = graph.normalize_sums %0, %x, %m, %d {axis = " + axis + " : i64} : (" +
                   x + ", " + x + ", " + c + ", " + c + ") -> (" + c + ", " + c + ")\n graph.yield %1, %2 : " + c +
                   ", " + c)
        .check(1e-5);
  }
}

TEST(BatchNormalization, Gradient) {
  forEachShape([](const std::string &x, const std::string &c, const std::string &axis, const std::string &element) {
    CompiledKernel("^bb0(%dy: " + x + ", %x: " + x + ", %m: " + c + ", %d: " + c + ", %s: " + c + ", %ds: " + c +
                   ", %db: " + c + "):\n %0 = graph.normalize_grad %dy, %x, %m, %d, %s, %ds, %db {" + axis + "} : (" +
                   x + ", " + x + ", " + c + ", " + c + ", " + c + ", " + c + ", " + c + ") -> " + x +
                   "\n graph.yield %0 : " + x)
        .check(toleranceOf(element));
  });
}

struct Rows {
  const char *shape, *trailing;
  int axis, parts;
};
const Rows rows[] = {{"6x50", "50", 1, 4}, {"3x7x5", "5", 2, 8}, {"9x4x10", "4x10", 1, 2}, {"40x768", "768", 1, 16}};

TEST(LayerNormalization, ForwardWithPrologueAndEpilogue) {
  for (const Rows &r : rows)
    for (const char *element : {"f32", "bf16", "f16"}) {
      SCOPED_TRACE(std::string(r.shape) + " " + element);
      std::string x = tensor(r.shape, element), s = tensor(r.trailing, "f32"), y = tensor(r.shape, "bf16");
      std::string norm = " {axis = " + std::to_string(r.axis) + " : i64, eps = 1.0e-5 : f64} : (" + x + ", " + s;
      CompiledKernel("^bb0(%x: " + x + ", %s: " + s + ", %b: " + s + "):\n %0 = graph.layer_norm %x, %s, %b" + norm +
                     ", " + s + ") -> " + x + "\n graph.yield %0 : " + x)
          .check(4e-6);
      CompiledKernel("^bb0(%x: " + x + ", %r: " + x + ", %s: " + s + "):\n %1 = graph.add %x, %r : (" + x + ", " + x +
                     ") -> " + x + "\n %0 = graph.layer_norm %1, %s" + norm + ") -> " + x +
                     "\n %2 = graph.cast %0 : " + x + " -> " + y + "\n graph.yield %2 : " + y)
          .check(std::string(element) == "f32" ? 1e-5 : 1e-2);
    }
}

TEST(LayerNormalization, PrologueWithPositions) {
  CompiledKernel(R"(^bb0(%x: tensor<3x7x36xf32>, %p: tensor<7x36xf32>, %s: tensor<36xf32>):
    %0 = graph.add %x, %p : (tensor<3x7x36xf32>, tensor<7x36xf32>) -> tensor<3x7x36xf32>
    %1 = graph.layer_norm %0, %s {axis = 2 : i64, eps = 1.0e-5 : f64} : (tensor<3x7x36xf32>, tensor<36xf32>) -> tensor<3x7x36xf32>
    graph.yield %1 : tensor<3x7x36xf32>)")
      .check(4e-6);
  CompiledKernel(R"(^bb0(%x: tensor<3x7x36xf32>, %p: tensor<3x7x1xf32>, %s: tensor<7x36xf32>):
    %0 = graph.add %x, %p : (tensor<3x7x36xf32>, tensor<3x7x1xf32>) -> tensor<3x7x36xf32>
    %1 = graph.layer_norm %0, %s {axis = 1 : i64, eps = 1.0e-5 : f64} : (tensor<3x7x36xf32>, tensor<7x36xf32>) -> tensor<3x7x36xf32>
    graph.yield %1 : tensor<3x7x36xf32>)")
      .check(4e-6);
}

TEST(LayerNormalization, GradientInParts) {
  for (const Rows &r : rows)
    for (const char *element : {"f32", "bf16", "f16"})
      for (bool wholly : {true, false}) {
        SCOPED_TRACE(std::string(r.shape) + " " + element);
        std::string x = tensor(r.shape, element), s = tensor(r.trailing, "f32");
        std::string parts = tensor(std::to_string(r.parts) + "x" + r.trailing, "f32");
        std::string yield = wholly ? "%0, %1, %2 : " + x + ", " + parts + ", " + parts : "%2, %0 : " + parts + ", " + x;
        CompiledKernel kernel("^bb0(%dy: " + x + ", %x: " + x + ", %s: " + s +
                              "):\n %0, %1, %2 = graph.layer_norm_grad %dy, %x, %s {axis = " + std::to_string(r.axis) +
                              " : i64, eps = 1.0e-5 : f64, parts = " + std::to_string(r.parts) + " : i64} : (" + x +
                              ", " + x + ", " + s + ") -> (" + x + ", " + parts + ", " + parts + ")\n graph.yield " +
                              yield);
        EXPECT_EQ(kernel.tiles(), r.parts);
        kernel.check(1e-5);
      }
}

} // namespace
