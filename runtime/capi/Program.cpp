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
    if (index >= count)
      return capi::argumentFailure("amp_program_input: index " + std::to_string(index) + ", the program has " +
                                   std::to_string(count) + " inputs");
    const amp::format::Input &found = *programOf(program, phase)->inputs()->Get(static_cast<unsigned>(index));
    uint64_t bytes = elementBytes(elementTypeOf(found.type()));
    for (uint64_t dimension : spanOf(found.shape()))
      bytes *= dimension;
    return capi::give(input, capi::describe(viewOf(found.name()), elementTypeOf(found.type()), spanOf(found.shape()),
                                            nullptr, bytes));
  });
}
}
