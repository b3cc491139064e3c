// Builds the program of a graph; see GraphImport.h.
#include "compiler/import/onnx/GraphImport.h"

#include "compiler/import/onnx/CheckModel.h"
#include "compiler/import/onnx/Operators.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace amp;
using namespace amp::compiler;

GraphImport::GraphImport(MLIRContext *context, ModelFile &file, const ImportOptions &options, Problems &problems)
    : builder(context), file(file), problems(problems), notes(readExporterNotes(file)), options(options),
      handler(context, [this](Diagnostic &problem) {
        std::string text = problem.str();
        for (const Diagnostic &note : problem.getNotes())
          if (std::string said = note.str(); !StringRef(said).starts_with("see current operation"))
            text += "; " + said;
        diagnostics.push_back(std::move(text));
        return success();
      }) {}

std::string GraphImport::takeDiagnostics() {
  std::string text;
  for (StringRef diagnostic : diagnostics) {
    if (diagnostic.starts_with("'") && diagnostic.contains("' op "))
      diagnostic = diagnostic.split("' op ").second;
    text += (text.empty() ? "" : "; ") + diagnostic.str();
  }
  diagnostics.clear();
  return text;
}

std::string GraphImport::bindingHint() const {
  if (options.batch.empty() && options.shapes.empty())
    return std::string();
  return "; if --batch or --shape replaced a length that the file fixes, this node still holds the old one: export the "
         "model with symbolic axes";
}

