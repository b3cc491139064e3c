// oneDNN by API 2 on GNU OpenMP. Nothing else includes dnnl.hpp, and no exception of it leaves this file.
#include "runtime/library/onednn/Adaptor.h"

#include <dnnl.hpp>

#include <algorithm>
#include <functional>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

static_assert(DNNL_VERSION_MAJOR == 2, "API 3 has no operation descriptors: it takes an adaptor of its own");

// Of libgomp, whose header clang does not find.
extern "C" int omp_get_max_threads();
extern "C" void omp_set_num_threads(int);

namespace amp::runtime::onednn {

namespace {

using Desc = dnnl::memory::desc;
using Tag = dnnl::memory::format_tag;

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

/// Memory of a primitive: `offset` bytes into an operand of the call.
struct Part {
  int argument; ///< DNNL_ARG_...
  Desc desc;
  unsigned operand;
  int64_t offset;
};

struct Step {
  dnnl::primitive primitive;
  std::vector<Part> parts;
};

/// A call as described: what compile() makes steps of. `makers` compile code, hence later.
struct Draft {
  Description description;
  unsigned operandCount = 0;
  struct Stage {
    std::function<dnnl::primitive()> make;
    std::vector<Part> parts;
    Desc scratchpad;
  };
  std::vector<Stage> stages;
};

/// A desc without scratchpad has no bytes, and takes no part.
void finish(Draft &draft, unsigned scratchOperand, int64_t packedScratch) {
  int64_t offset = (packedScratch + 63) / 64 * 64;
  int64_t largest = 0;
  for (Draft::Stage &stage : draft.stages) {
    int64_t bytes = int64_t(stage.scratchpad.get_size());
    largest = std::max(largest, bytes);
    if (bytes != 0)
      stage.parts.push_back({DNNL_ARG_SCRATCHPAD, stage.scratchpad, scratchOperand, offset});
  }
  draft.operandCount = scratchOperand + 1;
  draft.description.version = libraryVersion();
  draft.description.scratchBytes = offset + largest;
}

dnnl::memory::data_type dataType(ElementType type) {
  return type == ElementType::BF16 ? dnnl::memory::data_type::bf16 : dnnl::memory::data_type::f32;
}

/// Scratch is the caller's, and fp32 stays fp32 whatever the environment says.
dnnl::primitive_attr attributes() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attr.set_fpmath_mode(dnnl::fpmath_mode::strict);
  return attr;
}

template <typename PrimitiveDesc> void addReorder(Draft &draft, const PrimitiveDesc &desc, Part from, Part to) {
  draft.stages.push_back({[desc] { return dnnl::reorder(desc); }, {std::move(from), std::move(to)},
                          desc.scratchpad_desc()});
}

class ConvolutionDraft {
public:
  ConvolutionDraft(const Convolution &c, const dnnl::engine &engine)
      : c(c), engine(engine), attr(attributes()), strides{c.strideHeight, c.strideWidth},
        dilations{c.dilationHeight - 1, c.dilationWidth - 1}, padFirst{c.padTop, c.padLeft},
        padLast{c.padBottom, c.padRight} {}

  Draft forward() {
    auto pd = forwardDesc(c.resultType);
    Draft draft;
    int64_t packed = addWeight(draft, pd.weights_desc());
    draft.stages.push_back({[pd] { return dnnl::convolution_forward(pd); },
                            {{DNNL_ARG_SRC, pd.src_desc(), 0, 0}, weightPart(pd.weights_desc(), packed),
                             {DNNL_ARG_DST, pd.dst_desc(), 2, 0}},
                            pd.scratchpad_desc()});
    return finished(draft, pd.impl_info_str(), pd.weights_desc(), packed);
  }

  Draft inputGradient() {
    auto pd = inputGradientDesc();
    Draft draft;
    int64_t packed = addWeight(draft, pd.weights_desc());
    draft.stages.push_back({[pd] { return dnnl::convolution_backward_data(pd); },
                            {{DNNL_ARG_DIFF_DST, pd.diff_dst_desc(), 0, 0}, weightPart(pd.weights_desc(), packed),
                             {DNNL_ARG_DIFF_SRC, pd.diff_src_desc(), 2, 0}},
                            pd.scratchpad_desc()});
    return finished(draft, pd.impl_info_str(), pd.weights_desc(), packed);
  }

