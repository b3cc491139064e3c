// oneDNN by API 2 on GNU OpenMP: compiles and runs drafts. No exception leaves this file.
#include "runtime/library/onednn/Adaptor.h"
#include "runtime/library/onednn/OneDnn2Draft.h"

#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

// Of libgomp, whose header clang does not find.
extern "C" int omp_get_max_threads();
extern "C" void omp_set_num_threads(int);

namespace amp::runtime::onednn {

namespace {

/// oneDNN of Debian parallelises by OpenMP, and cuts sums, scratch and code by its thread count. Counts are the calling
/// thread's own; the application gets its back.
class OneThread {
public:
  OneThread() : before(omp_get_max_threads()) { set(1); }
  ~OneThread() { set(before); }
  OneThread(const OneThread &) = delete;
  OneThread &operator=(const OneThread &) = delete;

private:
  void set(int threads) const {
    if (before != 1)
      omp_set_num_threads(threads);
  }
  int before;
};

struct Step {
  dnnl::primitive primitive;
  std::vector<Part> parts;
  std::function<void(void *const *)> copy; ///< instead of the primitive
};

class Compiled : public CompiledCall {
public:
  Compiled(Draft &&draft, dnnl::engine engine)
      : described(std::move(draft.description)), operands(draft.operandCount), engine(std::move(engine)) {
    for (Draft::Stage &stage : draft.stages)
      steps.push_back({stage.copy ? dnnl::primitive() : stage.make(), std::move(stage.parts), std::move(stage.copy)});
  }

  const Description &description() const override { return described; }
  unsigned operandCount() const override { return operands; }

  Status execute(void *const *addresses) const override {
    try {
      OneThread alone;
      std::unique_ptr<Frame> frame = takeFrame();
      for (size_t i = 0; i < steps.size(); ++i)
        run(steps[i], frame->memories[i], frame->stream, addresses);
      frame->stream.wait();
      std::lock_guard<std::mutex> lock(mutex);
      idle.push_back(std::move(frame));
      return Status();
    } catch (const std::exception &failure) {
      return Status(StatusCode::Internal, "oneDNN failed in " + quoted(described.implementation) + ": " +
                                              failure.what() + "; please report this");
    }
  }

private:
  /// What one running tile needs to itself; kept, so that the steady state makes none.
  struct Frame {
    dnnl::stream stream;
    std::vector<std::vector<dnnl::memory>> memories; ///< of each part of each step
  };

  std::unique_ptr<Frame> takeFrame() const {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!idle.empty()) {
        std::unique_ptr<Frame> frame = std::move(idle.back());
        idle.pop_back();
        return frame;
      }
    }
    auto frame = std::make_unique<Frame>();
    frame->stream = dnnl::stream(engine);
    for (const Step &step : steps) {
      frame->memories.emplace_back();
      for (const Part &part : step.parts)
        frame->memories.back().push_back(dnnl::memory(part.desc, engine, DNNL_MEMORY_NONE));
    }
    return frame;
  }

  static void run(const Step &step, const std::vector<dnnl::memory> &memories, const dnnl::stream &stream,
                  void *const *addresses) {
    if (step.copy)
      return step.copy(addresses);
    dnnl_exec_arg_t arguments[8];
    for (size_t i = 0; i < step.parts.size(); ++i) {
      const Part &part = step.parts[i];
      auto *address = static_cast<uint8_t *>(addresses[part.operand]) + part.offset;
      // Setting zeroes the padding, which tiles that share a packed weight would all do, again and again.
      if (memories[i].get_data_handle() != address)
        memories[i].set_data_handle(address);
      arguments[i] = {part.argument, memories[i].get()};
    }
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(step.primitive.get(), stream.get(), int(step.parts.size()), arguments),
        "could not execute a primitive");
  }

  Description described;
  unsigned operands;
  dnnl::engine engine;
  std::vector<Step> steps;
  mutable std::mutex mutex;
  mutable std::vector<std::unique_ptr<Frame>> idle;
};

