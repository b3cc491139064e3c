// Descriptors of each operation, in oneDNN's API 2.
#include "runtime/library/onednn/OneDnn2Draft.h"

#include <algorithm>

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