  /// oneDNN leaves the gradient in the layout that it likes; it is brought to that of the weight at the end.
  Draft weightGradient() {
    dnnl::convolution_backward_weights::desc desc(dnnl::algorithm::convolution_direct, image(c.type),
                                                  weight(c.resultType, false), result(c.type), strides, dilations,
                                                  padFirst, padLast);
    dnnl::convolution_backward_weights::primitive_desc pd(desc, attr, engine, forwardDesc(c.type));
    Desc made = pd.diff_weights_desc(), wanted = weight(c.resultType, true);
    int64_t packed = made == wanted ? 0 : int64_t(made.get_size());
    Draft draft;
    draft.stages.push_back({[pd] { return dnnl::convolution_backward_weights(pd); },
                            {{DNNL_ARG_SRC, pd.src_desc(), 0, 0}, {DNNL_ARG_DIFF_DST, pd.diff_dst_desc(), 1, 0},
                             {DNNL_ARG_DIFF_WEIGHTS, made, packed ? 3u : 2u, 0}},
                            pd.scratchpad_desc()});
    if (packed)
      addReorder(draft, dnnl::reorder::primitive_desc(engine, made, engine, wanted, attr), {DNNL_ARG_FROM, made, 3, 0},
                 {DNNL_ARG_TO, wanted, 2, 0});
    return finished(draft, pd.impl_info_str(), made, packed);
  }

  /// Masters are fp32: the pack rounds, too.
  Draft pack(bool forForward) {
    Desc wanted = forForward ? forwardDesc(c.resultType).weights_desc() : inputGradientDesc().weights_desc();
    Desc plain = weight(ElementType::F32, true);
    dnnl::reorder::primitive_desc pd(engine, plain, engine, wanted, attr);
    Draft draft;
    addReorder(draft, pd, {DNNL_ARG_FROM, plain, 0, 0}, {DNNL_ARG_TO, wanted, 1, 0});
    draft.description.implementation = pd.impl_info_str();
    draft.description.packedBytes = int64_t(wanted.get_size());
    finish(draft, 2, 0);
    return draft;
  }

private:
  Desc image(ElementType type) const {
    return Desc({c.batch, c.channels, c.height, c.width}, dataType(type), Tag::nhwc);
  }
  Desc result(ElementType type) const {
    return Desc({c.batch, c.outChannels, c.outHeight, c.outWidth}, dataType(type), Tag::nhwc);
  }
  Desc weight(ElementType type, bool plain) const {
    int64_t in = c.channels / c.groups, out = c.outChannels / c.groups;
    if (c.groups == 1)
      return Desc({out, in, c.kernelHeight, c.kernelWidth}, dataType(type), plain ? Tag::oihw : Tag::any);
    return Desc({c.groups, out, in, c.kernelHeight, c.kernelWidth}, dataType(type), plain ? Tag::goihw : Tag::any);
  }

  dnnl::convolution_forward::primitive_desc forwardDesc(ElementType resultType) const {
    dnnl::convolution_forward::desc desc(dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct,
                                         image(c.type), weight(c.type, false), result(resultType), strides, dilations,
                                         padFirst, padLast);
    return {desc, attr, engine};
  }
  dnnl::convolution_backward_data::primitive_desc inputGradientDesc() const {
    dnnl::convolution_backward_data::desc desc(dnnl::algorithm::convolution_direct, image(c.resultType),
                                               weight(c.type, false), result(c.type), strides, dilations, padFirst,
                                               padLast);
    return {desc, attr, engine, forwardDesc(c.type)};
  }

