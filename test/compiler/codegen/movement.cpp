// Gathers, slices, triangles and joins against the reference, with indices outside and shapes that no vector divides.
#include "test/compiler/codegen/CompiledKernel.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace amp::test;

namespace {

std::string tensor(const std::string &shape, const std::string &element) {
  return "tensor<" + shape + (shape.empty() ? "" : "x") + element + ">";
}

/// Indices in [-length, length), then some that lie outside.
void spoil(Tensor &indices, int64_t length, bool outside) {
  for (size_t i = 0; i < indices.integers.size(); ++i)
    if (i % 3 == 1)
      indices.integers[i] -= length;
  if (outside && indices.integers.size() > 2) {
    indices.integers[0] = 7 * length;
    indices.integers[2] = -9 * length;
  }
}

/// Where an index outside [-length, length) is clamped to.
void clamp(Tensor &indices, int64_t length) {
  for (int64_t &index : indices.integers)
    index = std::clamp<int64_t>(index < 0 ? index + length : index, 0, length - 1);
}

/// Runs with indices outside, and expects what the reference gives for them clamped.
void checkOutside(const CompiledKernel &kernel, size_t indices, int64_t length) {
  auto inputs = kernel.inputs(4, length);
  spoil(inputs[indices], length, true);
  auto got = kernel.run(inputs);
  clamp(inputs[indices], length);
  auto want = kernel.reference(inputs);
  EXPECT_EQ(got[0].floats, want[0].floats);
}

struct Lookup {
  const char *x, *indices, *y;
  int axis, length;
};

TEST(Gather, SlicesByIndex) {
  const Lookup lookups[] = {{"13x40", "3x5", "3x5x40", 0, 13},
                            {"4x9x7", "5", "4x5x7", 1, 9},
                            {"4x9", "6", "4x6", 1, 9},
                            {"3x8x19", "", "3x19", 1, 8},
                            {"700x33", "600", "600x33", 0, 700}};
  for (const Lookup &l : lookups)
    for (const char *element : {"f32", "bf16", "f16"})
      for (const char *integer : {"i64", "i32"}) {
        SCOPED_TRACE(std::string(l.x) + " " + element);
        std::string x = tensor(l.x, element), i = tensor(l.indices, integer), y = tensor(l.y, element);
        CompiledKernel kernel("^bb0(%x: " + x + ", %i: " + i + "):\n %0 = graph.gather %x, %i {axis = " +
                              std::to_string(l.axis) + " : i64} : (" + x + ", " + i + ") -> " + y +
                              "\n %1 = graph.relu %0 : " + y + " -> " + y + "\n graph.yield %1 : " + y);
        auto inputs = kernel.inputs(4, l.length);
        spoil(inputs[1], l.length, false);
        kernel.check(inputs);
        checkOutside(kernel, 1, l.length);
      }
}

TEST(Gather, Elements) {
  std::string x = "tensor<6x9xf32>", i = "tensor<4x9xi64>", y = "tensor<4x9xf32>";
  CompiledKernel rows("^bb0(%x: " + x + ", %i: " + i + "):\n %0 = graph.gather_elements %x, %i {axis = 0 : i64} : (" +
                      x + ", " + i + ") -> " + y + "\n graph.yield %0 : " + y);
  checkOutside(rows, 1, 6);
  x = "tensor<6x90xbf16>", i = "tensor<6x33xi64>", y = "tensor<6x33xbf16>";
  CompiledKernel columns("^bb0(%x: " + x + ", %i: " + i +
                         "):\n %0 = graph.gather_elements %x, %i {axis = 1 : i64} : (" + x + ", " + i + ") -> " + y +
                         "\n graph.yield %0 : " + y);
  checkOutside(columns, 1, 90);
}

TEST(Gather, Tuples) {
  std::string x = "tensor<5x5x21xf32>", i = "tensor<3x4x2xi64>", y = "tensor<3x4x21xf32>";
  CompiledKernel slices("^bb0(%x: " + x + ", %i: " + i + "):\n %0 = graph.gather_nd %x, %i {batch_dims = 0 : i64} : (" +
                        x + ", " + i + ") -> " + y + "\n graph.yield %0 : " + y);
  checkOutside(slices, 1, 5);
  x = "tensor<3x6x7xf32>", i = "tensor<3x4x1xi64>", y = "tensor<3x4x7xf32>";
  CompiledKernel batches("^bb0(%x: " + x + ", %i: " + i +
                         "):\n %0 = graph.gather_nd %x, %i {batch_dims = 1 : i64} : (" + x + ", " + i + ") -> " + y +
                         "\n graph.yield %0 : " + y);
  checkOutside(batches, 1, 6);
}

TEST(Gather, GradientAddsInOrder) {
  const Lookup lookups[] = {{"13x40", "3x5", "3x5x40", 0, 13},
                            {"4x9x7", "5", "4x5x7", 1, 9},
                            {"4x9", "6", "4x6", 1, 9},
                            {"3000x33", "600", "600x33", 0, 3000}};
  for (const Lookup &l : lookups)
    for (const char *element : {"f32", "bf16"}) {
      SCOPED_TRACE(std::string(l.x) + " " + element);
      std::string dx = tensor(l.x, "f32"), i = tensor(l.indices, "i64"), dy = tensor(l.y, element);
      CompiledKernel kernel("^bb0(%dy: " + dy + ", %i: " + i + "):\n %0 = graph.gather_grad %dy, %i {axis = " +
                            std::to_string(l.axis) + " : i64, length = " + std::to_string(l.length) + " : i64} : (" +
                            dy + ", " + i + ") -> " + dx + "\n graph.yield %0 : " + dx);
      if (l.length == 3000)
        EXPECT_GT(kernel.tiles(), 4);
      auto inputs = kernel.inputs(4, std::min(l.length, 7));
      spoil(inputs[1], l.length, false);
      kernel.check(inputs, 1e-6);
    }
}

TEST(Concat, AlongEveryAxis) {
  struct Join {
    const char *a, *b, *y;
    int axis;
  };
  const Join joins[] = {
      {"3x4x5", "2x4x5", "5x4x5", 0}, {"3x4x5", "3x1x5", "3x5x5", 1}, {"300x4x35", "300x4x12", "300x4x47", 2}};
  for (const Join &j : joins)
    for (const char *element : {"f32", "bf16", "f16", "i64", "i1"}) {
      SCOPED_TRACE(std::string(j.a) + " " + element);
      std::string a = tensor(j.a, element), b = tensor(j.b, element), y = tensor(j.y, element);
      CompiledKernel("^bb0(%a: " + a + ", %b: " + b + "):\n %0 = graph.concat %a, %b {axis = " +
                     std::to_string(j.axis) + " : i64} : (" + a + ", " + b + ") -> " + y + "\n graph.yield %0 : " + y)
          .check(0);
    }
}

struct Cut {
  const char *whole, *part, *axes, *starts, *ends, *steps;
};
const Cut cuts[] = {{"4x60", "4x20", "1", "20", "40", "1"},
                    {"4x60", "4x7", "1", "-9", "58", "1"},
                    {"7x9x11", "3x9x4", "0, 2", "1, 9", "7, -12", "2, -3"},
                    {"3x30", "3x3", "1", "27", "100", "1"},
                    {"600x33", "500x33", "0", "100", "600", "1"},
                    {"5x17", "5x9", "1", "0", "17", "2"}};

std::string sliceAttributes(const Cut &cut) {
  return std::string("axes = array<i64: ") + cut.axes + ">, starts = array<i64: " + cut.starts +
         ">, ends = array<i64: " + cut.ends + ">, steps = array<i64: " + cut.steps + ">";
}

TEST(Slice, RangesAndSteps) {
  for (const Cut &cut : cuts)
    for (const char *element : {"f32", "bf16", "i64"}) {
      SCOPED_TRACE(std::string(cut.whole) + " " + cut.part + " " + element);
      std::string x = tensor(cut.whole, element), y = tensor(cut.part, element);
      CompiledKernel("^bb0(%x: " + x + ", %b: " + y + "):\n %0 = graph.slice %x {" + sliceAttributes(cut) + "} : " + x +
                     " -> " + y + "\n %1 = graph.add %0, %b : (" + y + ", " + y + ") -> " + y +
                     "\n graph.yield %1 : " + y)
          .check();
    }
}

TEST(Slice, GradientHasZerosAround) {
  for (const Cut &cut : cuts)
    for (const char *element : {"f32", "bf16"}) {
      SCOPED_TRACE(std::string(cut.whole) + " " + cut.part + " " + element);
      std::string x = tensor(cut.whole, element), y = tensor(cut.part, element), shape = cut.whole;
      std::replace(shape.begin(), shape.end(), 'x', ',');
      CompiledKernel("^bb0(%dy: " + y + ", %b: " + x + "):\n %0 = graph.slice_grad %dy {" + sliceAttributes(cut) +
                     ", input_shape = array<i64: " + shape + ">} : " + y + " -> " + x + "\n %1 = graph.add %0, %b : (" +
                     x + ", " + x + ") -> " + x + "\n graph.yield %1, %0 : " + x + ", " + x)
          .check();
    }
}

TEST(Trilu, BothTriangles) {
  for (const char *shape : {"2x19x23", "17x17"})
    for (const char *upper : {"true", "false"})
      for (int k : {-3, 0, 2}) {
        SCOPED_TRACE(std::string(shape) + " " + upper + " " + std::to_string(k));
        std::string x = tensor(shape, "f32");
        CompiledKernel kernel("^bb0(%x: " + x + "):\n %0 = graph.trilu %x {upper = " + std::string(upper) + ", k = " +
                              std::to_string(k) + " : i64} : " + x + " -> " + x + "\n graph.yield %0 : " + x);
        auto inputs = kernel.inputs(2);
        std::fill(inputs[0].floats.begin(), inputs[0].floats.begin() + 2, std::nan("")); // hidden ones must not show
        kernel.check(inputs);
      }
}

// A view in the middle that no vector fits: code falls back to single elements, and is right.
TEST(Views, NestWithoutVectors) {
  CompiledKernel(R"(^bb0(%x: tensor<6x10xf32>, %b: tensor<4x15xf32>):
    %0 = graph.transpose %x {permutation = array<i64: 1, 0>} : tensor<6x10xf32> -> tensor<10x6xf32>
    %1 = graph.reshape %0 : tensor<10x6xf32> -> tensor<4x15xf32>
    %2 = graph.add %1, %b : (tensor<4x15xf32>, tensor<4x15xf32>) -> tensor<4x15xf32>
    %3 = graph.softmax %2 {axis = 1 : i64} : tensor<4x15xf32> -> tensor<4x15xf32>
    graph.yield %3 : tensor<4x15xf32>)")
      .check();
}

} // namespace
