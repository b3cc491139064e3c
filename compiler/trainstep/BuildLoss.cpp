// The loss becomes the model's last output, so that every later pass finds it there.
#include "compiler/support/Remarks.h"
#include "compiler/trainstep/Passes.h"
#include "compiler/trainstep/Programs.h"

using namespace mlir;
using namespace amp;
using train::ProgramKind;
using train::ProgramOp;

namespace amp::compiler::trainstep {
#define GEN_PASS_DEF_BUILDLOSSPASS
#include "compiler/trainstep/Passes.h.inc"
} // namespace amp::compiler::trainstep

namespace {

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}
int64_t rankOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}
StringRef nameAt(ArrayAttr names, unsigned index) {
  return cast<StringAttr>(names[index]).getValue();
}

/// "'logits' (2x10), 'aux' (2x5)"
std::string listOutputs(ProgramOp model) {
  std::string text;
  for (auto [index, value] : llvm::enumerate(model.getReturn().getValues()))
    text += (text.empty() ? "'" : ", '") + nameAt(model.getOutputNames(), index).str() + "' (" +
            graph::shapeText(cast<RankedTensorType>(value.getType()).getShape()) + ")";
  return text;
}

class BuildLoss : public compiler::trainstep::impl::BuildLossPassBase<BuildLoss> {
public:
  using BuildLossPassBase::BuildLossPassBase;

  void runOnOperation() override {
    model = compiler::trainstep::requireProgram(getOperation(), ProgramKind::Model, "amp-import-onnx");
    if (!model || failed(checkOptions()) || failed(chooseOutput()) || failed(chooseKind()) || failed(checkNames()) ||
        failed(buildLoss()))
      signalPassFailure();
  }

private:
  LogicalResult checkOptions();
  LogicalResult chooseOutput();
  LogicalResult chooseKind();
  LogicalResult checkNames();
  FailureOr<int64_t> classAxis();
  LogicalResult buildLoss();
  LogicalResult buildCrossEntropy(OpBuilder &builder, Location loc);
  LogicalResult buildMse(OpBuilder &builder, Location loc);
  LogicalResult takeOutput(OpBuilder &builder, Location loc);
  Value addLabels(Type type, int64_t limit, int64_t ignored);
  void addOutput(Value value);

  InFlightDiagnostic error() { return std::move(emitError(model.getLoc()) << "loss: "); }
  std::string place() { return "output '" + outputName + "'"; }

  ProgramOp model;
  Value output, result;
  std::string outputName, kind;
};

LogicalResult BuildLoss::checkOptions() {
  kind = loss;
  if (kind != "auto" && kind != "cross-entropy" && kind != "mse" && kind != "output")
    return error() << "kind is '" << kind << "', wants auto, cross-entropy, mse or output";
  if (reduction != "mean" && reduction != "sum")
    return error() << "reduction is '" << reduction << "', wants mean or sum";
  return success();
}

LogicalResult BuildLoss::chooseOutput() {
  unsigned floats = 0;
  for (auto [index, value] : llvm::enumerate(model.getReturn().getValues())) {
    StringRef name = nameAt(model.getOutputNames(), index);
    if (!isFloat(value) || (!of.empty() && name != of))
      continue;
    ++floats;
    output = value;
    outputName = name.str();
  }
  if (floats == 1)
    return success();
  if (!of.empty())
    return error() << "no float output is called '" << of << "'; the outputs are " << listOutputs(model);
  return error() << "the model has " << floats
                 << " float outputs, wants exactly one to decide from: " << listOutputs(model)
                 << "; name one with --loss=KIND:of=OUTPUT";
}

LogicalResult BuildLoss::chooseKind() {
  if (kind != "auto")
    return success();
  int64_t rank = rankOf(output), elements = cast<RankedTensorType>(output.getType()).getNumElements();
  if (rank >= 2 && elements != 1) {
    kind = "cross-entropy";
    compiler::remark(model, "loss") << place() << " has rank " << rank << ": trains with cross-entropy";
  } else if (elements == 1) {
    kind = "output";
    compiler::remark(model, "loss") << place() << " is a scalar: it is minimised as it is";
  } else {
    return error() << place() << " has rank " << rank
                   << ", which does not tell its loss; choose one with --loss=mse or "
                   << "--loss=cross-entropy";
  }
  return success();
}

FailureOr<int64_t> BuildLoss::classAxis() {
  int64_t rank = rankOf(output), chosen = 1;
  if (axis == "auto") {
    if (rank == 3) {
      chosen = 2;
      compiler::remark(model, "loss") << place()
                                      << " has rank 3: its classes lie on the last axis; choose another with axis=N";
    }
  } else if (StringRef(axis).getAsInteger(10, chosen)) {
    return error() << "axis is '" << axis << "', wants an integer";
  }
  int64_t positive = chosen < 0 ? chosen + rank : chosen;
  if (positive < 0 || positive >= rank)
    return error() << "class axis " << chosen << " is outside rank " << rank << " of " << place()
                   << "; choose another output or axis with --loss=cross-entropy:of=OUTPUT,axis=N";
  return positive;
}

