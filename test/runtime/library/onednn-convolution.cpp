// Convolutions of the oneDNN library against plain loops in double.
#include "test/runtime/library/OneDnnCalls.h"

#include <functional>

using namespace amp::runtime;
using namespace amp::runtime::onednn;

namespace {

struct Case {
  const char *name;
  Convolution call;
};

Convolution shape(int64_t batch, int64_t groups, int64_t channels, int64_t height, int64_t width, int64_t outChannels,
                  int64_t kernel, int64_t stride, int64_t dilation, int64_t padFirst, int64_t padLast) {
  Convolution c;
  c.batch = batch, c.groups = groups, c.channels = channels, c.height = height, c.width = width;
  c.outChannels = outChannels;
  c.kernelHeight = c.kernelWidth = kernel;
  c.strideHeight = c.strideWidth = stride;
  c.dilationHeight = c.dilationWidth = dilation;
  c.padTop = c.padLeft = padFirst;
  c.padBottom = c.padRight = padLast;
  int64_t reach = (kernel - 1) * dilation + 1;
  c.outHeight = (height + padFirst + padLast - reach) / stride + 1;
  c.outWidth = (width + padFirst + padLast - reach) / stride + 1;
  return c;
}

int64_t imageElements(const Convolution &c) {
  return c.batch * c.channels * c.height * c.width;
}
int64_t resultElements(const Convolution &c) {
  return c.batch * c.outChannels * c.outHeight * c.outWidth;
}
int64_t weightElements(const Convolution &c) {
  return c.outChannels * (c.channels / c.groups) * c.kernelHeight * c.kernelWidth;
}

/// Calls `term` with the places in x, weight and y of every product.
void forEachProduct(const Convolution &c, const std::function<void(int64_t, int64_t, int64_t)> &term) {
  int64_t in = c.channels / c.groups, out = c.outChannels / c.groups;
  for (int64_t n = 0; n < c.batch; ++n)
    for (int64_t oh = 0; oh < c.outHeight; ++oh)
      for (int64_t ow = 0; ow < c.outWidth; ++ow)
        for (int64_t o = 0; o < c.outChannels; ++o)
          for (int64_t i = 0; i < in; ++i)
            for (int64_t kh = 0; kh < c.kernelHeight; ++kh)
              for (int64_t kw = 0; kw < c.kernelWidth; ++kw) {
                int64_t h = oh * c.strideHeight + kh * c.dilationHeight - c.padTop;
                int64_t w = ow * c.strideWidth + kw * c.dilationWidth - c.padLeft;
                if (h < 0 || h >= c.height || w < 0 || w >= c.width)
                  continue;
                term(((n * c.height + h) * c.width + w) * c.channels + o / out * in + i,
                     ((o * in + i) * c.kernelHeight + kh) * c.kernelWidth + kw,
                     ((n * c.outHeight + oh) * c.outWidth + ow) * c.outChannels + o);
              }
}

struct Sums {
  explicit Sums(int64_t elements) : value(static_cast<size_t>(elements)), magnitude(static_cast<size_t>(elements)) {}
  void add(int64_t place, double product) {
    value[static_cast<size_t>(place)] += product;
    magnitude[static_cast<size_t>(place)] += std::abs(product);
  }
  std::vector<double> value, magnitude;
};

class OneDnnConvolution : public testing::TestWithParam<Case> {
protected:
  Convolution c = GetParam().call;
  Floats x = makeFloats(imageElements(c), 1), weight = makeFloats(weightElements(c), 2),
         dy = makeFloats(resultElements(c), 3);

  Floats packed(std::string_view pack) {
    Planned planned_ = planned(pack, c);
    int64_t bytes = planned_.description.packedBytes;
    EXPECT_EQ(bytes % 4, 0);
    return run(planned_, {&weight}, 1, bytes / 4);
  }

