// Where the time of a step goes: runs the programs of a package on one thread, launch by launch, and prints the
// milliseconds of each kernel. Inputs are noise, labels 0.
//   step-profile model.amp [repeats] [program..]
#include "runtime/base/FileSystem.h"
#include "runtime/device/cpu/CpuBinary.h"
#include "runtime/format/PackageReader.h"
#include "runtime/library/Library.h"
#include "runtime/step/Memory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <vector>

using namespace amp::runtime;
namespace format = amp::format;

namespace {

template <typename T> T must(Result<T> result) {
  if (result.isOk())
    return std::move(*result);
  std::fprintf(stderr, "%s\n", result.status().message().c_str());
  std::exit(1);
}

/// Of this thread alone: other processes then cost caches, not time.
double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

struct Step {
  KernelFunction function = nullptr;
  std::unique_ptr<LibraryCall> call;
  std::vector<format::Operand> operands;
  double seconds = 0;
};

struct Kernel {
  const format::Kernel *description;
  std::vector<Step> steps;
  unsigned launches = 0;
  double seconds = 0;
};

class Profile {
public:
  explicit Profile(const char *path)
      : reader(must(PackageReader::open(posixFileSystem(), path))), package(reader.metadata()),
        state(must(Memory::allocate(package.state_bytes(), "the states"))),
        scratch(must(Memory::allocate(package.scratch_bytes(), "the activations"))) {
    for (const format::Binary *candidate : *package.binaries())
      binary = must(CpuBinary::load(reader.blob(candidate->blob(), candidate->bytes())));
    uint64_t workspaceBytes = 1;
    for (const format::Kernel *kernel : *package.kernels()) {
      workspaceBytes = std::max(workspaceBytes, kernel->workspace_bytes());
      kernels.push_back(prepare(*kernel));
    }
    workspace.emplace_back(must(Memory::allocate(workspaceBytes, "the workspace")));
    for (const format::State *each : *package.states())
      if (each->has_blob() && each->bytes() != 0)
        std::memcpy(state.data() + each->offset(), reader.blob(each->blob(), each->bytes()).data(), each->bytes());
  }

  bool has(const char *program) const { return reader.program(program) != nullptr; }

  void run(const char *name) {
    const format::Program &program = *reader.program(name);
    auto &buffers = inputs[name];
    if (buffers.empty())
      for (const format::Input *input : *program.inputs())
        buffers.push_back(noise(*input));
    for (const format::Launch *launch : *program.launches())
      run(*launch, buffers);
  }

  void clear() {
    for (Kernel &kernel : kernels) {
      kernel.launches = 0, kernel.seconds = 0;
      for (Step &step : kernel.steps)
        step.seconds = 0;
    }
  }

  void print(unsigned repeats) {
    std::vector<const Kernel *> order;
    std::map<std::string, double> byImplementation;
    double all = 0;
    for (const Kernel &kernel : kernels) {
      order.push_back(&kernel);
      all += kernel.seconds;
      byImplementation[kernel.description->implementation()->str()] += kernel.seconds;
    }
    std::sort(order.begin(), order.end(), [](auto *lhs, auto *rhs) { return lhs->seconds > rhs->seconds; });
    for (const Kernel *kernel : order)
      if (kernel->launches != 0)
        printKernel(*kernel, all, repeats);
    for (auto &[name, seconds] : byImplementation)
      std::printf("%s %.1f ms\n", name.c_str(), 1e3 * seconds / repeats);
    std::printf("all %.1f ms\n", 1e3 * all / repeats);
  }

private:
  Kernel prepare(const format::Kernel &description) {
    Kernel kernel{&description, {}};
    for (const format::KernelStep *step : *description.steps()) {
      kernel.steps.emplace_back();
      Step &made = kernel.steps.back();
      if (step->symbol()) {
        made.function = must(binary->kernel(step->symbol()->str()));
        continue;
      }
      const format::LibraryCall &call = *step->library();
      LibraryRequest request{viewOf(call.operation()), spanOf(call.numbers()), viewOf(call.implementation()),
                             viewOf(call.version())};
      made.call = must(findLibrary(viewOf(call.library()))->create(request));
      for (const format::Operand *operand : *call.operands())
        made.operands.push_back(*operand);
    }
    return kernel;
  }

