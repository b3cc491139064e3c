// Matrix products. Register blocks of rows x vectors of columns where the right operand is read along its columns; dot
// products over vectors of the contracted axis where it is transposed and both operands are read along that axis.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

namespace {

struct MatMul {
  KernelEmitter &k;
  graph::MatMulOp op;
  Memory out;
  Type element; ///< of the sums
  int64_t rows, columns, depth;
  Index batch{}; ///< of the result's leading axes

  MatMul(KernelEmitter &k, graph::MatMulOp op) : k(k), op(op), out(k.staged(0)) {
    auto y = KernelEmitter::typeOf(op.getY());
    auto lhs = KernelEmitter::typeOf(op.getLhs());
    element = KernelEmitter::computeType(y.getElementType());
    rows = y.getShape()[y.getRank() - 2];
    columns = y.getShape().back();
    depth = lhs.getDimSize(lhs.getRank() - (op.getTransposeLhs() ? 2 : 1));
  }

  /// The value of an operand at (row, column) of the product's view of it; lanes run along `laneAxis`.
  Value operand(bool right, Value row, Value column, int64_t lanes = 1, int laneAxis = 0) {
    Value value = right ? op.getRhs() : op.getLhs();
    bool transposed = right ? op.getTransposeRhs() : op.getTransposeLhs();
    ArrayRef<int64_t> shape = KernelEmitter::typeOf(value).getShape();
    Index index;
    int64_t leading = int64_t(shape.size()) - 2;
    for (int64_t axis = 0; axis < leading; ++axis) {
      Value position = batch.axes[batch.axes.size() - leading + axis];
      index.axes.push_back(shape[axis] == 1 ? k.constant(0) : position);
    }
    index.axes.push_back(transposed ? column : row);
    index.axes.push_back(transposed ? row : column);
    index.lanes = lanes;
    if (lanes > 1)
      index.vectorAxis = int(leading) + (transposed ? 1 - laneAxis : laneAxis);
    return k.at(value, index);
  }

  Value place(Value firstRow, Value row, Value column) { return k.add(k.mul(k.add(firstRow, row), columns), column); }

  void emit();
  void widenLeft();
  Value leftAt(Value row, Value position);
  void rowBlocks(int64_t step, int64_t tail, llvm::function_ref<void(Value, int64_t)> body);
  void block(Value row, int64_t height, Value column, ArrayRef<int64_t> widths);
  void dotBlock(Value row, int64_t height, Value column, int64_t width);
  void outer();
  void dots();