  /// Plain and packed weights, from one thread and from three.
  void check(std::string_view operation, std::string_view pack, const Floats &source, const Sums &wanted) {
    int64_t elements = int64_t(wanted.value.size());
    Planned plain = planned(operation, c);
    Floats seen = run(plain, {&source, &weight}, 2, elements);
    expectClose(seen, wanted.value, wanted.magnitude);
    expectSameBitsFromThreads(plain, {&source, &weight}, 2, seen);

    Floats packedWeight = packed(pack);
    c.packedWeight = true;
    Planned withPacked = planned(operation, c);
    EXPECT_EQ(withPacked.description.packedBytes, int64_t(packedWeight.size()) * 4);
    Floats same = run(withPacked, {&source, &packedWeight}, 2, elements);
    EXPECT_EQ(same, seen);
    expectSameBitsFromThreads(withPacked, {&source, &packedWeight}, 2, seen);
  }
};

TEST_P(OneDnnConvolution, ForwardIsTheSumOfProducts) {
  Sums wanted(resultElements(c));
  forEachProduct(
      c, [&](int64_t image, int64_t tap, int64_t result) { wanted.add(result, double(x[image]) * weight[tap]); });
  check(convolutionForward, packForward, x, wanted);
}

TEST_P(OneDnnConvolution, InputGradientIsTheSumOfProducts) {
  Sums wanted(imageElements(c));
  forEachProduct(
      c, [&](int64_t image, int64_t tap, int64_t result) { wanted.add(image, double(dy[result]) * weight[tap]); });
  check(convolutionInputGradient, packInputGradient, dy, wanted);
}

TEST_P(OneDnnConvolution, WeightGradientIsTheSumOfProducts) {
  Sums wanted(weightElements(c));
  forEachProduct(c,
                 [&](int64_t image, int64_t tap, int64_t result) { wanted.add(tap, double(dy[result]) * x[image]); });
  Planned call = planned(convolutionWeightGradient, c);
  Floats seen = run(call, {&x, &dy}, 2, weightElements(c));
  expectClose(seen, wanted.value, wanted.magnitude);
  expectSameBitsFromThreads(call, {&x, &dy}, 2, seen);
}

TEST(OneDnnInputGradient, IsExchangedWhereTheForwardPassIsFaster) {
  if (libraryVersion() != "2.6.3 avx2")
    GTEST_SKIP() << "oneDNN " << libraryVersion() << " has other code";
  auto code = [](const Convolution &call) { return describe(convolutionInputGradient, call)->implementation; };
  EXPECT_EQ(code(shape(1, 1, 64, 6, 6, 32, 1, 1, 1, 0, 0)), "exchanged jit_1x1:avx2");
  EXPECT_EQ(code(shape(1, 1, 64, 6, 6, 32, 1, 2, 1, 0, 0)), "jit_1x1:avx2");
}

TEST(OneDnnForward, IsTurnedWhereTheInputGradientIsFaster) {
  if (libraryVersion() != "2.6.3 avx2")
    GTEST_SKIP() << "oneDNN " << libraryVersion() << " has other code";
  auto code = [](const Convolution &call) { return describe(convolutionForward, call)->implementation; };
  EXPECT_EQ(code(shape(1, 1, 32, 14, 14, 32, 3, 1, 1, 1, 1)), "turned jit:avx2");
  EXPECT_EQ(code(shape(1, 1, 32, 14, 14, 32, 3, 2, 1, 1, 1)), "jit:avx2");
  EXPECT_EQ(code(shape(1, 1, 30, 14, 14, 32, 3, 1, 1, 1, 1)), "jit:avx2");
}

INSTANTIATE_TEST_SUITE_P(Shapes, OneDnnConvolution,
                         testing::Values(Case{"one_channel", shape(2, 1, 1, 12, 12, 6, 5, 1, 1, 2, 2)},
                                         Case{"odd_sizes", shape(1, 1, 5, 9, 7, 11, 3, 1, 1, 1, 1)},
                                         Case{"stride", shape(2, 1, 16, 15, 15, 24, 3, 2, 1, 1, 0)},
                                         Case{"pointwise", shape(1, 1, 64, 6, 6, 32, 1, 1, 1, 0, 0)},
                                         Case{"pointwise_stride", shape(1, 1, 16, 8, 8, 16, 1, 2, 1, 0, 0)},
                                         Case{"dilation", shape(1, 1, 8, 11, 11, 8, 3, 1, 2, 2, 2)},
                                         Case{"groups", shape(2, 2, 16, 8, 8, 32, 3, 1, 1, 1, 1)},
                                         Case{"depthwise", shape(1, 8, 8, 9, 9, 8, 3, 1, 1, 1, 1)},
                                         Case{"turned", shape(2, 1, 16, 9, 12, 24, 3, 1, 1, 0, 1)},
                                         Case{"turned_wide", shape(1, 1, 8, 10, 7, 32, 5, 1, 1, 3, 1)},
                                         Case{"blocked", shape(1, 1, 32, 14, 14, 32, 3, 1, 1, 1, 1)}),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
