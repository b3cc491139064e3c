// The value of a tensor of the body at a place: arguments are loaded, views move the place, elementwise ops emit.
#include "compiler/codegen/cpu/KernelEmitter.h"

#include "dialects/graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

Value KernelEmitter::linear(ArrayRef<int64_t> shape, const Index &index) {
  if (index.flat)
    return index.axes[0];
  Value position = constant(0);
  for (auto [axis, length] : llvm::zip_equal(index.axes, shape))
    position = add(mul(position, length), axis);
  return position;
}

int64_t KernelEmitter::laneStride(ArrayRef<int64_t> shape, const Index &index) {
  if (index.flat || index.vectorAxis < 0)
    return index.flat ? 1 : 0;
  int64_t stride = 1;
  for (int64_t length : shape.drop_front(index.vectorAxis + 1))
    stride *= length;
  return stride;
}

Index KernelEmitter::delinearise(ArrayRef<int64_t> shape, Value position) {
  Index index;
  index.axes.resize(shape.size());
  for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0; --axis) {
    index.axes[axis] = axis == 0 ? position : rest(position, shape[axis]);
    if (axis > 0)
      position = divide(position, shape[axis]);
  }
  return index;
}

Value KernelEmitter::scalar(Value value) {
  Index index;
  index.axes.assign(typeOf(value).getRank(), constant(0));
  return at(value, index);
}

Value KernelEmitter::at(Value value, const Index &index) {
  // One element is the same for all lanes; computing it alone keeps loads out of loops.
  if (typeOf(value).getNumElements() == 1 && (index.lanes > 1 || index.flat))
    return spread(scalar(value), index.lanes);
  // Lanes along an axis that a broadcast removed.
  if (index.lanes > 1 && index.vectorAxis < 0) {
    Index one = index;
    one.lanes = 1;
    return spread(at(value, one), index.lanes);
  }
  for (auto &[place, known] : computed[value])
    if (place == index)
      return known;
  Value result = compute(value, index);
  computed[value].push_back({index, result});
  return result;
}

Value KernelEmitter::compute(Value value, const Index &index) {
  if (Value known = scalars.lookup(value))
    return known;
  RankedTensorType type = typeOf(value);
  auto memory = memories.find(value);
  if (memory != memories.end())
    return load(memory->second, linear(type.getShape(), index), index.lanes, laneStride(type.getShape(), index));
  if (index.flat && !readsFlat(value, type.getNumElements(), index.row, tiling))
    return laneByLane(value, index);
  Operation *op = value.getDefiningOp();
  if (isa<graph::ConstantOp>(op))
    return constantAt(value, index);
  if (op == tiling.root)
    return pulled(op, index);
  return isa<graph::EmitOpInterface>(op) ? elementwise(value, index) : viewed(op, index);
}

Value KernelEmitter::laneByLane(Value value, const Index &index) {
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < index.lanes; ++lane) {
    Index one = index;
    one.lanes = 1;
    one.vectorAxis = -1;
    if (index.flat)
      one = delinearise(typeOf(value).getShape(), add(index.axes[0], lane));
    else if (lane > 0)
      one.axes[index.vectorAxis] = add(one.axes[index.vectorAxis], lane);
    lanes.push_back(at(value, one));
  }
  if (index.lanes == 1)
    return lanes.front();
  return vector::FromElementsOp::create(b, VectorType::get({index.lanes}, lanes.front().getType()), lanes);
}

Value KernelEmitter::pulled(Operation *op, const Index &index) {
  if (isa<graph::DropoutOp>(op))
    return emitDropout(*this, op, index);
  if (index.lanes > 1 && !pullsVectors(op, index.vectorAxis))
    return laneByLane(op->getResult(0), index);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<graph::GatherOp, graph::GatherElementsOp, graph::GatherNdOp>(
          [&](auto gather) { return emitGather(*this, gather, index); })
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp>([&](auto sum) { return emitReduction(*this, sum, index); })
      .Case<graph::MaxPool2dGradOp, graph::AveragePool2dGradOp>(
          [&](auto pool) { return emitPoolGradient(*this, pool, index); })
      .Default([&](Operation *pool) { return emitPool(*this, pool, index); });
}

Value KernelEmitter::viewed(Operation *op, const Index &index) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](graph::ExpandOp) { return at(op->getOperand(0), operandIndex(op, 0, index)); })
      .Case([&](graph::SliceOp) { return emitSlice(*this, op, index); })
      .Case([&](graph::SliceGradOp) { return emitSliceGradient(*this, op, index); })
      .Case([&](graph::TriluOp) { return emitTrilu(*this, op, index); })
      .Case([&](graph::TransposeOp transpose) {
        Index moved = index;
        for (auto [axis, source] : llvm::enumerate(transpose.getPermutation())) {
          moved.axes[source] = index.axes[axis];
          if (int(axis) == index.vectorAxis)
            moved.vectorAxis = int(source);
        }
        return at(op->getOperand(0), moved);
      })
      .Default([&](Operation *) { return reshaped(op, index); });
}

