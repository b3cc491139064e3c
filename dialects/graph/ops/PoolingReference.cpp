// Family Pooling: reference evaluation.
#include "dialects/graph/ops/ImageStrides.h"

#include <cmath>

using namespace mlir;
using namespace amp::graph;

namespace {
/// One window: the offset of its result, the offsets of its cells inside the input in row-major order, and the number
/// of its cells inside the padded input.
struct Window {
  int64_t result;
  SmallVector<int64_t> cells;
  int64_t paddedCells;
};

/// The windows of a pool over images of physical shape x with results of physical shape y.
template <class PoolOp> class Windows {
public:
  Windows(PoolOp op, ArrayRef<int64_t> x, ArrayRef<int64_t> y)
      : op(op), x(x), y(y), from(op.getLayout()), to(op.getResultLayout()), source(x, from), target(y, to) {}

  void forEach(llvm::function_ref<void(const Window &)> fn) {
    int64_t logical[] = {y[0], y[to.channels], y[to.height], y[to.width]};
    forEachIndex(logical, [&](ArrayRef<int64_t> index) { fn(at(index)); });
  }

private:
  Window at(ArrayRef<int64_t> index) {
    Window window{index[0] * target.image + index[1] * target.channel + index[2] * target.height +
                      index[3] * target.width,
                  {},
                  0};
    int64_t plane = index[0] * source.image + index[1] * source.channel;
    int64_t rows = x[from.height], columns = x[from.width];
    for (int64_t a = 0; a < op.getKernel()[0]; ++a)
      for (int64_t b = 0; b < op.getKernel()[1]; ++b) {
        int64_t row = position(0, index[2], a), column = position(1, index[3], b);
        if (row < rows + op.getPads()[2] && column < columns + op.getPads()[3])
          ++window.paddedCells;
        if (row >= 0 && row < rows && column >= 0 && column < columns)
          window.cells.push_back(plane + row * source.height + column * source.width);
      }
    return window;
  }

  int64_t position(unsigned spatial, int64_t output, int64_t tap) {
    return output * op.getStrides()[spatial] + tap * op.getDilations()[spatial] - op.getPads()[spatial];
  }

  PoolOp op;
  ArrayRef<int64_t> x, y;
  ImageAxes from, to;
  ImageStrides source, target;
};
} // namespace

/// The first maximum; the first NaN wins over every number. None in a window that lies in the padding alone.
static std::optional<int64_t> firstMaximum(const ReferenceTensor &x, ArrayRef<int64_t> cells) {
  std::optional<int64_t> best;
  for (int64_t cell : cells) {
    if (std::isnan(x.floats[cell]))
      return cell;
    if (!best || x.floats[cell] > x.floats[*best])
      best = cell;
  }
  return best;
}

LogicalResult MaxPool2dOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y(getY().getType());
  Windows<MaxPool2dOp>(*this, x.shape(), y.shape()).forEach([&](const Window &window) {
    std::optional<int64_t> best = firstMaximum(x, window.cells);
    y.floats[window.result] = best ? x.floats[*best] : -INFINITY;
  });
  results.push_back(std::move(y));
  return success();
}

LogicalResult MaxPool2dGradOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &dy = operands[0], &x = operands[1];
  ReferenceTensor dx(x.type);
  Windows<MaxPool2dGradOp>(*this, x.shape(), dy.shape()).forEach([&](const Window &window) {
    if (std::optional<int64_t> best = firstMaximum(x, window.cells))
      dx.floats[*best] += dy.floats[window.result];
  });
  dx.round();
  results.push_back(std::move(dx));
  return success();
}

static double divisor(const Window &window, bool countIncludePad) {
  return double(countIncludePad ? window.paddedCells : int64_t(window.cells.size()));
}

LogicalResult AveragePool2dOp::evaluate(ArrayRef<ReferenceTensor> operands, SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y(getY().getType());
  Windows<AveragePool2dOp>(*this, x.shape(), y.shape()).forEach([&](const Window &window) {
    double sum = 0;
    for (int64_t cell : window.cells)
      sum += x.floats[cell];
    y.floats[window.result] = sum / divisor(window, getCountIncludePad());
  });
  y.round();
  results.push_back(std::move(y));
  return success();
}

LogicalResult AveragePool2dGradOp::evaluate(ArrayRef<ReferenceTensor> operands,
                                            SmallVectorImpl<ReferenceTensor> &results) {
  const ReferenceTensor &dy = operands[0];
  ReferenceTensor dx(getDx().getType());
  Windows<AveragePool2dGradOp>(*this, dx.shape(), dy.shape()).forEach([&](const Window &window) {
    for (int64_t cell : window.cells)
      dx.floats[cell] += dy.floats[window.result] / divisor(window, getCountIncludePad());
  });
  dx.round();
  results.push_back(std::move(dx));
  return success();
}
