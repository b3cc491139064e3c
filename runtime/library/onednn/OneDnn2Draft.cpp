// Descriptors of each operation, in oneDNN's API 2.
#include "runtime/library/onednn/OneDnn2Draft.h"

#include <algorithm>
#include <optional>
#include <string>

namespace amp::runtime::onednn {

namespace {

using Desc = dnnl::memory::desc;
using Tag = dnnl::memory::format_tag;

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
  draft.stages.push_back(
      {[desc] { return dnnl::reorder(desc); }, {std::move(from), std::move(to)}, desc.scratchpad_desc()});
}

class ConvolutionDraft {
public:
  ConvolutionDraft(const Convolution &c, const dnnl::engine &engine)
      : c(c), engine(engine), attr(attributes()), strides{c.strideHeight, c.strideWidth},
        dilations{c.dilationHeight - 1, c.dilationWidth - 1}, padFirst{c.padTop, c.padLeft},
        padLast{c.padBottom, c.padRight} {}

  Draft forward() {
    if (std::optional<InputGradient> turned = turnedDesc())
      return turnedForward(*turned);
    auto pd = forwardDesc(c.resultType);
    Draft draft;
    int64_t packed = addWeight(draft, pd.weights_desc());
    draft.stages.push_back({[pd] { return dnnl::convolution_forward(pd); },
                            {{DNNL_ARG_SRC, pd.src_desc(), 0, 0},
                             weightPart(pd.weights_desc(), packed),
                             {DNNL_ARG_DST, pd.dst_desc(), 2, 0}},
                            pd.scratchpad_desc()});
    return finished(draft, pd.impl_info_str(), pd.weights_desc(), packed);
  }

