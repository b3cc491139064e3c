// Family Convolution: reference evaluation. The three ops visit the same products and add into a different one of
// image, weight and result.
#include "dialects/graph/ops/ImageStrides.h"

using namespace mlir;
using namespace amp::graph;

namespace {
/// Calls fn(xOffset, weightOffset, yOffset) for every product of the convolution.
template <class ConvolutionOp> struct Products {
  ConvolutionOp op;
  ArrayRef<int64_t> x, weight, y;
  ImageAxes axes{op.getLayout()};
  ImageStrides xStrides{x, axes}, yStrides{y, axes};

  int64_t inputPosition(unsigned spatial, int64_t output, int64_t tap) {
    return output * op.getStrides()[spatial] + tap * op.getDilations()[spatial] - op.getPads()[spatial];
  }

  void forEach(llvm::function_ref<void(int64_t, int64_t, int64_t)> fn) {
    for (int64_t image = 0; image < y[0]; ++image)
      for (int64_t h = 0; h < y[axes.height]; ++h)
        for (int64_t w = 0; w < y[axes.width]; ++w)
          forEachOfPixel(image, h, w, fn);
  }

  void forEachOfPixel(int64_t image, int64_t h, int64_t w, llvm::function_ref<void(int64_t, int64_t, int64_t)> fn) {
    int64_t outputs = weight[0] / int64_t(op.getGroups());
    int64_t pixel = image * yStrides.image + h * yStrides.height + w * yStrides.width;
    for (int64_t a = 0; a < weight[2]; ++a)
      for (int64_t b = 0; b < weight[3]; ++b) {
        int64_t row = inputPosition(0, h, a), column = inputPosition(1, w, b);
        if (row < 0 || row >= x[axes.height] || column < 0 || column >= x[axes.width])
          continue;
        int64_t source = image * xStrides.image + row * xStrides.height + column * xStrides.width;
        for (int64_t o = 0; o < weight[0]; ++o)
          for (int64_t i = 0; i < weight[1]; ++i) {
            int64_t channel = o / outputs * weight[1] + i;
            fn(source + channel * xStrides.channel, ((o * weight[1] + i) * weight[2] + a) * weight[3] + b,
               pixel + o * yStrides.channel);
          }
      }
  }
};
} // namespace

LogicalResult Conv2dOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0], &weight = operands[1];
  ReferenceTensor y(getY().getType());
  Products<Conv2dOp>{*this, x.shape(), weight.shape(), y.shape()}.forEach(
      [&](int64_t xAt, int64_t wAt, int64_t yAt) { y.floats[yAt] += x.floats[xAt] * weight.floats[wAt]; });
  y.round();
  results.push_back(std::move(y));
  return success();
}

LogicalResult Conv2dInputGradOp::evaluate(ArrayRef<ReferenceTensor> operands,
                                          SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &dy = operands[0], &weight = operands[1];
  ReferenceTensor dx(getDx().getType());
  Products<Conv2dInputGradOp>{*this, dx.shape(), weight.shape(), dy.shape()}.forEach(
      [&](int64_t xAt, int64_t wAt, int64_t yAt) { dx.floats[xAt] += dy.floats[yAt] * weight.floats[wAt]; });
  dx.round();
  results.push_back(std::move(dx));
  return success();
}

LogicalResult Conv2dWeightGradOp::evaluate(ArrayRef<ReferenceTensor> operands,
                                           SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0], &dy = operands[1];
  ReferenceTensor dweight(getDweight().getType());
  Products<Conv2dWeightGradOp>{*this, x.shape(), dweight.shape(), dy.shape()}.forEach(
      [&](int64_t xAt, int64_t wAt, int64_t yAt) { dweight.floats[wAt] += x.floats[xAt] * dy.floats[yAt]; });
  dweight.round();
  results.push_back(std::move(dweight));
  return success();
}
