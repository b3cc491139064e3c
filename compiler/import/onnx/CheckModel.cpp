// Structural checks: what must hold before any node is looked at by itself.
#include "compiler/import/onnx/CheckModel.h"

#include "compiler/import/onnx/Operators.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace amp::compiler;

namespace {

constexpr int64_t oldestIr = 3, newestIr = 14, oldestOpset = 7, newestOpset = 28;

class ModelCheck {
public:
  ModelCheck(const ModelFile &file, Problems &problems) : file(file), graph(file.graph()), problems(problems) {}

  void checkVersions();
  void checkInterface();
  void checkNames();
  void checkNodes();

private:
  void define(const std::string &name, const llvm::Twine &maker);
  void checkNode(const onnx::NodeProto &node, int index);
  void checkInputs(const onnx::NodeProto &node, int index);
  void checkAttributes(const onnx::NodeProto &node, int index);

  const ModelFile &file;
  const onnx::GraphProto &graph;
  Problems &problems;
  llvm::StringMap<std::string> makers; ///< of the values seen so far
  llvm::StringMap<int> madeBy;         ///< node that makes a value, anywhere in the file
};

} // namespace

std::string amp::compiler::nodeText(const onnx::NodeProto &node, int index, int64_t opset) {
  return "node " + quotedName(nodeName(node, index)) + " (" + node.op_type() + ", opset " + std::to_string(opset) + ")";
}

void ModelCheck::checkVersions() {
  const int64_t ir = file.proto().ir_version();
  if (ir < oldestIr || ir > newestIr)
    problems.add("IR version " + llvm::Twine(ir) + " is outside [" + llvm::Twine(oldestIr) + ", " +
                 llvm::Twine(newestIr) + "]; export it again with a current onnx package");
  const int64_t opset = file.opset();
  if (opset == 0)
    problems.add("names no version of the default operator set; export it again with opset 13 or later");
  else if (opset < oldestOpset || opset > newestOpset)
    problems.add("opset " + llvm::Twine(opset) + " is outside [" + llvm::Twine(oldestOpset) + ", " +
                 llvm::Twine(newestOpset) + "]; export it again with opset 13 to 20");
  if (graph.sparse_initializer_size() != 0)
    problems.add("holds " + llvm::Twine(graph.sparse_initializer_size()) +
                 " sparse initializers, which amp does not read; store them dense");
}

/// Why an input or output cannot be one, or nothing.
static std::optional<std::string> valueProblem(const onnx::ValueInfoProto &value, bool needsShape) {
  if (!value.type().has_tensor_type())
    return std::string("has no tensor type; export the model with typed inputs and outputs");
  const onnx::TypeProto::Tensor &type = value.type().tensor_type();
  if (needsShape && type.elem_type() == onnx::TensorProto::UNDEFINED)
    return std::string("has no element type; export the model with typed inputs and outputs");
  if (needsShape && !type.has_shape())
    return std::string("has no shape, not even a rank; export the model with shapes (axes may be symbolic)");
  if (type.shape().dim_size() > 32)
    return "has " + std::to_string(type.shape().dim_size()) + " dimensions; wants at most 32";
  for (const onnx::TensorShapeProto::Dimension &dim : type.shape().dim())
    if (dim.dim_value() < 0 || dim.dim_value() > (int64_t(1) << 40))
      return "has the dimension " + std::to_string(dim.dim_value()) + "; wants a length in [0, 2^40] or a symbol";
  return std::nullopt;
}

void ModelCheck::checkInterface() {
  for (const onnx::ValueInfoProto &input : graph.input())
    if (std::optional<std::string> problem = valueProblem(input, true))
      problems.add("input " + quotedName(input.name()) + " " + *problem);
  for (const onnx::ValueInfoProto &output : graph.output())
    if (std::optional<std::string> problem = valueProblem(output, false))
      problems.add("output " + quotedName(output.name()) + " " + *problem);
  if (graph.output_size() == 0)
    problems.add("the graph has no outputs; a model needs at least one");
}

void ModelCheck::define(const std::string &name, const llvm::Twine &maker) {
  auto [entry, isNew] = makers.try_emplace(name, maker.str());
  if (!isNew)
    problems.add("the name " + quotedName(name) + " is given twice: by " + entry->second + " and by " + maker +
                 "; every value needs a name of its own");
}

void ModelCheck::checkNames() {
  llvm::StringSet<> initializers;
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    if (tensor.name().empty())
      problems.add("an initializer has no name; every initializer needs one");
    else
      define(tensor.name(), "an initializer");
    initializers.insert(tensor.name());
  }
  for (const onnx::ValueInfoProto &input : graph.input()) {
    if (input.name().empty())
      problems.add("an input has no name; every input needs one");
    else if (!initializers.contains(input.name()))
      define(input.name(), "an input");
  }
  for (int index = 0; index < graph.node_size(); ++index)
    for (const std::string &output : graph.node(index).output())
      madeBy.try_emplace(output, index);
}

