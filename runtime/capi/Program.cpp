// Functions amp_program_* of amp.h.
#include "runtime/capi/Handles.h"

using namespace amp::runtime;

namespace amp::runtime::capi {

static_assert(int(AMP_TYPE_BOOL) == int(ElementType::I1) && int(AMP_TYPE_INT64) == int(ElementType::I64) &&
                  int(AMP_TYPE_UINT8) == int(ElementType::U8),
              "types of the ABI and of the runtime are numbered alike");

amp_tensor describe(std::string_view name, ElementType type, Span<const uint64_t> shape, const void *data,
                    uint64_t bytes) {
  amp_tensor tensor = {};
  tensor.size = sizeof tensor;
  tensor.name = name.data();
  tensor.type = typeOf(type);
  tensor.rank = shape.size();
  tensor.shape = shape.data();
  tensor.data = data;
  tensor.bytes = bytes;
  return tensor;
}

} // namespace amp::runtime::capi

namespace {

const amp::format::Program *programOf(const amp_program *program, amp_phase phase) {
  if (!program)
    return nullptr;
  return program->reader->program(phase == AMP_PHASE_TRAIN ? "micro" : "eval");
}

/// Name, type and shape of an input or output of a program.
template <typename Slot> amp_tensor describeOnly(const Slot &slot) {
  uint64_t bytes = elementBytes(elementTypeOf(slot.type())); // the product was checked when the package was opened
  for (uint64_t dimension : spanOf(slot.shape()))
    bytes *= dimension;
  return capi::describe(viewOf(slot.name()), elementTypeOf(slot.type()), spanOf(slot.shape()), nullptr, bytes);
}

} // namespace

extern "C" {

amp_status amp_program_open(const char *path, amp_program **program) {
  return capi::guarded([&]() -> Status {
    if (!path || !program)
      return capi::argumentFailure("amp_program_open: path or program is null");
    Result<PackageReader> reader = PackageReader::open(posixFileSystem(), path);
    if (!reader.isOk())
      return reader.status();
    *program = new amp_program{std::make_shared<const PackageReader>(std::move(*reader))};
    return Status();
  });
}

void amp_program_close(amp_program *program) {
  delete program;
}

amp_status amp_program_describe(const amp_program *program, amp_program_info *info) {
  return capi::guarded([&]() -> Status {
    if (!program)
      return capi::argumentFailure("amp_program_describe: program is null");
    const amp::format::Package &package = program->reader->metadata();
    amp_program_info all = {};
    all.producer = package.producer()->c_str();
    all.model = package.model()->c_str();
    all.precision = package.precision()->c_str();
    all.optimizer = package.optimizer()->c_str();
    all.loss = package.loss()->c_str();
    all.learning_rate = package.learning_rate();
    return capi::give(info, all);
  });
}

size_t amp_program_input_count(const amp_program *program, amp_phase phase) {
  const amp::format::Program *found = programOf(program, phase);
  return found ? found->inputs()->size() : 0;
}

amp_status amp_program_input(const amp_program *program, amp_phase phase, size_t index, amp_tensor *input) {
  return capi::guarded([&]() -> Status {
    size_t count = amp_program_input_count(program, phase);
    if (Status status = capi::checkIndex("amp_program_input", index, count, "the program has", "inputs");
        !status.isOk())
      return status;
    return capi::give(input, describeOnly(*programOf(program, phase)->inputs()->Get(static_cast<unsigned>(index))));
  });
}

size_t amp_program_output_count(const amp_program *program) {
  const amp::format::Program *found = programOf(program, AMP_PHASE_EVALUATE);
  return found ? found->outputs()->size() : 0;
}

amp_status amp_program_output(const amp_program *program, size_t index, amp_tensor *output) {
  return capi::guarded([&]() -> Status {
    size_t count = amp_program_output_count(program);
    if (Status status = capi::checkIndex("amp_program_output", index, count, "the program has", "outputs");
        !status.isOk())
      return status;
    const amp::format::Program &evaluation = *programOf(program, AMP_PHASE_EVALUATE);
    return capi::give(output, describeOnly(*evaluation.outputs()->Get(static_cast<unsigned>(index))));
  });
}
}