LogicalResult BuildLoss::buildLoss() {
  OpBuilder builder(model.getReturn());
  Location loc = NameLoc::get(builder.getStringAttr("loss"));
  if (kind == "cross-entropy")
    return buildCrossEntropy(builder, loc);
  return kind == "mse" ? buildMse(builder, loc) : takeOutput(builder, loc);
}

// The runtime finds both by these names.
LogicalResult BuildLoss::checkNames() {
  auto has = [](ArrayAttr names, StringRef name) {
    return llvm::any_of(names.getAsRange<StringAttr>(), [&](StringAttr one) { return one.getValue() == name; });
  };
  if (kind != "output" && has(model.getInputNames(), "labels"))
    return error() << "the model has an input called 'labels' already; rename it, the labels of the loss get this name";
  if (has(model.getOutputNames(), "loss") && (kind != "output" || outputName != "loss"))
    return error()
           << "the model has an output called 'loss' already; rename it, or minimise it with --loss=output:loss";
  return success();
}

LogicalResult BuildLoss::buildCrossEntropy(OpBuilder &builder, Location loc) {
  FailureOr<int64_t> axis = classAxis();
  if (failed(axis))
    return failure();
  if (output.getDefiningOp<graph::SoftmaxOp>())
    compiler::remark(output.getDefiningOp(), "loss")
        << place() << " is a softmax, and cross-entropy takes the softmax of what it reads: train on the logits before "
        << "it, or training will be slow";
  SmallVector<int64_t> shape(cast<RankedTensorType>(output.getType()).getShape());
  int64_t classes = shape[*axis];
  shape.erase(shape.begin() + *axis);
  Value labels = addLabels(RankedTensorType::get(shape, builder.getI64Type()), classes, ignoreIndex);
  result = graph::CrossEntropyOp::create(builder, loc, RankedTensorType::get({}, builder.getF32Type()), output, labels,
                                         builder.getI64IntegerAttr(*axis), builder.getI64IntegerAttr(ignoreIndex),
                                         builder.getBoolAttr(reduction == "mean"));
  addOutput(result);
  return success();
}

LogicalResult BuildLoss::buildMse(OpBuilder &builder, Location loc) {
  Value labels = addLabels(output.getType(), 0, 0);
  result = graph::MseOp::create(builder, loc, RankedTensorType::get({}, builder.getF32Type()), output, labels,
                                builder.getBoolAttr(reduction == "mean"));
  addOutput(result);
  return success();
}

LogicalResult BuildLoss::takeOutput(OpBuilder &builder, Location loc) {
  auto type = cast<RankedTensorType>(output.getType());
  if (type.getNumElements() != 1)
    return error() << place() << " is " << graph::shapeText(type.getShape())
                   << ", wants one element to be minimised; choose --loss=mse or --loss=cross-entropy";
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  result = output;
  if (type.getRank() != 0)
    result = graph::ReshapeOp::create(builder, loc, RankedTensorType::get({}, type.getElementType()), result);
  if (result.getType() != scalar)
    result = graph::CastOp::create(builder, loc, scalar, result);
  addOutput(result);
  return success();
}

// Limits tell the runtime which labels to refuse; inputs without one have 0.
Value BuildLoss::addLabels(Type type, int64_t limit, int64_t ignored) {
  Builder builder(&getContext());
  unsigned inputs = model.getArgumentTypes().size();
  SmallVector<Attribute> names(model.getInputNames().begin(), model.getInputNames().end());
  SmallVector<int64_t> limits(inputs, 0), ignores(inputs, 0);
  if (model.getIndexLimits())
    limits.assign(model.getIndexLimits()->begin(), model.getIndexLimits()->end());
  if (model.getIgnoreIndices())
    ignores.assign(model.getIgnoreIndices()->begin(), model.getIgnoreIndices()->end());
  names.push_back(builder.getStringAttr("labels"));
  limits.push_back(limit);
  ignores.push_back(ignored);

  SmallVector<Type> types(model.getArgumentTypes());
  types.push_back(type);
  model.setFunctionType(builder.getFunctionType(types, model.getResultTypes()));
  model.setInputNamesAttr(builder.getArrayAttr(names));
  model.setIndexLimits(limits);
  model.setIgnoreIndices(ignores);
  return model.getBody().front().addArgument(type, NameLoc::get(builder.getStringAttr("labels")));
}

// An output that is minimised and called `loss` is the loss: its name is given once.
void BuildLoss::addOutput(Value value) {
  Builder builder(&getContext());
  SmallVector<Attribute> names;
  SmallVector<Value> values;
  for (auto [index, old] : llvm::enumerate(model.getReturn().getValues())) {
    if (nameAt(model.getOutputNames(), index) == "loss")
      continue;
    names.push_back(model.getOutputNames()[index]);
    values.push_back(old);
  }
  names.push_back(builder.getStringAttr("loss"));
  values.push_back(value);
  model.setOutputNamesAttr(builder.getArrayAttr(names));
  model.setFunctionType(builder.getFunctionType(model.getArgumentTypes(), TypeRange(ValueRange(values))));
  model.getReturn().getValuesMutable().assign(values);
}

} // namespace
