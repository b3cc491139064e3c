// Values of a kernel's body at places, as text.
#include "compiler/codegen/cuda/KernelWriter.h"
#include "compiler/codegen/cuda/OpPrinter.h"

#include "dialects/graph/Graph.h"
#include "dialects/graph/interfaces/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

RankedTensorType KernelWriter::typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Type KernelWriter::computeType(Value value) {
  return graph::computeType(typeOf(value).getElementType());
}

SmallVector<int64_t> amp::compiler::stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t axis = int64_t(shape.size()) - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * shape[axis + 1];
  return strides;
}

void KernelWriter::line(const Twine &text) {
  code += std::string(2 * depth, ' ') + text.str() + "\n";
}

std::string KernelWriter::fresh(StringRef prefix) {
  return (prefix + std::to_string(names++)).str();
}

std::string KernelWriter::declare(StringRef type, const Twine &expression, StringRef prefix) {
  std::string name = fresh(prefix);
  line("const " + type + " " + name + " = " + expression + ";");
  return name;
}

void KernelWriter::scope(const Twine &head, llvm::function_ref<void()> inside) {
  line(head + " {");
  auto outer = known;
  ++depth;
  inside();
  --depth;
  known = std::move(outer);
  line("}");
}

void KernelWriter::refuse(const Twine &why) {
  if (reason.empty())
    reason = why.str();
}

namespace {

/// Neighbouring axes that stay neighbours are one axis.
struct AxisRun {
  int64_t outer;  ///< product of the lengths before it
  int64_t length; ///< of the run
  int64_t inner;  ///< product of the lengths behind it
  int64_t stride;
};

SmallVector<AxisRun> runsOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  SmallVector<AxisRun> runs;
  SmallVector<int64_t> inner = stridesOf(shape);
  int64_t outer = 1;
  bool joins = false;
  for (auto [axis, length] : llvm::enumerate(shape)) {
    if (length == 1)
      continue;
    bool there = strides[axis] != 0;
    if (there && joins && runs.back().stride == strides[axis] * length)
      runs.back() = {runs.back().outer, runs.back().length * length, inner[axis], strides[axis]};
    else if (there)
      runs.push_back({outer, length, inner[axis], strides[axis]});
    joins = there;
    outer *= length;
  }
  return runs;
}

} // namespace

std::string KernelWriter::place(ArrayRef<int64_t> shape, StringRef position, ArrayRef<int64_t> strides) {
  std::string sum;
  for (const AxisRun &run : runsOf(shape, strides)) {
    std::string term = position.str();
    if (run.inner != 1)
      term += " / " + std::to_string(run.inner) + "u";
    if (run.outer != 1)
      term += " % " + std::to_string(run.length) + "u";
    if (run.stride != 1)
      term += " * " + std::to_string(run.stride) + "u";
    sum += (sum.empty() ? "" : " + ") + term;
  }
  if (sum.empty())
    return "0";
  if (sum == position)
    return position.str();
  std::string &name = known[{nullptr, sum}];
  if (name.empty())
    name = declare("u32", sum, "p");
  return name;
}

void KernelWriter::bind(Value result, StringRef position, StringRef name) {
  known[{result.getAsOpaquePointer(), elementsOf(result) == 1 ? "0" : position.str()}] = name.str();
}

std::string KernelWriter::at(Value value, StringRef position) {
  if (refused())
    return "0";
  std::pair<void *, std::string> key(value.getAsOpaquePointer(), elementsOf(value) == 1 ? "0" : position.str());
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  std::string name = compute(value, key.second);
  known[key] = name;
  return name;
}

std::string KernelWriter::compute(Value value, StringRef position) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return declare(cudaType(computeType(value)), "load(a" + Twine(argument.getArgNumber()) + ", " + position + ")");
  Operation *op = value.getDefiningOp();
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  if (op == root) {
    refuse(op->getName().getStringRef() +
           " is read at another place than it is computed at, which has no CUDA code yet");
    return "0";
  }
  if (isa<graph::ReshapeOp>(op))
    return at(op->getOperand(0), position);
  if (isa<graph::ExpandOp>(op))
    return at(op->getOperand(0), operandPosition(op, 0, position));
  if (auto transpose = dyn_cast<graph::TransposeOp>(op)) {
    SmallVector<int64_t> from = stridesOf(typeOf(transpose.getX()).getShape()), strides;
    for (int64_t source : transpose.getPermutation())
      strides.push_back(from[source]);
    return at(transpose.getX(), place(shape, position, strides));
  }
  if (auto constant = dyn_cast<graph::ConstantOp>(op); constant && !constant.getValue().isSplat())
    return table(value, position);
  if (isa<graph::EmitOpInterface>(op))
    return elementwise(value, position);
  refuse(op->getName().getStringRef() + " has no CUDA code yet");
  return "0";
}

