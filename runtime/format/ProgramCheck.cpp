// Kernels and programs of a package: every argument lies inside its section or input, every library operand inside its
// argument or workspace, for every tile.
#include "runtime/base/Checked.h"
#include "runtime/format/PackageCheck.h"

#include <algorithm>
#include <set>

namespace amp::runtime::check {
namespace {

using Operands = flatbuffers::Vector<const format::Operand *>;

class ProgramChecker {
public:
  ProgramChecker(const format::Package &package, const Limits &limits) : package(package), limits(limits) {}

  Status checkKernels();
  Status checkProgram(const format::Program &program);

private:
  Status checkKernel(const format::Kernel &kernel, uint64_t &mostOperand);
  Status checkOperands(const format::Kernel &kernel, const Operands &operands, uint64_t &mostOperand);
  Status checkInputs(const format::Program &program, const Place &place);
  Status checkOutputs(const format::Program &program, const Place &place);
  Status checkLaunch(const format::Program &program, const format::Launch &launch, const Place &place);
  Status checkReach(const format::Kernel &kernel, const format::Launch &launch, const Place &place);
  Status checkArgument(const format::Program &program, const format::Argument &argument, const Place &place);

  const format::Package &package;
  const Limits &limits;
  std::vector<uint64_t> operandNeeds;  // per kernel: one more than the highest argument a library call names
  std::vector<int64_t> argumentCounts; // per kernel: of its first launch, -1 before
  bool hasSymbols = false;
};

Status ProgramChecker::checkKernels() {
  for (const format::Kernel *kernel : *package.kernels()) {
    uint64_t need = 0;
    if (Status status = checkKernel(*kernel, need); !status.isOk())
      return status;
    operandNeeds.push_back(need);
    argumentCounts.push_back(-1);
  }
  if (hasSymbols && package.binaries()->size() == 0)
    return refuse("the package", "has generated kernels and no binary");
  return Status();
}

Status ProgramChecker::checkKernel(const format::Kernel &kernel, uint64_t &mostOperand) {
  Place place = named("kernel", kernel.name());
  if (Status status = checkName(kernel.name(), "a kernel", limits); !status.isOk())
    return status;
  if (kernel.tiles() == 0 || kernel.steps()->size() == 0)
    return refuse(place, "has " + std::to_string(kernel.tiles()) + " tiles and " +
                             std::to_string(kernel.steps()->size()) + " steps, wants one of each at least");
  if (kernel.workspace_bytes() > limits.workspaceBytes)
    return refuse(place, "asks for a workspace of " + std::to_string(kernel.workspace_bytes()) +
                             " bytes, over the limit of " + std::to_string(limits.workspaceBytes));
  for (const format::KernelStep *step : *kernel.steps()) {
    if (!step->symbol() == !step->library())
      return refuse(place, "has a step that is not either a symbol or a library call");
    if (step->symbol()) {
      hasSymbols = true;
      if (Status status = checkName(step->symbol(), "the symbol of " + place, limits); !status.isOk())
        return status;
      continue;
    }
    if (const Operands *operands = step->library()->operands())
      if (Status status = checkOperands(kernel, *operands, mostOperand); !status.isOk())
        return status;
  }
  return Status();
}

Status ProgramChecker::checkOperands(const format::Kernel &kernel, const Operands &operands, uint64_t &mostOperand) {
  for (const format::Operand *operand : operands) {
    if (operand->source() > format::OperandSource::MAX)
      return refuse(named("kernel", kernel.name()),
                    "has an operand of source number " + std::to_string(int(operand->source())));
    std::optional<uint64_t> reach = checkedMultiply(operand->tile_stride(), kernel.tiles() - 1);
    reach = reach ? checkedAdd(*reach, operand->offset()) : std::nullopt;
    if (!reach)
      return refuse(named("kernel", kernel.name()), "has an operand that leaves every address space");
    if (operand->source() == format::OperandSource::Argument)
      mostOperand = std::max<uint64_t>(mostOperand, uint64_t(operand->index()) + 1);
    else if (*reach > kernel.workspace_bytes())
      return refuse(named("kernel", kernel.name()), "has an operand at byte " + std::to_string(*reach) +
                                                        " of a workspace of " +
                                                        std::to_string(kernel.workspace_bytes()));
  }
  return Status();
}

Status ProgramChecker::checkArgument(const format::Program &program, const format::Argument &argument,
                                     const Place &place) {
  uint64_t size = 0;
  switch (argument.space()) {
  case format::Space::State:
    size = package.state_bytes();
    break;
  case format::Space::Scratch:
    size = package.scratch_bytes();
    break;
  case format::Space::Input: {
    if (argument.index() >= program.inputs()->size())
      return refuse(place, "names input " + std::to_string(argument.index()) + " of " +
                               std::to_string(program.inputs()->size()));
    const format::Input &input = *program.inputs()->Get(argument.index());
    Result<uint64_t> bytes = tensorBytes(input.type(), spanOf(input.shape()), place, limits);
    if (!bytes.isOk())
      return bytes.status();
    size = *bytes;
    break;
  }
  default:
    return refuse(place, "lies in space number " + std::to_string(int(argument.space())));
  }
  if (!fitsInside(argument.offset(), argument.bytes(), size))
    return refuse(place, "takes " + std::to_string(argument.bytes()) + " bytes at " +
                             std::to_string(argument.offset()) + " of " + std::to_string(size));
  return Status();
}

Status ProgramChecker::checkInputs(const format::Program &program, const Place &place) {
  std::set<std::string_view> names;
  for (const format::Input *input : *program.inputs()) {
    Place inputPlace = place + ", " + named("input", input->name());
    if (Status status = checkName(input->name(), "an input of " + place, limits); !status.isOk())
      return status;
    if (!names.insert(viewOf(input->name())).second)
      return refuse(inputPlace, "is there twice");
    Result<uint64_t> bytes = tensorBytes(input->type(), spanOf(input->shape()), inputPlace, limits);
    if (!bytes.isOk())
      return bytes.status();
    bool integers = input->type() == format::ElementType::I64 || input->type() == format::ElementType::I32;
    if (input->index_limit() < 0 || (input->index_limit() > 0 && !integers))
      return refuse(inputPlace, "has index limit " + std::to_string(input->index_limit()) + " on type " +
                                    std::string(elementName(elementTypeOf(input->type()))));
  }
  return Status();
}

Status ProgramChecker::checkOutputs(const format::Program &program, const Place &place) {
  std::set<std::string_view> names;
  for (const format::Output *output : *program.outputs()) {
    Place outputPlace = place + ", " + named("output", output->name());
    if (Status status = checkName(output->name(), "an output of " + place, limits); !status.isOk())
      return status;
    if (!names.insert(viewOf(output->name())).second)
      return refuse(outputPlace, "is there twice");
    Result<uint64_t> bytes = tensorBytes(output->type(), spanOf(output->shape()), outputPlace, limits);
    if (!bytes.isOk())
      return bytes.status();
    if (*bytes != output->place()->bytes())
      return refuse(outputPlace, "has " + std::to_string(output->place()->bytes()) + " bytes where its shape needs " +
                                     std::to_string(*bytes));
    if (Status status = checkArgument(program, *output->place(), outputPlace); !status.isOk())
      return status;
  }
  return Status();
}

Status ProgramChecker::checkProgram(const format::Program &program) {
  Place place = named("program", program.name());
  if (Status status = checkName(program.name(), "a program", limits); !status.isOk())
    return status;
  if (Status status = checkInputs(program, place); !status.isOk())
    return status;
  if (Status status = checkOutputs(program, place); !status.isOk())
    return status;
  uint64_t number = 0;
  for (const format::Launch *launch : *program.launches())
    if (Status status = checkLaunch(program, *launch, place + ", launch " + std::to_string(number++)); !status.isOk())
      return status;
  return Status();
}

Status ProgramChecker::checkLaunch(const format::Program &program, const format::Launch &launch, const Place &place) {
  if (launch.kernel() >= package.kernels()->size())
    return refuse(place, "names kernel " + std::to_string(launch.kernel()) + " of " +
                             std::to_string(package.kernels()->size()));
  const format::Kernel &kernel = *package.kernels()->Get(launch.kernel());
  int64_t &expected = argumentCounts[launch.kernel()];
  auto count = static_cast<int64_t>(launch.arguments()->size());
  if (expected < 0)
    expected = count;
  if (count != expected || static_cast<uint64_t>(count) < operandNeeds[launch.kernel()])
    return refuse(place, "gives " + std::to_string(count) + " arguments to " + named("kernel", kernel.name()) +
                             ", which wants " +
                             std::to_string(std::max<int64_t>(expected, int64_t(operandNeeds[launch.kernel()]))));
  for (unsigned i = 0; i < launch.arguments()->size(); ++i)
    if (Status status = checkArgument(program, *launch.arguments()->Get(i), place + ", argument " + std::to_string(i));
        !status.isOk())
      return status;
  if (const format::Argument *predicate = launch.predicate()) {
    if (predicate->space() == format::Space::Input || predicate->bytes() != 1)
      return refuse(place, "has a predicate that is not one byte of state or scratch");
    if (Status status = checkArgument(program, *predicate, place + ", predicate"); !status.isOk())
      return status;
  }
  return checkReach(kernel, launch, place);
}

Status ProgramChecker::checkReach(const format::Kernel &kernel, const format::Launch &launch, const Place &place) {
  for (const format::KernelStep *step : *kernel.steps()) {
    if (!step->library() || !step->library()->operands())
      continue;
    for (const format::Operand *operand : *step->library()->operands()) {
      if (operand->source() != format::OperandSource::Argument)
        continue;
      // checkOperands has proven that this does not wrap, checkLaunch that the argument is there.
      uint64_t reach = operand->offset() + operand->tile_stride() * (kernel.tiles() - 1);
      uint64_t bytes = launch.arguments()->Get(operand->index())->bytes();
      if (reach > bytes)
        return refuse(place, "moves a library operand to byte " + std::to_string(reach) + " of argument " +
                                 std::to_string(operand->index()) + ", which has " + std::to_string(bytes));
    }
  }
  return Status();
}

} // namespace

Status checkPrograms(const format::Package &package, const Limits &limits) {
  ProgramChecker checker(package, limits);
  if (Status status = checker.checkKernels(); !status.isOk())
    return status;
  std::set<std::string_view> names;
  for (const format::Program *program : *package.programs()) {
    if (!names.insert(viewOf(program->name())).second)
      return refuse(named("program", program->name()), "is there twice");
    if (Status status = checker.checkProgram(*program); !status.isOk())
      return status;
  }
  return Status();
}

} // namespace amp::runtime::check
