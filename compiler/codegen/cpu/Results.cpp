// The loops that make the results of a kernel: flat where positions say all, else row by row.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"

#include <numeric>

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

/// Results of one shape share loops, so that what they have in common is computed once.
void KernelEmitter::emitResults() {
  Operation *yield = body.getTerminator();
  SmallVector<std::pair<Type, SmallVector<unsigned>>> spaces;
  for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
    if (memories.contains(value) && memories[value].pointer == resultMemories[number].pointer)
      continue; // the stage itself
    Type shape = typeOf(value).clone(b.getI1Type());
    auto known = llvm::find_if(spaces, [&](auto &space) { return space.first == shape; });
    if (known == spaces.end())
      known = spaces.insert(spaces.end(), {shape, {}});
    known->second.push_back(unsigned(number));
  }
  for (auto &[shape, results] : spaces) {
    ComputedScope scope(*this);
    emitSpace(results);
  }
}

void KernelEmitter::emitSpace(ArrayRef<unsigned> results) {
  OperandRange values = body.getTerminator()->getOperands();
  RankedTensorType type = typeOf(values[results.front()]);
  if (type.getNumElements() == 1) {
    Index index;
    index.axes.assign(type.getRank(), constant(0));
    storeResults(results, index);
    return;
  }
  int64_t row = type.getShape().back();
  if (llvm::all_of(results, [&](unsigned result) { return isFlat(values[result]); }))
    emitFlat(results, type.getNumElements());
  else
    emitRows(results, type.getShape(),
             llvm::all_of(results, [&](unsigned result) { return isFlat(values[result], row); }));
}

/// Lanes for pieces that many elements are a multiple of: two registers at once, where nothing is left then, and four
/// of a mask, since one draw of random numbers serves four elements.
int64_t KernelEmitter::lanesFor(int64_t elements) {
  int64_t lanes = isa_and_nonnull<graph::DropoutOp>(tiling.root) ? 4 * target.lanes : 2 * target.lanes;
  return elements % lanes == 0 ? lanes : target.lanes;
}

void KernelEmitter::emitFlat(ArrayRef<unsigned> results, int64_t elements) {
  bool cut = elements == tiling.elements;
  Value first = cut ? begin : constant(0), last = cut ? end : constant(elements);
  int64_t lanes = lanesFor(cut ? std::gcd(elements, tiling.tileElements) : elements);
  auto storeAt = [&](Value position, int64_t width) { storeResults(results, Index::at(position, width)); };
  Value whole = add(first, mul(divide(sub(last, first), lanes), lanes));
  if (elements >= lanes)
    loop(first, whole, lanes, [&](Value position) { storeAt(position, lanes); });
  else
    whole = first;
  bool exact = elements % lanes == 0 && (!cut || tiling.tileElements % lanes == 0);
  if (!exact)
    loop(whole, last, 1, [&](Value position) { storeAt(position, 1); });
}

/// With `flat`, rows are numbered through: neither their axes nor broadcasts along the other axes matter.
void KernelEmitter::emitRows(ArrayRef<unsigned> results, ArrayRef<int64_t> shape, bool flat) {
  OperandRange values = body.getTerminator()->getOperands();
  int64_t row = shape.back();
  int axis = int(shape.size()) - 1;
  bool vectorises = flat || llvm::all_of(results, [&](unsigned result) { return canVectorise(values[result], axis); });
  bool cut = typeOf(values[results.front()]).getNumElements() == tiling.elements;
  int64_t rows = 1;
  for (int64_t length : shape.drop_back())
    rows *= length;
  Value first = cut ? divide(begin, row) : constant(0), last = cut ? divide(end, row) : constant(rows);
  loop(first, last, 1, [&](Value number) {
    Index outer = flat ? Index() : delinearise(shape.drop_back(), number);
    Value start = flat ? mul(number, row) : Value();
    auto storeAt = [&](Value position, int64_t lanes) {
      if (flat)
        return storeResults(results, Index::at(add(start, position), lanes, row, position));
      Index index = outer;
      index.axes.push_back(position);
      index.lanes = lanes;
      index.vectorAxis = lanes > 1 ? axis : -1;
      storeResults(results, index);
    };
    if (vectorises)
      vectors(row, lanesFor(row), storeAt);
    else
      loop(constant(0), constant(row), 1, [&](Value position) { storeAt(position, 1); });
  });
}

void KernelEmitter::storeResults(ArrayRef<unsigned> results, const Index &index) {
  OperandRange values = body.getTerminator()->getOperands();
  // All are computed before the first is stored: a result may overwrite an input in place.
  SmallVector<Value> made;
  for (unsigned result : results)
    made.push_back(spread(at(values[result], index), index.lanes));
  for (auto [result, value] : llvm::zip_equal(results, made)) {
    ArrayRef<int64_t> shape = typeOf(values[result]).getShape();
    store(resultMemories[result], linear(shape, index), value, std::max<int64_t>(laneStride(shape, index), 1));
  }
}

bool KernelEmitter::canVectorise(Value value, int vectorAxis) {
  Operation *op = value.getDefiningOp();
  if (vectorAxis < 0 || typeOf(value).getNumElements() == 1 || !op || memories.contains(value) ||
      isa<graph::ConstantOp>(op))
    return true;
  if (op == tiling.root && !isa<graph::DropoutOp>(op))
    return pullsVectors(op, vectorAxis);
  if (auto transpose = dyn_cast<graph::TransposeOp>(op))
    return canVectorise(op->getOperand(0), int(transpose.getPermutation()[vectorAxis]));
  if (isa<graph::ReshapeOp>(op)) {
    ArrayRef<int64_t> from = typeOf(value).getShape(), to = typeOf(op->getOperand(0)).getShape();
    bool innermost = vectorAxis == int(from.size()) - 1;
    if (innermost && !to.empty() && from.back() == to.back())
      return canVectorise(op->getOperand(0), int(to.size()) - 1);
    return innermost && isFlat(op->getOperand(0));
  }
  if (isa<graph::SliceOp, graph::SliceGradOp>(op) && !slicesVectors(op, vectorAxis))
    return false;
  Index probe;
  probe.axes.assign(typeOf(value).getRank(), constant(0));
  probe.vectorAxis = vectorAxis;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    if (!canVectorise(op->getOperand(operand), operandIndex(op, operand, probe).vectorAxis))
      return false;
  return true;
}