NamedValue *GraphImport::lookup(StringRef name) {
  auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

Value GraphImport::materialise(NamedValue &named, Location location) {
  if (named.value)
    return named.value;
  if (named.state)
    named.value = train::ReadOp::create(builder, locationOf(named.state.getSymName()), named.state.getType(),
                                        named.state.getSymName());
  else
    named.value = graph::ConstantOp::create(builder, location, named.constant.getType(), named.constant);
  return named.value;
}

void GraphImport::makeState(const onnx::TensorProto &proto, NamedValue &named) {
  const TensorData &tensor = named.tensor;
  auto type = RankedTensorType::get(tensor.dims, elementTypeOf(builder.getContext(), tensor.dataType));
  // Only bytes that already are the state's may stay in the file; other floats become fp32 here.
  const bool isExternal =
      !tensor.path.empty() && (!isFloatType(tensor.dataType) || tensor.dataType == onnx::TensorProto::FLOAT);
  Attribute initial;
  if (isExternal)
    initial = train::ExternalAttr::get(builder.getContext(), tensor.path, int64_t(tensor.offset),
                                       int64_t(tensor.bytes.size()));
  else
    initial = toAttribute(builder.getContext(), tensor);
  const train::StateRole role = isFloatType(tensor.dataType) ? train::StateRole::Frozen : train::StateRole::Constant;
  named.state = train::StateOp::create(builder, locationOf(proto.name()), builder.getStringAttr(proto.name()),
                                       TypeAttr::get(type), train::StateRoleAttr::get(builder.getContext(), role),
                                       FlatSymbolRefAttr(), initial, IntegerAttr());
}

/// Exporters lift the numbers of a program into initializers; one that the exporter does not list among the parameters
/// must not train.
static bool isLiftedScalar(const TensorData &tensor, StringRef name, const ExporterNotes &notes) {
  return tensor.dims.empty() && !notes.listed.empty() && !notes.parameters.contains(name);
}

void GraphImport::importInitializer(int index) {
  const onnx::TensorProto &proto = file.graph().initializer(index);
  if (proto.name().empty() || values.count(proto.name()))
    return; // checkModel has said so
  NamedValue named;
  if (std::optional<std::string> problem = readTensor(proto, file.payload(index), file, named.tensor)) {
    problems.add("initializer " + quotedName(proto.name()) + " " + *problem);
  } else if (named.tensor.elements == 0 ||
             (!isFloatType(named.tensor.dataType) && named.tensor.elements <= mostConstantElements) ||
             isLiftedScalar(named.tensor, proto.name(), notes)) {
    named.constant = toAttribute(builder.getContext(), named.tensor);
  } else {
    makeState(proto, named);
  }
  define(proto.name(), std::move(named));
}

void GraphImport::importInputs(Block &block) {
  inputs = bindInputs(file, options, problems);
  for (BoundInput &input : inputs) {
    Type element = interfaceTypeOf(builder.getContext(), input.dataType);
    NamedValue named;
    if (input.dataType == onnx::TensorProto::UNDEFINED) {
      // checkModel has said so.
    } else if (!element) {
      problems.add("input " + quotedName(input.name) + " has elements of " + dataTypeName(input.dataType) +
                   "; amp reads float32, float16, bfloat16, float64, int64, int32, int8 and bool");
    } else if (input.value) {
      named.constant = valueOf(builder.getContext(), input, problems);
    } else {
      // The declared shape stays in the location: the shape stage names the symbols that nobody bound.
      Location location = NameLoc::get(builder.getStringAttr(input.name), locationOf(input.declared));
      named.value = block.addArgument(RankedTensorType::get(input.shape, element), location);
      if (isa<FloatType>(element) && !element.isF32())
        named.value = graph::CastOp::create(builder, location, RankedTensorType::get(input.shape, builder.getF32Type()),
                                            named.value);
    }
    define(input.name, std::move(named));
  }
}

void GraphImport::importNode(int index) {
  const onnx::NodeProto &node = file.graph().node(index);
  const OperatorRow *row = findOperator(node);
  bool canImport =
      row && unsigned(node.input_size()) <= row->mostInputs && unsigned(node.input_size()) >= row->requiredInputs;
  for (int at = 0; canImport && at < node.input_size(); ++at) {
    NamedValue *input = lookup(node.input(at));
    if (node.input(at).empty() ? unsigned(at) < row->requiredInputs : !input || input->isMissing())
      canImport = false;
  }
  bool isImported = false;
  if (canImport) {
    NodeImport one(*this, node, index);
    isImported = succeeded(row->import(one)) && succeeded(one.checkAttributes());
  }
  defineOutputs(node, index, isImported);
}

/// What a node left without a value is missing; that is a problem of its own only where all else went well.
void GraphImport::defineOutputs(const onnx::NodeProto &node, int index, bool isImported) {
  for (int at = 0; at < node.output_size(); ++at) {
    const std::string &output = node.output(at);
    if (output.empty() || values.count(output))
      continue;
    if (isImported && readNames.contains(output))
      problems.add(nodeText(node, index, file.opset()) + ": output " + Twine(at) + " " + quotedName(output) +
                   " is read, but amp does not give it; export the model without it");
    define(output, NamedValue());
  }
}

void GraphImport::findReadNames() {
  for (const onnx::NodeProto &node : file.graph().node())
    for (const std::string &input : node.input())
      readNames.insert(input);
  for (const onnx::ValueInfoProto &output : file.graph().output())
    readNames.insert(output.name());
}

void GraphImport::checkDeclared(const onnx::ValueInfoProto &output, RankedTensorType type) {
  const onnx::TypeProto::Tensor &declared = output.type().tensor_type();
  if (!declared.has_shape())
    return;
  bool agrees = declared.shape().dim_size() == type.getRank();
  // A batch of the user's makes the declared lengths those of another batch.
  const bool isBound = !options.batch.empty() || !options.shapes.empty();
  for (int axis = 0; agrees && !isBound && axis < declared.shape().dim_size(); ++axis) {
    const int64_t length = declared.shape().dim(axis).dim_value();
    agrees = length <= 0 || type.isDynamicDim(unsigned(axis)) || length == type.getDimSize(unsigned(axis));
  }
  if (agrees)
    return;
  llvm::SmallVector<int64_t> shape;
  for (const onnx::TensorShapeProto::Dimension &dim : declared.shape().dim())
    shape.push_back(dim.dim_value() > 0 ? dim.dim_value() : ShapedType::kDynamic);
  problems.add("output " + quotedName(output.name()) + " is declared as " + shapeText(shape) +
               ", but the graph gives " + shapeText(type.getShape()) + "; correct the declaration or leave it out");
}

Value GraphImport::convertOutput(const onnx::ValueInfoProto &output, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  checkDeclared(output, type);
  const int32_t dataType = output.type().tensor_type().elem_type();
  Type declared = dataType == 0 ? type.getElementType() : interfaceTypeOf(builder.getContext(), dataType);
  if (declared == type.getElementType())
    return value;
  if (!declared || !isa<FloatType>(declared) || !isa<FloatType>(type.getElementType())) {
    std::string text;
    llvm::raw_string_ostream(text) << type.getElementType();
    problems.add("output " + quotedName(output.name()) + " is declared as " + dataTypeName(dataType) +
                 ", but the graph gives " + text + "; correct the declaration");
    return value;
  }
  return graph::CastOp::create(builder, locationOf(output.name()), RankedTensorType::get(type.getShape(), declared),
                               value);
}

void GraphImport::importOutputs(SmallVectorImpl<Value> &results) {
  bool hasFloat = false, isComplete = true;
  for (const onnx::ValueInfoProto &output : file.graph().output()) {
    NamedValue *named = lookup(output.name());
    if (!named || named->isMissing()) {
      isComplete = false;
      continue;
    }
    results.push_back(convertOutput(output, materialise(*named, locationOf(output.name()))));
    hasFloat |= isa<FloatType>(getElementTypeOrSelf(results.back()));
  }
  if (isComplete && !results.empty() && !hasFloat)
    problems.add("no output has floating elements, so there is nothing to train; wants at least one");
}

void GraphImport::eraseUnreadStates() {
  // A ratio or an exponent is no weight: what was only read as a constant needs no state.
  for (auto &[name, named] : values)
    if (named.state && named.readAsConstant && !named.value)
      named.state.erase();
}

std::string GraphImport::programName() const {
  std::string name = "model";
  while (values.count(name) && values.find(name)->second.state)
    name += "_program";
  return name;
}

OwningOpRef<ModuleOp> GraphImport::build() {
  module = ModuleOp::create(locationOf(file.path()));
  builder.setInsertionPointToEnd(module->getBody());
  for (int index = 0; index < file.graph().initializer_size(); ++index)
    importInitializer(index);
  Location location = locationOf(file.graph().name());
  MLIRContext *context = builder.getContext();
  auto program = train::ProgramOp::create(
      builder, location, builder.getStringAttr(programName()), TypeAttr::get(builder.getFunctionType({}, {})),
      train::ProgramKindAttr::get(context, train::ProgramKind::Model), builder.getStrArrayAttr({}),
      builder.getStrArrayAttr({}), DenseI64ArrayAttr(), DenseI64ArrayAttr(), ArrayAttr(), ArrayAttr(), IntegerAttr());
  Block &block = program.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&block);
  importInputs(block);
  findReadNames();
  for (int index = 0; index < file.graph().node_size(); ++index)
    importNode(index);
  SmallVector<Value> results;
  importOutputs(results);
  train::ReturnOp::create(builder, location, results);
  eraseUnreadStates();
  if (problems.any())
    return nullptr;

  SmallVector<StringRef> inputNames, outputNames;
  for (const BoundInput &input : inputs)
    if (!input.value)
      inputNames.push_back(input.name);
  for (const onnx::ValueInfoProto &output : file.graph().output())
    outputNames.push_back(output.name());
  program.setInputNamesAttr(builder.getStrArrayAttr(inputNames));
  program.setOutputNamesAttr(builder.getStrArrayAttr(outputNames));
  program.setFunctionType(builder.getFunctionType(block.getArgumentTypes(), ValueRange(results).getTypes()));
  if (failed(mlir::verify(*module))) {
    problems.add("importing it made wrong IR (please report this): " + takeDiagnostics());
    return nullptr;
  }
  return std::move(module);
}