  Value first, last; ///< rows of this tile inside their matrix
  std::optional<Memory> left;
  Value matrixRow; ///< the row of the result, over all matrices, where this matrix begins
};

void MatMul::emit() {
  auto y = KernelEmitter::typeOf(op.getY());
  int64_t matrixElements = rows * columns;
  Value firstRow = k.divide(k.begin, columns), lastRow = k.divide(k.end, columns);
  Value firstMatrix = k.divide(k.begin, matrixElements);
  Value lastMatrix = k.divide(k.add(k.end, matrixElements - 1), matrixElements);
  k.loop(firstMatrix, lastMatrix, 1, [&](Value matrix) {
    batch = k.delinearise(y.getShape().drop_back(2), matrix);
    matrixRow = k.mul(matrix, rows);
    first = k.larger(k.sub(firstRow, matrixRow), k.constant(0));
    last = k.smaller(k.sub(lastRow, matrixRow), k.constant(rows));
    if (op.getTransposeRhs() && !op.getTransposeLhs() && depth >= k.target.lanes)
      return dots();
    widenLeft();
    outer();
  });
}

/// The rows of the left operand in f32, one after the other: each of their elements meets all columns.
void MatMul::widenLeft() {
  if (!widensLeft(op))
    return;
  left = k.scratch(k.tiling.scratchOffset, k.f32());
  k.loop(first, last, 1, [&](Value row) {
    Value start = k.mul(k.sub(row, first), depth);
    k.vectors(depth, op.getTransposeLhs() ? 1 : k.target.lanes, [&](Value position, int64_t lanes) {
      k.store(*left, k.add(start, position), operand(false, row, position, lanes, 1));
    });
  });
}

Value MatMul::leftAt(Value row, Value position) {
  if (!left)
    return operand(false, row, position);
  return k.load(*left, k.add(k.mul(k.sub(row, first), depth), position));
}

/// Whole blocks of rows, then the rows that are left: all tiles but a matrix's last have whole blocks.
void MatMul::rowBlocks(int64_t step, int64_t tail, llvm::function_ref<void(Value, int64_t)> body) {
  Value whole = k.add(first, k.mul(k.divide(k.sub(last, first), step), step));
  k.loop(first, whole, step, [&](Value row) { body(row, step); });
  if (tail > 0)
    k.loop(whole, last, tail, [&](Value row) { body(row, tail); });
}

void MatMul::outer() {
  constexpr int64_t height = 4;
  int64_t tileRows = std::min(k.tiling.tileElements / columns, rows);
  int64_t tail = tileRows % height != 0 ? tileRows % height : rows % height;
  int64_t lanes = k.target.lanes, step = 2 * lanes;
  int64_t whole = columns / step * step;
  if (whole > 0)
    k.loop(k.constant(0), k.constant(whole), step, [&](Value column) {
      rowBlocks(height, tail, [&](Value row, int64_t count) { block(row, count, column, {lanes, lanes}); });
    });
  int64_t left = columns - whole;
  if (left == 0)
    return;
  SmallVector<int64_t> widths;
  if (left > lanes)
    widths.push_back(lanes);
  widths.push_back(left > lanes ? left - lanes : left);
  rowBlocks(height, tail, [&](Value row, int64_t count) { block(row, count, k.constant(whole), widths); });
}

void MatMul::block(Value row, int64_t height, Value column, ArrayRef<int64_t> widths) {
  SmallVector<Value> sums;
  for (int64_t r = 0; r < height; ++r)
    for (int64_t width : widths)
      sums.push_back(k.number(element, 0, width));
  sums = k.accumulate(k.constant(0), k.constant(depth), 1, sums, [&](Value position, ValueRange old) {
    SmallVector<Value> rights, updated;
    int64_t offset = 0;
    for (int64_t width : widths) {
      rights.push_back(operand(true, position, k.add(column, offset), width, 1));
      offset += width;
    }
    for (int64_t r = 0; r < height; ++r) {
      Value left = leftAt(k.add(row, r), position);
      for (auto [number, width] : llvm::enumerate(widths))
        updated.push_back(k.multiplyAdd(k.spread(left, width), rights[number], old[r * widths.size() + number]));
    }
    return updated;
  });
  for (int64_t r = 0; r < height; ++r) {
    int64_t offset = 0;
    for (auto [number, width] : llvm::enumerate(widths)) {
      k.store(out, place(matrixRow, k.add(row, r), k.add(column, offset)), sums[r * widths.size() + number]);
      offset += width;
    }
  }
}

void MatMul::dots() {
  constexpr int64_t height = 2, width = 4;
  int64_t tileRows = std::min(k.tiling.tileElements / columns, rows);
  int64_t tail = tileRows % height != 0 ? tileRows % height : rows % height;
  int64_t whole = columns / width * width;
  if (whole > 0)
    k.loop(k.constant(0), k.constant(whole), width, [&](Value column) {
      rowBlocks(height, tail, [&](Value row, int64_t count) { dotBlock(row, count, column, width); });
    });
  if (columns > whole)
    rowBlocks(height, tail,
              [&](Value row, int64_t count) { dotBlock(row, count, k.constant(whole), columns - whole); });
}

void MatMul::dotBlock(Value row, int64_t height, Value column, int64_t width) {
  int64_t lanes = k.target.lanes, whole = depth / lanes * lanes;
  auto step = [&](Value position, int64_t count, ValueRange old) {
    SmallVector<Value> rights, updated;
    for (int64_t c = 0; c < width; ++c)
      rights.push_back(operand(true, position, k.add(column, c), count, 0));
    for (int64_t r = 0; r < height; ++r) {
      Value left = operand(false, k.add(row, r), position, count, 1);
      for (int64_t c = 0; c < width; ++c)
        updated.push_back(old.empty() ? k.mulf(left, rights[c]) : k.multiplyAdd(left, rights[c], old[r * width + c]));
    }
    return updated;
  };
  SmallVector<Value> sums(height * width, k.number(element, 0, lanes));
  sums = k.accumulate(k.constant(0), k.constant(whole), lanes, sums,
                      [&](Value position, ValueRange old) { return step(position, lanes, old); });
  SmallVector<Value> rest;
  if (depth > whole)
    rest = step(k.constant(whole), depth - whole, {});
  for (int64_t r = 0; r < height; ++r)
    for (int64_t c = 0; c < width; ++c) {
      Value sum = k.sumLanes(sums[r * width + c]);
      if (!rest.empty())
        sum = k.addf(sum, k.sumLanes(rest[r * width + c]));
      k.store(out, place(matrixRow, k.add(row, r), k.add(column, c)), sum);
    }
}

} // namespace

void amp::compiler::emitMatMul(KernelEmitter &k, Operation *op) {
  MatMul(k, cast<graph::MatMulOp>(op)).emit();
}
