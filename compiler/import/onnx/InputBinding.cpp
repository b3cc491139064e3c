// Applies --batch, --shape and --value to a model's inputs.
#include "compiler/import/onnx/InputBinding.h"

#include "compiler/import/onnx/TensorData.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace amp::compiler;

namespace {

class Binding {
public:
  Binding(const ModelFile &file, const ImportOptions &options, Problems &problems)
      : file(file), options(options), problems(problems) {}

  std::vector<BoundInput> run();

private:
  void declare();
  void bindBatch();
  void bindShapes();
  void bindValues();
  void bindAxis(size_t input, size_t axis, int64_t length, bool mayReplace);
  void spreadSymbols();
  BoundInput *find(const std::string &name, const char *option);

  const ModelFile &file;
  const ImportOptions &options;
  Problems &problems;
  std::vector<BoundInput> inputs;
  std::vector<SmallVector<std::string>> symbols; ///< by input and axis; empty without one
  llvm::StringMap<int64_t> lengths;              ///< of symbols that are bound
};

} // namespace

void Binding::declare() {
  llvm::StringSet<> initializers;
  for (const onnx::TensorProto &tensor : file.graph().initializer())
    initializers.insert(tensor.name());
  for (const onnx::ValueInfoProto &value : file.graph().input()) {
    if (initializers.contains(value.name()))
      continue; // IR 3 lists initializers as inputs; a value that the file gives is none of the user's
    BoundInput input;
    input.name = value.name();
    input.dataType = value.type().tensor_type().elem_type();
    SmallVector<std::string> names;
    for (const onnx::TensorShapeProto::Dimension &dim : value.type().tensor_type().shape().dim()) {
      const bool isKnown = dim.dim_value() > 0;
      input.shape.push_back(isKnown ? dim.dim_value() : ShapedType::kDynamic);
      names.push_back(isKnown ? std::string() : dim.dim_param());
      std::string text = isKnown ? std::to_string(dim.dim_value()) : dim.dim_param().empty() ? "?" : dim.dim_param();
      input.declared += (input.declared.empty() ? "[" : ", ") + text;
    }
    input.declared += input.declared.empty() ? "[]" : "]";
    inputs.push_back(std::move(input));
    symbols.push_back(std::move(names));
  }
}

void Binding::bindAxis(size_t at, size_t axis, int64_t length, bool mayReplace) {
  BoundInput &input = inputs[at];
  const std::string &symbol = symbols[at][axis];
  int64_t &known = input.shape[axis];
  if (!symbol.empty()) {
    auto [entry, isNew] = lengths.try_emplace(symbol, length);
    if (!isNew && entry->second != length)
      problems.add("input " + quotedName(input.name) + ": dimension " + quotedName(symbol) + " is bound to " +
                   Twine(entry->second) + " and to " + Twine(length) + "; bind one length to one symbol");
  } else if (!ShapedType::isDynamic(known) && known != length && !mayReplace) {
    problems.add("input " + quotedName(input.name) + " " + input.declared + ": axis " + Twine(axis) + " has length " +
                 Twine(known) + " in the file, not " + Twine(length) +
                 "; only symbolic axes and the first can be bound, export with dynamic_axes for more");
    return;
  }
  known = length;
}

void Binding::bindBatch() {
  if (options.batch.empty())
    return;
  const int64_t batch = options.batch.front();
  if (options.batch.size() > 1)
    problems.add("--batch has " + Twine(options.batch.size()) + " values; wants one");
  if (batch < 1 || batch > (int64_t(1) << 31))
    return problems.add("--batch=" + Twine(batch) + " is outside [1, 2^31]");
  for (size_t at = 0; at < inputs.size(); ++at)
    if (!inputs[at].shape.empty() && !options.shapes.count(inputs[at].name))
      bindAxis(at, 0, batch, true);
}