  static std::vector<float> noise(const format::Input &input) {
    uint64_t count = 2; // wide enough for any element type
    for (uint64_t length : spanOf(input.shape()))
      count *= length;
    std::vector<float> values(count + 16);
    uint32_t seed = 1;
    for (float &value : values) {
      seed = seed * 1664525u + 1013904223u;
      value = input.type() == format::ElementType::F32 ? float(int32_t(seed)) / 2147483648.0f : 0;
    }
    return values;
  }

  void run(const format::Launch &launch, std::vector<std::vector<float>> &buffers) {
    auto place = [&](const format::Argument &argument) -> uint8_t * {
      if (argument.space() == format::Space::Input)
        return reinterpret_cast<uint8_t *>(buffers[argument.index()].data()) + argument.offset();
      return (argument.space() == format::Space::State ? state : scratch).data() + argument.offset();
    };
    if (launch.predicate() && *place(*launch.predicate()) == 0)
      return;
    std::vector<void *> arguments;
    for (const format::Argument *argument : *launch.arguments())
      arguments.push_back(place(*argument));
    Kernel &kernel = kernels[launch.kernel()];
    ++kernel.launches;
    double begin = now();
    for (int64_t tile = 0; tile < int64_t(kernel.description->tiles()); ++tile)
      for (Step &step : kernel.steps)
        run(step, arguments, tile);
    kernel.seconds += now() - begin;
  }

  void run(Step &step, const std::vector<void *> &arguments, int64_t tile) {
    double begin = now();
    uint8_t *base = workspace.front().data();
    if (step.function) {
      step.function(arguments.data(), tile, base);
    } else {
      std::vector<void *> operands;
      for (const format::Operand &operand : step.operands)
        operands.push_back((operand.source() == format::OperandSource::Argument
                                ? static_cast<uint8_t *>(arguments[operand.index()])
                                : base) +
                           operand.offset() + operand.tile_stride() * uint64_t(tile));
      (void)step.call->execute(operands.data(), base);
    }
    step.seconds += now() - begin;
  }

  static void printKernel(const Kernel &kernel, double all, unsigned repeats) {
    std::string steps, nodes;
    for (const Step &step : kernel.steps)
      steps += " " + std::to_string(1e3 * step.seconds / repeats).substr(0, 5);
    if (kernel.description->nodes())
      for (const flatbuffers::String *node : *kernel.description->nodes())
        nodes += " " + node->str();
    std::printf("%8.2f ms %4.1f%% %3u x %3u tiles %-9s %-11s [%s ] %.100s\n", 1e3 * kernel.seconds / repeats,
                100 * kernel.seconds / all, kernel.launches / repeats, kernel.description->tiles(),
                kernel.description->implementation()->c_str(), kernel.description->name()->c_str(), steps.c_str(),
                nodes.c_str());
  }

  PackageReader reader;
  const format::Package &package;
  Memory state, scratch;
  std::vector<Memory> workspace;
  std::unique_ptr<CpuBinary> binary;
  std::vector<Kernel> kernels;
  std::map<std::string, std::vector<std::vector<float>>> inputs;
};

} // namespace

int main(int count, char **arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: step-profile model.amp [repeats] [program..]\n");
    return 1;
  }
  Profile profile(arguments[1]);
  unsigned repeats = count > 2 ? unsigned(std::max(1, std::atoi(arguments[2]))) : 3;
  std::vector<const char *> programs(arguments + std::min(count, 3), arguments + count);
  if (programs.empty())
    programs = {"micro", "finish"};
  if (profile.has("derive"))
    profile.run("derive");
  for (unsigned repeat = 0; repeat <= repeats; ++repeat) {
    if (repeat == 1)
      profile.clear(); // the first round warms up
    for (const char *program : programs)
      if (profile.has(program))
        profile.run(program);
  }
  profile.print(repeats);
  return 0;
}
