#include "runtime/step/Session.h"

#include "runtime/device/cpu/CpuFeatures.h"

#include <algorithm>
#include <cstring>

namespace amp::runtime {

Result<std::unique_ptr<Session>> Session::create(std::shared_ptr<const PackageReader> package,
                                                 const SessionOptions &options) {
  std::unique_ptr<Session> session(new Session);
  session->reader = std::move(package);
  const format::Package &metadata = session->reader->metadata();
  std::string path = session->reader->path();
  if (Status status = session->loadBinary(); !status.isOk())
    return std::move(status).at(path);
  if (Status status = session->prepareKernels(); !status.isOk())
    return std::move(status).at(path);

  Result<Memory> state = Memory::allocate(metadata.state_bytes(), "the states");
  Result<Memory> scratch = Memory::allocate(metadata.scratch_bytes(), "the activations");
  if (!state.isOk() || !scratch.isOk())
    return state.isOk() ? scratch.status() : state.status();
  session->stateSection = std::move(*state);
  session->scratchSection = std::move(*scratch);

  uint64_t workspaceBytes = 0;
  uint64_t operands = 0;
  for (const format::Kernel *kernel : *metadata.kernels())
    workspaceBytes = std::max(workspaceBytes, kernel->workspace_bytes());
  for (const PreparedKernel &kernel : session->kernels)
    for (const PreparedStep &step : kernel.steps)
      operands = std::max<uint64_t>(operands, step.operands.size());
  Result<std::unique_ptr<Executor>> executor = Executor::create(options.threads, workspaceBytes, operands);
  if (!executor.isOk())
    return executor.status();
  session->executor = std::move(*executor);

  session->listStates();
  for (const format::Program *program : *metadata.programs())
    session->prepareProgram(*program);
  if (Status status = session->reset(); !status.isOk())
    return std::move(status).at(path);
  return session;
}

Status Session::loadBinary() {
  const auto &binaries = *reader->metadata().binaries();
  Status refused;
  for (const format::Binary *candidate : binaries) {
    if (viewOf(candidate->target()) != "cpu")
      continue;
    std::vector<std::string_view> features;
    if (candidate->features())
      for (const flatbuffers::String *feature : *candidate->features())
        features.push_back(viewOf(feature));
    Status status = checkCpu(viewOf(candidate->arch()), features);
    if (!status.isOk()) {
      refused = std::move(status);
      continue;
    }
    Result<std::unique_ptr<CpuBinary>> loaded = CpuBinary::load(reader->blob(candidate->blob(), candidate->bytes()));
    if (!loaded.isOk())
      return loaded.status();
    binary = std::move(*loaded);
    return Status();
  }
  if (!refused.isOk() || binaries.size() == 0) // without binaries only library rows are called
    return refused;
  return Status(StatusCode::Unsupported,
                "the package holds no code for this CPU; recompile the model with --target=cpu");
}

Status Session::prepareKernels() {
  for (const format::Kernel *kernel : *reader->metadata().kernels()) {
    PreparedKernel prepared;
    prepared.name = viewOf(kernel->name());
    prepared.tiles = kernel->tiles();
    for (const format::KernelStep *step : *kernel->steps()) {
      prepared.steps.emplace_back();
      if (Status status = prepareStep(*step, prepared.steps.back()); !status.isOk())
        return Status(status.code(), "kernel " + quoted(prepared.name) + ": " + status.message());
    }
    kernels.push_back(std::move(prepared));
  }
  return Status();
}

Status Session::prepareStep(const format::KernelStep &step, PreparedStep &prepared) const {
  if (step.symbol()) {
    if (!binary)
      return Status(StatusCode::Damaged, "the package has no code for it; recompile the model");
    Result<KernelFunction> function = binary->kernel(step.symbol()->str());
    if (!function.isOk())
      return function.status();
    prepared.function = *function;
    return Status();
  }
  const format::LibraryCall &call = *step.library();
  const Library *library = findLibrary(viewOf(call.library()));
  if (!library)
    return Status(StatusCode::Unsupported, "it calls library " + quoted(viewOf(call.library())) +
                                               ", which this runtime was built without; recompile the model with "
                                               "--select=generated, or use a runtime built with it");
  LibraryRequest request;
  request.operation = viewOf(call.operation());
  request.numbers = spanOf(call.numbers());
  request.implementation = viewOf(call.implementation());
  request.version = viewOf(call.version());
  Result<std::unique_ptr<LibraryCall>> made = library->create(request);
  if (!made.isOk())
    return made.status();
  prepared.call = std::move(*made);
  if (call.operands())
    for (const format::Operand *operand : *call.operands())
      prepared.operands.push_back(*operand);
  if (prepared.operands.size() != prepared.call->operandCount())
    return Status(StatusCode::Damaged, "operation " + quoted(request.operation) + " takes " +
                                           std::to_string(prepared.call->operandCount()) +
                                           " operands, the package has " + std::to_string(prepared.operands.size()) +
                                           "; recompile the model");
  return Status();
}

uint8_t *Session::place(const format::Argument &argument) const {
  const Memory &section = argument.space() == format::Space::State ? stateSection : scratchSection;
  return section.data() + argument.offset();
}

void Session::prepareProgram(const format::Program &program) {
  auto prepared = std::make_unique<PreparedProgram>(program);
  for (const format::Launch *launch : *program.launches()) {
    PreparedLaunch made;
    made.kernel = &kernels[launch->kernel()];
    for (const format::Argument *argument : *launch->arguments()) {
      auto number = static_cast<uint32_t>(made.arguments.size());
      bool fromInput = argument->space() == format::Space::Input;
      if (fromInput)
        made.fromInputs.push_back({number, argument->index(), argument->offset()});
      made.arguments.push_back(fromInput ? nullptr : place(*argument));
    }
    if (launch->predicate())
      made.predicate = place(*launch->predicate());
    prepared->launches.push_back(std::move(made));
  }
  programs.emplace(viewOf(program.name()), std::move(prepared));
}

void Session::listStates() {
  for (const format::State *state : *reader->metadata().states()) {
    StateView view;
    view.name = viewOf(state->name());
    view.of = viewOf(state->of());
    view.role = state->role();
    view.type = elementTypeOf(state->type());
    view.shape = spanOf(state->shape());
    view.data = stateSection.data() + state->offset();
    view.bytes = state->bytes();
    statePlaces.emplace(view.name, stateViews.size());
    stateViews.push_back(view);
  }
}

Status Session::run(std::string_view program, Span<const TensorView> inputs) {
  auto found = programs.find(program);
  if (found == programs.end())
    return Status(StatusCode::NotFound, "the package has no program " + quoted(program) +
                                            (program == "eval" ? "" : "; recompile the model with --mode=train"));
  if (Status status = found->second->binder.bind(inputs); !status.isOk())
    return status;
  return executor->run(*found->second);
}

OutputView Session::outputView(const PreparedProgram &program, const format::Output &output) const {
  OutputView view;
  view.name = viewOf(output.name());
  view.type = elementTypeOf(output.type());
  view.shape = spanOf(output.shape());
  view.bytes = output.place()->bytes();
  const format::Argument &argument = *output.place();
  if (argument.space() != format::Space::Input)
    view.data = place(argument);
  else if (const uint8_t *bound = program.binder.pointer(argument.index()))
    view.data = bound + argument.offset();
  return view;
}

Result<OutputView> Session::output(std::string_view program, std::string_view name) const {
  auto found = programs.find(program);
  if (found != programs.end())
    for (const format::Output *output : *found->second->program->outputs())
      if (viewOf(output->name()) == name)
        return outputView(*found->second, *output);
  return Status(StatusCode::NotFound, "program " + quoted(program) + " has no output " + quoted(name));
}

std::vector<OutputView> Session::outputs(std::string_view program) const {
  std::vector<OutputView> views;
  auto found = programs.find(program);
  if (found != programs.end())
    for (const format::Output *output : *found->second->program->outputs())
      views.push_back(outputView(*found->second, *output));
  return views;
}

const StateView *Session::state(std::string_view name) const {
  auto found = statePlaces.find(name);
  return found == statePlaces.end() ? nullptr : &stateViews[found->second];
}

const StateView *Session::state(format::Role role) const {
  for (const StateView &view : stateViews)
    if (view.role == role)
      return &view;
  return nullptr;
}

Status Session::reset() {
  std::memset(stateSection.data(), 0, stateSection.size());
  for (const format::State *state : *reader->metadata().states())
    if (state->has_blob() && state->bytes() != 0)
      std::memcpy(stateSection.data() + state->offset(), reader->blob(state->blob(), state->bytes()).data(),
                  state->bytes());
  return derive();
}

Status Session::derive() {
  return has("derive") ? run("derive", {}) : Status();
}

SessionMemory Session::memory() const {
  SessionMemory memory;
  memory.state = stateSection.size();
  memory.scratch = scratchSection.size();
  memory.workspace = executor->workspaceBytes();
  for (const auto &entry : programs)
    memory.inputs += entry.second->binder.ownedBytes();
  return memory;
}

} // namespace amp::runtime