  /// Bytes of scratch that the weight is packed into; 0 where the operand is used as it is.
  int64_t addWeight(Draft &draft, const Desc &wanted) const {
    Desc plain = weight(c.type, true);
    if (c.packedWeight || plain == wanted)
      return 0;
    addReorder(draft, dnnl::reorder::primitive_desc(engine, plain, engine, wanted, attr), {DNNL_ARG_FROM, plain, 1, 0},
               {DNNL_ARG_TO, wanted, 3, 0});
    return int64_t(wanted.get_size());
  }
  static Part weightPart(const Desc &desc, int64_t packed) { return {DNNL_ARG_WEIGHTS, desc, packed ? 3u : 1u, 0}; }

  static Draft finished(Draft draft, const char *implementation, const Desc &weight, int64_t packed) {
    draft.description.implementation = implementation;
    draft.description.packedBytes = int64_t(weight.get_size());
    finish(draft, 3, packed);
    return draft;
  }

  const Convolution &c;
  const dnnl::engine &engine;
  dnnl::primitive_attr attr;
  dnnl::memory::dims strides, dilations, padFirst, padLast;
};

Draft draftOf(std::string_view operation, const Convolution &call, const dnnl::engine &engine) {
  ConvolutionDraft draft(call, engine);
  if (operation == convolutionForward)
    return draft.forward();
  if (operation == convolutionInputGradient)
    return draft.inputGradient();
  if (operation == convolutionWeightGradient)
    return draft.weightGradient();
  return draft.pack(operation == packForward);
}

Draft draftOf(std::string_view, const MatMul &m, const dnnl::engine &engine) {
  using Strides = dnnl::memory::dims;
  Desc lhs({m.rows, m.depth}, dataType(m.type), m.transposeLhs ? Strides{1, m.lhsStride} : Strides{m.lhsStride, 1});
  Desc rhs({m.depth, m.columns}, dataType(m.type), m.transposeRhs ? Strides{1, m.rhsStride} : Strides{m.rhsStride, 1});
  Desc y({m.rows, m.columns}, dataType(m.resultType), Strides{m.resultStride, 1});
  dnnl::matmul::primitive_desc pd(dnnl::matmul::desc(lhs, rhs, y), attributes(), engine);
  Draft draft;
  draft.stages.push_back({[pd] { return dnnl::matmul(pd); },
                          {{DNNL_ARG_SRC, lhs, 0, 0}, {DNNL_ARG_WEIGHTS, rhs, 1, 0}, {DNNL_ARG_DST, y, 2, 0}},
                          pd.scratchpad_desc()});
  draft.description.implementation = pd.impl_info_str();
  finish(draft, 3, 0);
  return draft;
}

class Compiled : public CompiledCall {
public:
  Compiled(Draft &&draft, dnnl::engine engine)
      : described(std::move(draft.description)), operands(draft.operandCount), engine(std::move(engine)) {
    for (Draft::Stage &stage : draft.stages)
      steps.push_back({stage.make(), std::move(stage.parts)});
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
    dnnl_exec_arg_t arguments[8];
    for (size_t i = 0; i < step.parts.size(); ++i) {
      const Part &part = step.parts[i];
      auto *address = static_cast<uint8_t *>(addresses[part.operand]) + part.offset;
      // Setting zeroes the padding, which tiles that share a packed weight would all do, again and again.
      if (memories[i].get_data_handle() != address)
        memories[i].set_data_handle(address);
      arguments[i] = {part.argument, memories[i].get()};
    }
    dnnl::error::wrap_c_api(dnnl_primitive_execute(step.primitive.get(), stream.get(), int(step.parts.size()), arguments),
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
  return Status(StatusCode::Unsupported, "oneDNN " + libraryVersion() + " refuses operation " + quoted(operation) + ": " +
                                             (lacks ? "it has no code for these shapes and types" : failure.what()) +
                                             remedy);
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

template <typename Call>
Result<std::unique_ptr<CompiledCall>> compiled(std::string_view operation, const Call &call) {
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

Result<Description> describe(std::string_view operation, const MatMul &call) { return descriptionOf(operation, call); }

Result<std::unique_ptr<CompiledCall>> compile(std::string_view operation, const Convolution &call) {
  return compiled(operation, call);
}

Result<std::unique_ptr<CompiledCall>> compile(std::string_view operation, const MatMul &call) {
  return compiled(operation, call);
}

} // namespace amp::runtime::onednn