/// A constant that is no splat; such constants are small.
std::string KernelWriter::table(Value value, StringRef position) {
  auto elements = cast<graph::ConstantOp>(value.getDefiningOp()).getValue();
  OpBuilder builder(value.getContext());
  Type type = computeType(value);
  std::string list;
  for (Attribute element : elements.getValues<Attribute>()) {
    TypedAttr number = isa<FloatAttr>(element)
                           ? TypedAttr(builder.getFloatAttr(type, cast<FloatAttr>(element).getValueAsDouble()))
                           : TypedAttr(IntegerAttr::get(type, cast<IntegerAttr>(element).getValue()));
    list += (list.empty() ? "" : ", ") + cudaLiteral(number);
  }
  std::string name = fresh("table");
  line("const " + cudaType(type) + " " + name + "[] = {" + list + "};");
  return declare(cudaType(type), name + "[" + position + "]");
}

std::string KernelWriter::operandPosition(Operation *op, unsigned operand, StringRef position) {
  ArrayRef<int64_t> whole = typeOf(op->getResult(0)).getShape(), shape = typeOf(op->getOperand(operand)).getShape();
  if (shape == whole)
    return position.str();
  auto emits = dyn_cast<graph::EmitOpInterface>(op);
  std::optional<int64_t> vectorAxis = emits ? emits.getVectorAxis(operand) : std::nullopt;
  int64_t shift = vectorAxis ? *vectorAxis : int64_t(whole.size()) - int64_t(shape.size());
  SmallVector<int64_t> own = stridesOf(shape), strides(whole.size(), 0);
  for (auto [axis, length] : llvm::enumerate(shape))
    strides[axis + shift] = length == 1 ? 0 : own[axis];
  return place(whole, position, strides);
}

std::string KernelWriter::elementwise(Value value, StringRef position) {
  Operation *op = value.getDefiningOp();
  SmallVector<Operand> operands;
  for (unsigned number = 0; number < op->getNumOperands(); ++number) {
    Value operand = op->getOperand(number);
    operands.push_back({at(operand, operandPosition(op, number, position)), computeType(operand)});
  }
  SmallVector<std::string> results = apply(operands, [&](OpBuilder &builder, ValueRange values) {
    return cast<graph::EmitOpInterface>(op).emit(builder, values);
  });
  if (refused())
    return "0";
  // A conversion rounds by its own rule; other ops round when they are stored.
  std::string chosen;
  for (auto [result, name] : llvm::zip_equal(op->getResults(), results)) {
    if (result == value)
      chosen = name;
    else
      bind(result, position, name);
  }
  return chosen;
}

SmallVector<std::string> KernelWriter::apply(ArrayRef<Operand> operands, Rule rule) {
  if (refused())
    return {};
  // The ops live in a block of their own for as long as they are printed.
  Block block;
  OpBuilder builder(body.getParentOp()->getContext());
  builder.setInsertionPointToEnd(&block);
  llvm::DenseMap<Value, std::string> texts;
  for (const Operand &operand : operands)
    texts[block.addArgument(operand.type, builder.getUnknownLoc())] = operand.name;
  SmallVector<Value> results = rule(builder, block.getArguments());
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() &&
        llvm::none_of(op.getResults(), [&](Value value) { return llvm::is_contained(results, value); }))
      op.erase();
  for (Operation &op : block) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      texts[constant] = cudaLiteral(constant.getValue());
      continue;
    }
    SmallVector<std::string> names;
    for (Value operand : op.getOperands())
      names.push_back(texts.lookup(operand));
    std::string expression = cudaExpression(&op, names);
    if (expression.empty()) {
      refuse(op.getName().getStringRef() + " has no CUDA code yet");
      return {};
    }
    texts[op.getResult(0)] = declare(cudaType(op.getResult(0).getType()), expression);
  }
  SmallVector<std::string> made;
  for (Value result : results)
    made.push_back(texts.lookup(result));
  return made;
}

std::string KernelWriter::exp(StringRef x) {
  auto rule = [](OpBuilder &builder, ValueRange values) -> SmallVector<Value> {
    return {graph::Lanes(builder, builder.getUnknownLoc()).exp(values[0])};
  };
  auto made = apply({{x.str(), Float32Type::get(body.getParentOp()->getContext())}}, rule);
  return made.empty() ? "0" : made[0];
}

std::string KernelWriter::log(StringRef x) {
  auto rule = [](OpBuilder &builder, ValueRange values) -> SmallVector<Value> {
    return {graph::Lanes(builder, builder.getUnknownLoc()).log(values[0])};
  };
  auto made = apply({{x.str(), Float32Type::get(body.getParentOp()->getContext())}}, rule);
  return made.empty() ? "0" : made[0];
}

void KernelWriter::store(ArrayRef<unsigned> results, StringRef position) {
  OperandRange values = body.getTerminator()->getOperands();
  SmallVector<std::string> made;
  for (unsigned result : results)
    made.push_back(at(values[result], position));
  for (auto [result, name] : llvm::zip_equal(results, made))
    line("store(r" + Twine(result) + ", " + position + ", " + name + ");");
}

void KernelWriter::storeResults(StringRef position) {
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, body.getTerminator()->getNumOperands()));
  store(all, position);
}