void ModelCheck::checkInputs(const onnx::NodeProto &node, int index) {
  for (const std::string &input : node.input()) {
    if (input.empty() || makers.count(input))
      continue;
    const std::string text = nodeText(node, index, file.opset()) + " reads " + quotedName(input);
    auto later = madeBy.find(input);
    if (later == madeBy.end())
      problems.add(text + ", which no input, initializer or node makes");
    else
      problems.add(text + ", which node " + quotedName(nodeName(graph.node(later->second), later->second)) +
                   " makes later: nodes form a cycle or are not sorted; sort them by their dependences");
  }
}

/// Whether the value that an attribute holds is of the type that it announces.
static bool holdsItsType(const onnx::AttributeProto &attribute) {
  switch (attribute.type()) {
  case onnx::AttributeProto::FLOAT:
    return attribute.has_f();
  case onnx::AttributeProto::INT:
    return attribute.has_i();
  case onnx::AttributeProto::STRING:
    return attribute.has_s();
  case onnx::AttributeProto::TENSOR:
    return attribute.has_t();
  default:
    return true;
  }
}

void ModelCheck::checkAttributes(const onnx::NodeProto &node, int index) {
  llvm::StringSet<> seen;
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    const std::string text = nodeText(node, index, file.opset()) + ": attribute " + quotedName(attribute.name());
    if (!seen.insert(attribute.name()).second)
      problems.add(text + " is given twice");
    if (!attribute.ref_attr_name().empty())
      problems.add(text + " refers to the attribute " + quotedName(attribute.ref_attr_name()) +
                   " of a function, but the node lies in none");
    if (!holdsItsType(attribute))
      problems.add(text + " holds no value of the type that it announces");
  }
}

void ModelCheck::checkNode(const onnx::NodeProto &node, int index) {
  checkInputs(node, index);
  checkAttributes(node, index);
  const std::string text = nodeText(node, index, file.opset());
  if (const OperatorRow *row = findOperator(node)) {
    if (unsigned(node.input_size()) > row->mostInputs)
      problems.add(text + " has " + llvm::Twine(node.input_size()) + " inputs; wants at most " +
                   llvm::Twine(row->mostInputs));
    if (unsigned(node.output_size()) > row->mostOutputs)
      problems.add(text + " has " + llvm::Twine(node.output_size()) + " outputs; amp gives at most " +
                   llvm::Twine(row->mostOutputs));
    for (unsigned at = 0; at < row->requiredInputs; ++at)
      if (int(at) >= node.input_size() || node.input(at).empty())
        problems.add(text + " lacks input " + llvm::Twine(at) + "; wants at least " + llvm::Twine(row->requiredInputs));
  }
  for (const std::string &output : node.output())
    if (!output.empty())
      define(output, "node " + quotedName(nodeName(node, index)));
}

void ModelCheck::checkNodes() {
  for (int index = 0; index < graph.node_size(); ++index)
    checkNode(graph.node(index), index);
  for (const onnx::ValueInfoProto &output : graph.output())
    if (!makers.count(output.name()))
      problems.add("output " + quotedName(output.name()) + " is made by no node; wants the name of a value");
  for (auto &[name, nodes] : findUnsupported(graph)) {
    std::string text = "operator " + name + " is not supported; " + std::to_string(nodes.size()) +
                       (nodes.size() == 1 ? " node: " : " nodes: ");
    for (size_t at = 0; at < nodes.size() && at < 20; ++at)
      text += (at ? ", " : "") + quotedName(nodes[at]);
    problems.add(text + (nodes.size() > 20 ? ", ..." : "") + "; " + remedyOf(name));
  }
}

std::vector<UnsupportedOperator> amp::compiler::findUnsupported(const onnx::GraphProto &graph) {
  std::vector<UnsupportedOperator> unsupported;
  llvm::StringMap<size_t> known;
  for (int index = 0; index < graph.node_size(); ++index) {
    const onnx::NodeProto &node = graph.node(index);
    if (findOperator(node))
      continue;
    const std::string domain = isDefaultDomain(node.domain()) ? "" : node.domain() + ".";
    const std::string quoted = quotedName(domain + node.op_type());
    auto [entry, isNew] = known.try_emplace(quoted, unsupported.size());
    if (isNew)
      unsupported.push_back({quoted.substr(1, quoted.size() - 2), {}});
    unsupported[entry->second].nodes.push_back(nodeName(node, index));
  }
  return unsupported;
}

std::string amp::compiler::remedyOf(llvm::StringRef operatorName) {
  if (operatorName.contains('.'))
    return "export without operators of other domains, or inline the functions of the model first";
  return "write it with the operators of docs/operators.md, or export with an opset that decomposes it";
}

void amp::compiler::checkModel(const ModelFile &file, Problems &problems) {
  ModelCheck check(file, problems);
  check.checkVersions();
  check.checkInterface();
  check.checkNames();
  check.checkNodes();
}