  Draft inputGradient() {
    if (std::optional<Forward> exchanged = exchangedDesc())
      return exchangedInputGradient(*exchanged);
    auto pd = inputGradientDesc();
    Draft draft;
    int64_t packed = addWeight(draft, pd.weights_desc());
    draft.stages.push_back({[pd] { return dnnl::convolution_backward_data(pd); },
                            {{DNNL_ARG_DIFF_DST, pd.diff_dst_desc(), 0, 0},
                             weightPart(pd.weights_desc(), packed),
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
                            {{DNNL_ARG_SRC, pd.src_desc(), 0, 0},
                             {DNNL_ARG_DIFF_DST, pd.diff_dst_desc(), 1, 0},
                             {DNNL_ARG_DIFF_WEIGHTS, made, packed ? 3u : 2u, 0}},
                            pd.scratchpad_desc()});
    if (packed)
      addReorder(draft, dnnl::reorder::primitive_desc(engine, made, engine, wanted, attr), {DNNL_ARG_FROM, made, 3, 0},
                 {DNNL_ARG_TO, wanted, 2, 0});
    return finished(draft, pd.impl_info_str(), made, packed);
  }

  /// Masters are fp32: the pack rounds, too.
  Draft pack(bool forForward) {
    if (std::optional<InputGradient> turned = forForward ? turnedDesc() : std::nullopt)
      return turnedPack(turned->weights_desc());
    if (std::optional<Forward> exchanged = forForward ? std::nullopt : exchangedDesc())
      return packed(exchangedWeight(), exchanged->weights_desc());
    Desc wanted = forForward ? forwardDesc(c.resultType).weights_desc() : inputGradientDesc().weights_desc();
    return packed(weight(ElementType::F32, true), wanted);
  }

private:
  using Forward = dnnl::convolution_forward::primitive_desc;
  using InputGradient = dnnl::convolution_backward_data::primitive_desc;

  Draft packed(const Desc &plain, const Desc &wanted) const {
    dnnl::reorder::primitive_desc pd(engine, plain, engine, wanted, attr);
    Draft draft;
    addReorder(draft, pd, {DNNL_ARG_FROM, plain, 0, 0}, {DNNL_ARG_TO, wanted, 1, 0});
    draft.description.implementation = pd.impl_info_str();
    draft.description.packedBytes = int64_t(wanted.get_size());
    finish(draft, 2, 0);
    return draft;
  }

  /// The convolution from y's channels to x's whose forward pass is this one's input gradient, and the other way
  /// around, with the kernel turned by half a turn; at stride 1.
  Convolution exchanged() const {
    Convolution other = c;
    other.channels = c.outChannels, other.height = c.outHeight, other.width = c.outWidth;
    other.outChannels = c.channels, other.outHeight = c.height, other.outWidth = c.width;
    other.padTop = c.kernelHeight - 1 - c.padTop, other.padBottom = c.kernelHeight - 1 - c.padBottom;
    other.padLeft = c.kernelWidth - 1 - c.padLeft, other.padRight = c.kernelWidth - 1 - c.padRight;
    return other;
  }

  /// O x I x KH x KW as it lies, read as I x O x KH x KW.
  Desc exchangedWeight() const {
    int64_t area = c.kernelHeight * c.kernelWidth;
    return Desc({c.channels, c.outChannels, c.kernelHeight, c.kernelWidth}, dataType(ElementType::F32),
                dnnl::memory::dims{area, c.channels * area, c.kernelWidth, 1});
  }

  /// Of fp32 at stride 1, with channels that no packed weight pads.
  bool exchanges() const {
    return c.groups == 1 && c.strideHeight == 1 && c.strideWidth == 1 && c.dilationHeight == 1 &&
           c.dilationWidth == 1 && c.channels % 8 == 0 && c.outChannels % 8 == 0 && c.type == ElementType::F32 &&
           c.resultType == ElementType::F32;
  }

  /// At stride 1 a forward pass is the input gradient of the convolution whose channels are exchanged, with the kernel
  /// turned by half a turn. oneDNN's AVX2 code for input gradients outruns that for forward passes there, by half on
  /// small images. None where that is another's code, or would pad the channels of the packed weight.
  std::optional<InputGradient> turnedDesc() const {
    bool turns = c.kernelHeight > 1 && c.kernelWidth > 1 && std::max(c.padTop, c.padBottom) < c.kernelHeight &&
                 std::max(c.padLeft, c.padRight) < c.kernelWidth;
    const std::string code = "jit:avx2";
    if (!exchanges() || !turns || forwardDesc(c.resultType).impl_info_str() != code)
      return std::nullopt;
    Convolution other = exchanged();
    InputGradient pd = ConvolutionDraft(other, engine).inputGradientDesc();
    return pd.impl_info_str() == code ? std::optional<InputGradient>(pd) : std::nullopt;
  }

  /// For pointwise convolutions it is the code for forward passes that outruns the other.
  std::optional<Forward> exchangedDesc() const {
    bool pointwise = c.kernelHeight == 1 && c.kernelWidth == 1 && c.padTop + c.padLeft + c.padBottom + c.padRight == 0;
    const std::string code = "jit_1x1:avx2";
    if (!exchanges() || !pointwise || inputGradientDesc().impl_info_str() != code)
      return std::nullopt;
    Convolution other = exchanged();
    Forward pd = ConvolutionDraft(other, engine).forwardDesc(c.resultType);
    return pd.impl_info_str() == code ? std::optional<Forward>(pd) : std::nullopt;
  }

  Draft exchangedInputGradient(const Forward &pd) const {
    Desc wanted = pd.weights_desc();
    int64_t packed = c.packedWeight ? 0 : int64_t(wanted.get_size());
    Draft draft;
    if (!c.packedWeight)
      addReorder(draft, dnnl::reorder::primitive_desc(engine, exchangedWeight(), engine, wanted, attr),
                 {DNNL_ARG_FROM, exchangedWeight(), 1, 0}, {DNNL_ARG_TO, wanted, 3, 0});
    draft.stages.push_back(
        {[pd] { return dnnl::convolution_forward(pd); },
         {{DNNL_ARG_SRC, pd.src_desc(), 0, 0}, weightPart(wanted, packed), {DNNL_ARG_DST, pd.dst_desc(), 2, 0}},
         pd.scratchpad_desc()});
    return finished(draft, (std::string("exchanged ") + pd.impl_info_str()).c_str(), wanted, packed);
  }

  int64_t weightElements() const { return c.outChannels * (c.channels / c.groups) * c.kernelHeight * c.kernelWidth; }

  /// Turns the plain weight into scratch, then packs it.
  void addTurn(Draft &draft, const Desc &wanted, unsigned scratchOperand, int64_t offset, Part packed) const {
    int64_t area = c.kernelHeight * c.kernelWidth, elements = weightElements();
    unsigned plainOperand = scratchOperand == 3 ? 1 : 0;
    Draft::Stage stage;
    stage.copy = [=](void *const *operands) {
      const float *plain = static_cast<const float *>(operands[plainOperand]);
      float *turned = reinterpret_cast<float *>(static_cast<uint8_t *>(operands[scratchOperand]) + offset);
      for (int64_t first = 0; first < elements; first += area)
        std::reverse_copy(plain + first, plain + first + area, turned + first);
    };
    draft.stages.push_back(std::move(stage));
    Desc plain = exchangedWeight();
    addReorder(draft, dnnl::reorder::primitive_desc(engine, plain, engine, wanted, attr),
               {DNNL_ARG_FROM, plain, scratchOperand, offset}, std::move(packed));
  }

  Draft turnedForward(const InputGradient &pd) const {
    Desc wanted = pd.weights_desc();
    int64_t packed = c.packedWeight ? 0 : (int64_t(wanted.get_size()) + 63) / 64 * 64;
    Draft draft;
    if (!c.packedWeight)
      addTurn(draft, wanted, 3, packed, {DNNL_ARG_TO, wanted, 3, 0});
    draft.stages.push_back({[pd] { return dnnl::convolution_backward_data(pd); },
                            {{DNNL_ARG_DIFF_DST, pd.diff_dst_desc(), 0, 0},
                             weightPart(wanted, packed),
                             {DNNL_ARG_DIFF_SRC, pd.diff_src_desc(), 2, 0}},
                            pd.scratchpad_desc()});
    int64_t turned = c.packedWeight ? 0 : weightElements() * int64_t(sizeof(float));
    return finished(draft, (std::string("turned ") + pd.impl_info_str()).c_str(), wanted, packed + turned);
  }

  Draft turnedPack(const Desc &wanted) const {
    Draft draft;
    addTurn(draft, wanted, 2, 0, {DNNL_ARG_TO, wanted, 1, 0});
    draft.description.implementation = "turned";
    draft.description.packedBytes = int64_t(wanted.get_size());
    finish(draft, 2, weightElements() * int64_t(sizeof(float)));
    return draft;
  }

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

} // namespace

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

} // namespace amp::runtime::onednn