Value KernelEmitter::reshaped(Operation *op, const Index &index) {
  Value operand = op->getOperand(0);
  ArrayRef<int64_t> from = typeOf(op->getResult(0)).getShape(), to = typeOf(operand).getShape();
  if (index.flat)
    return at(operand, index);
  if (index.lanes > 1 && laneStride(from, index) != 1)
    return laneByLane(op->getResult(0), index);
  Index moved;
  // Equal last axes keep their index, so that lanes along them stay side by side; the rest is renumbered.
  bool innermost = index.lanes == 1 || index.vectorAxis == int(from.size()) - 1;
  if (innermost && !from.empty() && !to.empty() && from.back() == to.back()) {
    Index outer = index;
    outer.axes.pop_back();
    moved = delinearise(to.drop_back(), linear(from.drop_back(), outer));
    moved.axes.push_back(index.axes.back());
    moved.vectorAxis = index.vectorAxis < 0 ? -1 : int(to.size()) - 1;
  } else if (index.lanes > 1) {
    return at(operand, Index::at(linear(from, index), index.lanes));
  } else {
    moved = delinearise(to, linear(from, index));
  }
  moved.lanes = index.lanes;
  return at(operand, moved);
}

Value KernelEmitter::constantAt(Value value, const Index &index) {
  auto elements = cast<graph::ConstantOp>(value.getDefiningOp()).getValue();
  RankedTensorType type = typeOf(value);
  auto numberOf = [&](Attribute element) -> Value {
    if (auto real = dyn_cast<FloatAttr>(element))
      return number(computeType(type.getElementType()), real.getValueAsDouble());
    return arith::ConstantOp::create(b, cast<TypedAttr>(element));
  };
  if (elements.isSplat() || type.getNumElements() == 1)
    return spread(numberOf(*elements.getValues<Attribute>().begin()), index.lanes);
  // Constants are small: a chain of selections, no memory.
  Value position = linear(type.getShape(), index);
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < index.lanes; ++lane) {
    Value here = add(position, lane * laneStride(type.getShape(), index)), chosen;
    for (auto [number, element] : llvm::enumerate(elements.getValues<Attribute>())) {
      Value candidate = numberOf(element);
      Value isIt =
          chosen ? arith::CmpIOp::create(b, arith::CmpIPredicate::eq, here, constant(int64_t(number))) : Value();
      chosen = chosen ? arith::SelectOp::create(b, isIt, candidate, chosen) : candidate;
    }
    lanes.push_back(chosen);
  }
  if (index.lanes == 1)
    return lanes.front();
  return vector::FromElementsOp::create(b, VectorType::get({index.lanes}, lanes.front().getType()), lanes);
}

Index KernelEmitter::operandIndex(Operation *op, unsigned operand, const Index &index) {
  ArrayRef<int64_t> shape = typeOf(op->getOperand(operand)).getShape();
  ArrayRef<int64_t> whole = typeOf(op->getResult(0)).getShape();
  if (index.flat) {
    if (typeOf(op->getOperand(operand)).getNumElements() == typeOf(op->getResult(0)).getNumElements())
      return index;
    return Index::at(index.column, index.lanes, index.row, index.column); // a row that all rows meet
  }
  Index moved;
  moved.lanes = index.lanes;
  auto emits = dyn_cast<graph::EmitOpInterface>(op);
  std::optional<int64_t> vector = emits ? emits.getVectorAxis(operand) : std::nullopt;
  int64_t shift = vector.value_or(int64_t(index.axes.size()) - int64_t(shape.size()));
  for (auto [axis, length] : llvm::enumerate(shape)) {
    bool broadcast = length == 1 && whole[axis + shift] != 1;
    moved.axes.push_back(broadcast ? constant(0) : index.axes[axis + shift]);
    if (!broadcast && int64_t(axis) + shift == index.vectorAxis)
      moved.vectorAxis = int(axis);
  }
  return moved;
}

Value KernelEmitter::elementwise(Value value, const Index &index) {
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands;
  for (unsigned number = 0; number < op->getNumOperands(); ++number) {
    // A scalar stays one: what the rule computes from scalars alone is then computed once, not in every lane.
    Value operand = op->getOperand(number);
    bool uniform = typeOf(operand).getNumElements() == 1;
    operands.push_back(uniform ? scalar(operand) : at(operand, operandIndex(op, number, index)));
  }
  SmallVector<Value> results = cast<graph::EmitOpInterface>(op).emit(b, operands);
  Value chosen;
  for (auto [result, emitted] : llvm::zip_equal(op->getResults(), results)) {
    // A conversion rounds where it stands; other ops round when they are stored.
    Type element = typeOf(result).getElementType();
    bool converts = op->getNumOperands() == 1 && typeOf(op->getOperand(0)).getElementType() != element;
    if (converts && (element.isF16() || element.isBF16()))
      emitted = rounded(emitted, element);
    if (result == value)
      chosen = emitted;
    else
      computed[result].push_back({index, emitted});
  }
  return chosen;
}