BoundInput *Binding::find(const std::string &name, const char *option) {
  std::string known;
  for (BoundInput &input : inputs) {
    if (input.name == name)
      return &input;
    known += (known.empty() ? "" : ", ") + quotedName(input.name);
  }
  problems.add(Twine(option) + " names " + quotedName(name) + ", which is no input; the inputs are " +
               (known.empty() ? "none" : known));
  return nullptr;
}

void Binding::bindShapes() {
  for (const auto &[name, shape] : options.shapes) {
    BoundInput *input = find(name, "--shape");
    if (!input)
      continue;
    if (shape.size() != input->shape.size()) {
      problems.add("--shape gives input " + quotedName(name) + " " + Twine(shape.size()) + " axes; the file has " +
                   Twine(input->shape.size()) + ": " + input->declared);
      continue;
    }
    for (size_t axis = 0; axis < shape.size(); ++axis)
      if (shape[axis] < 1 || shape[axis] > (int64_t(1) << 40))
        problems.add("--shape gives axis " + Twine(axis) + " of input " + quotedName(name) + " the length " +
                     Twine(shape[axis]) + "; wants 1 to 2^40");
      else
        bindAxis(size_t(input - inputs.data()), axis, shape[axis], axis == 0);
  }
}

void Binding::bindValues() {
  for (const auto &[name, value] : options.values)
    if (BoundInput *input = find(name, "--value"))
      input->value = value;
}

void Binding::spreadSymbols() {
  for (size_t at = 0; at < inputs.size(); ++at)
    for (size_t axis = 0; axis < symbols[at].size(); ++axis)
      if (auto bound = lengths.find(symbols[at][axis]); bound != lengths.end())
        inputs[at].shape[axis] = bound->second;
}

std::vector<BoundInput> Binding::run() {
  declare();
  bindShapes();
  bindBatch();
  bindValues();
  spreadSymbols();
  for (const BoundInput &input : inputs) {
    int64_t elements = 1;
    for (int64_t length : input.shape)
      if (!ShapedType::isDynamic(length) && (__builtin_mul_overflow(elements, length, &elements) || elements >> 48))
        elements = int64_t(1) << 48;
    if (elements >> 48)
      problems.add("input " + quotedName(input.name) + " " + input.declared + " has more than 2^48 elements");
  }
  return std::move(inputs);
}

std::vector<BoundInput> amp::compiler::bindInputs(const ModelFile &file, const ImportOptions &options,
                                                  Problems &problems) {
  return Binding(file, options, problems).run();
}

DenseElementsAttr amp::compiler::valueOf(MLIRContext *context, const BoundInput &input, Problems &problems) {
  Type element = elementTypeOf(context, input.dataType);
  auto fail = [&](const Twine &text) {
    problems.add("--value=" + input.name + "=" + *input.value + ": " + text);
    return DenseElementsAttr();
  };
  SmallVector<StringRef> words;
  StringRef(*input.value).split(words, ',');
  SmallVector<int64_t> shape(input.shape);
  if (shape.size() == 1 && ShapedType::isDynamic(shape[0]))
    shape[0] = int64_t(words.size());
  auto type = RankedTensorType::get(shape, element);
  if (!type.hasStaticShape() || type.getNumElements() != int64_t(words.size()))
    return fail("gives " + Twine(words.size()) + " elements; the input has the shape " + input.declared);
  SmallVector<Attribute> elements;
  for (StringRef word : words) {
    double real = 0;
    int64_t integer = 0;
    word = word.trim();
    if (word == "true" || word == "false")
      integer = word == "true";
    else if (isa<FloatType>(element) ? word.getAsDouble(real) : word.getAsInteger(10, integer))
      return fail("'" + word + "' is no number of type " + dataTypeName(input.dataType));
    if (isa<FloatType>(element))
      elements.push_back(FloatAttr::get(element, real));
    else
      elements.push_back(
          IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(), uint64_t(integer), true, true)));
  }
  return DenseElementsAttr::get(type, elements);
}
