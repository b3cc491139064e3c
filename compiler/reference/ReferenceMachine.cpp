// The interpreter of programs.
#include "compiler/reference/ReferenceMachine.h"

#include "dialects/plan/Plan.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using amp::graph::ReferenceTensor;

namespace amp::compiler {

FailureOr<std::vector<char>> readExternalFile(train::ExternalAttr external) {
  // A slice beyond the end of a file would be mapped all the same, and fault when read.
  uint64_t size = 0, offset = uint64_t(external.getOffset()), length = uint64_t(external.getLength());
  if (llvm::sys::fs::file_size(external.getPath(), size) || offset > size || length > size - offset)
    return failure();
  auto buffer = llvm::MemoryBuffer::getFileSlice(external.getPath(), length, offset);
  if (!buffer)
    return failure();
  return std::vector<char>((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
}

namespace {

/// One run of a program: the values so far, and the commits to make at its end.
class Run {
public:
  Run(SymbolTable &symbols, const ReferenceMachine::Tensors &states) : symbols(symbols), states(states) {}

  /// Evaluates a block on its arguments; gives the operands of its terminator.
  FailureOr<SmallVector<ReferenceTensor>> evaluateBlock(Block &block, SmallVector<ReferenceTensor> arguments);

  /// Commits whose predicate was not 0, in program order.
  SmallVector<std::pair<StringRef, ReferenceTensor>> commits;

private:
  LogicalResult evaluate(Operation &op);
  LogicalResult evaluateCall(Operation &op, Block &body);
  LogicalResult evaluateView(plan::ViewOp view);
  LogicalResult evaluateRead(train::ReadOp read);
  void recordCommit(train::CommitOp commit);
  SmallVector<ReferenceTensor> valuesOf(ValueRange range) const;
  LogicalResult define(Operation &op, SmallVector<ReferenceTensor> results);

  SymbolTable &symbols;
  const ReferenceMachine::Tensors &states;
  llvm::DenseMap<Value, ReferenceTensor> values;
};

SmallVector<ReferenceTensor> Run::valuesOf(ValueRange range) const {
  SmallVector<ReferenceTensor> result;
  for (Value value : range)
    result.push_back(values.find(value)->second);
  return result;
}

LogicalResult Run::define(Operation &op, SmallVector<ReferenceTensor> results) {
  if (results.size() != op.getNumResults())
    return op.emitError() << "the reference of '" << op.getName() << "' gave " << results.size() << " values for "
                          << op.getNumResults() << " results; please report";
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    if (results[index].type != result.getType())
      return op.emitError() << "the reference of '" << op.getName() << "' gave " << results[index].type
                            << " for result " << index << " of type " << result.getType() << "; please report";
    values[result] = std::move(results[index]);
  }
  return success();
}

LogicalResult Run::evaluateRead(train::ReadOp read) {
  auto state = states.find(read.getState().str());
  if (state == states.end())
    return read.emitError() << "state @" << read.getState() << " has no value; initialize the machine first";
  values[read.getValue()] = state->second;
  return success();
}

void Run::recordCommit(train::CommitOp commit) {
  Value predicate = commit.getPredicate();
  if (!predicate || values.find(predicate)->second.integers[0] != 0)
    commits.emplace_back(commit.getState(), values.find(commit.getValue())->second);
}

LogicalResult Run::evaluateCall(Operation &op, Block &body) {
  if (body.getArgumentTypes() != op.getOperandTypes())
    return op.emitError() << "'" << op.getName() << "' gives a body operands of other types than its arguments have";
  // Equal groups share a kernel, so a body may be evaluated more than once: its values are simply defined again.
  FailureOr<SmallVector<ReferenceTensor>> results = evaluateBlock(body, valuesOf(op.getOperands()));
  return failed(results) ? failure() : define(op, std::move(*results));
}

LogicalResult Run::evaluateView(plan::ViewOp view) {
  ReferenceTensor value = values.find(view.getX())->second;
  value.type = cast<RankedTensorType>(view.getY().getType());
  return define(*view, {std::move(value)});
}

LogicalResult Run::evaluate(Operation &op) {
  if (auto read = dyn_cast<train::ReadOp>(op))
    return evaluateRead(read);
  if (auto commit = dyn_cast<train::CommitOp>(op))
    return recordCommit(commit), success();
  if (auto group = dyn_cast<graph::GroupOp>(op))
    return evaluateCall(op, group.getBody().front());
  if (auto view = dyn_cast<plan::ViewOp>(op))
    return evaluateView(view);
  if (auto call = dyn_cast<plan::CallOp>(op)) {
    auto kernel = symbols.lookup<plan::KernelOp>(call.getKernel());
    if (!kernel)
      return op.emitError() << "calls @" << call.getKernel() << ", which is no kernel of this module";
    return evaluateCall(op, kernel.getBody().front());
  }
  auto reference = dyn_cast<graph::ReferenceOpInterface>(op);
  if (!reference)
    return op.emitError() << "'" << op.getName()
                          << "' has no reference evaluation; run the machine on IR before memory";
  SmallVector<ReferenceTensor> results;
  if (failed(reference.evaluate(valuesOf(op.getOperands()), results)))
    return failure();
  return define(op, std::move(results));
}

FailureOr<SmallVector<ReferenceTensor>> Run::evaluateBlock(Block &block, SmallVector<ReferenceTensor> arguments) {
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    values[argument] = std::move(value);
  for (Operation &op : block.without_terminator())
    if (failed(evaluate(op)))
      return failure();
  return valuesOf(block.getTerminator()->getOperands());
}

/// The arguments of a program, from inputs by name.
FailureOr<SmallVector<ReferenceTensor>> bindInputs(train::ProgramOp program, const ReferenceMachine::Tensors &inputs) {
  SmallVector<ReferenceTensor> arguments;
  for (auto [name, type] :
       llvm::zip(program.getInputNames().getAsValueRange<StringAttr>(), program.getArgumentTypes())) {
    auto input = inputs.find(name.str());
    if (input == inputs.end())
      return program.emitError() << "input '" << name << "' is missing";
    if (input->second.type != type)
      return program.emitError() << "input '" << name << "' has type " << input->second.type << "; wants " << type;
    arguments.push_back(input->second);
  }
  return arguments;
}

FailureOr<ReferenceTensor> initialValue(train::StateOp state, const ExternalReader &read) {
  RankedTensorType type = state.getType();
  std::optional<Attribute> initial = state.getInitial();
  if (!initial)
    return ReferenceTensor(type);
  if (auto elements = dyn_cast<ElementsAttr>(*initial))
    return ReferenceTensor(elements);
  auto external = cast<train::ExternalAttr>(*initial);
  FailureOr<std::vector<char>> bytes = read(external);
  if (failed(bytes))
    return state.emitError() << "can't read " << external.getLength() << " bytes at " << external.getOffset() << " of '"
                             << external.getPath() << "'";
  std::optional<ReferenceTensor> value = ReferenceTensor::fromBytes(type, *bytes);
  if (!value)
    return state.emitError() << "of type " << type << " got " << bytes->size() << " bytes";
  return *value;
}

} // namespace

LogicalResult ReferenceMachine::initialize(const ExternalReader &read) {
  states.clear();
  for (train::StateOp state : module.getOps<train::StateOp>()) {
    FailureOr<ReferenceTensor> value = initialValue(state, read);
    if (failed(value))
      return failure();
    states.emplace(state.getSymName().str(), std::move(*value));
  }
  return success();
}

FailureOr<ReferenceMachine::Tensors> ReferenceMachine::run(StringRef name, const Tensors &inputs) {
  auto program = symbols.lookup<train::ProgramOp>(name);
  if (!program)
    return module.emitError() << "has no program @" << name;
  FailureOr<SmallVector<ReferenceTensor>> arguments = bindInputs(program, inputs);
  if (failed(arguments))
    return failure();
  Run run(symbols, states);
  FailureOr<SmallVector<ReferenceTensor>> results = run.evaluateBlock(program.getBody().front(), std::move(*arguments));
  if (failed(results))
    return failure();
  for (auto &[state, value] : run.commits)
    states[state.str()] = std::move(value);
  Tensors outputs;
  for (auto [output, value] : llvm::zip(program.getOutputNames().getAsValueRange<StringAttr>(), *results))
    outputs.emplace(output.str(), std::move(value));
  return outputs;
}

} // namespace amp::compiler