constexpr const char *remedy = "; use --select=generated";

Status refusalOf(std::string_view operation, const dnnl::error &failure) {
  bool lacks = failure.status == dnnl_unimplemented;
  return Status(StatusCode::Unsupported,
                "oneDNN " + libraryVersion() + " refuses operation " + quoted(operation) + ": " +
                    (lacks ? "it has no code for these shapes and types" : failure.what()) + remedy);
}

template <typename Call> bool takes(std::string_view operation, const Call &) {
  if constexpr (std::is_same_v<Call, MatMul>)
    return operation == matmul;
  for (std::string_view known :
       {convolutionForward, convolutionInputGradient, convolutionWeightGradient, packForward, packInputGradient})
    if (operation == known)
      return true;
  return false;
}

/// Drafts the call, and gives the draft to `use`.
template <typename Kept, typename Call, typename Use>
Result<Kept> drafted(std::string_view operation, const Call &call, const Use &use) {
  if (!takes(operation, call))
    return Status(StatusCode::Unsupported, "the oneDNN rows have no operation " + quoted(operation) +
                                               " with these numbers; recompile the model");
  try {
    OneThread alone;
    dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    Draft draft = draftOf(operation, call, engine);
    bool isPack = operation == packForward || operation == packInputGradient;
    if (!isPack && draft.description.implementation.find("ref") != std::string::npos)
      return Status(StatusCode::Unsupported, "oneDNN " + libraryVersion() + " has only its slow code " +
                                                 quoted(draft.description.implementation) + " for operation " +
                                                 quoted(operation) + remedy);
    return use(std::move(draft), engine);
  } catch (const dnnl::error &failure) {
    return refusalOf(operation, failure);
  } catch (const std::bad_alloc &) {
    return Status(StatusCode::Memory, "not enough memory for operation " + quoted(operation) + " of oneDNN");
  }
}

template <typename Call> Result<Description> descriptionOf(std::string_view operation, const Call &call) {
  return drafted<Description>(operation, call,
                              [](Draft &&draft, const dnnl::engine &) { return std::move(draft.description); });
}

template <typename Call> Result<std::unique_ptr<CompiledCall>> compiled(std::string_view operation, const Call &call) {
  return drafted<std::unique_ptr<CompiledCall>>(operation, call, [](Draft &&draft, const dnnl::engine &engine) {
    return std::unique_ptr<CompiledCall>(std::make_unique<Compiled>(std::move(draft), engine));
  });
}

const char *instructionSet() {
  switch (dnnl_get_effective_cpu_isa()) {
  case dnnl_cpu_isa_sse41:
    return "sse41";
  case dnnl_cpu_isa_avx:
    return "avx";
  case dnnl_cpu_isa_avx2:
    return "avx2";
  case dnnl_cpu_isa_avx2_vnni:
    return "avx2_vnni";
  case dnnl_cpu_isa_avx512_core:
    return "avx512_core";
  case dnnl_cpu_isa_avx512_core_vnni:
    return "avx512_core_vnni";
  case dnnl_cpu_isa_avx512_core_bf16:
    return "avx512_core_bf16";
  case dnnl_cpu_isa_avx512_core_amx:
    return "avx512_core_amx";
  default:
    return "other";
  }
}

} // namespace

std::string libraryVersion() {
  const dnnl_version_t &version = *dnnl_version();
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch) +
         " " + instructionSet();
}

Result<Description> describe(std::string_view operation, const Convolution &call) {
  return descriptionOf(operation, call);
}

Result<Description> describe(std::string_view operation, const MatMul &call) {
  return descriptionOf(operation, call);
}

Result<std::unique_ptr<CompiledCall>> compile(std::string_view operation, const Convolution &call) {
  return compiled(operation, call);
}

Result<std::unique_ptr<CompiledCall>> compile(std::string_view operation, const MatMul &call) {
  return compiled(operation, call);
}

} // namespace amp::runtime::onednn
