// Reads the metadata that PyTorch's exporters leave. Both fold batch normalisations when asked to optimise, and then
// the model trains without them: the user must hear of it.
#include "compiler/import/onnx/ExporterNotes.h"

#include "llvm/ADT/StringExtras.h"

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"

using namespace amp::compiler;
using llvm::StringRef;

// metadata_props came with IR 10. The schema of Debian 12 ends before it, so protobuf keeps them as unknown fields.
constexpr int nodeMetadata = 9;
constexpr int graphMetadata = 16;

/// The value of a metadata entry among the unknown fields of a message; empty without one.
static std::string metadata(const std::string &unknown, int number, StringRef key) {
  using google::protobuf::internal::WireFormatLite;
  google::protobuf::io::ArrayInputStream bytes(unknown.data(), int(unknown.size()));
  google::protobuf::io::CodedInputStream stream(&bytes);
  const uint32_t wanted = WireFormatLite::MakeTag(number, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  while (const uint32_t tag = stream.ReadTag()) {
    std::string text;
    onnx::StringStringEntryProto entry;
    if (tag != wanted ? !WireFormatLite::SkipField(&stream, tag) : !WireFormatLite::ReadBytes(&stream, &text))
      break;
    if (tag == wanted && entry.ParsePartialFromString(text) && entry.key() == key)
      return entry.value();
  }
  return std::string();
}

/// Lines such as "p_fc_weight: PARAMETER target='fc.weight'".
static void readSignature(StringRef signature, ExporterNotes &notes) {
  while (!signature.empty()) {
    auto [line, rest] = signature.split('\n');
    signature = rest;
    StringRef target = line.split(": PARAMETER target='").second.split("'").first;
    if (!target.empty() && notes.parameters.insert(target).second)
      notes.listed.push_back(target.str());
  }
}

/// The TorchScript exporter names what it computes "onnx::<operator>_<number>"; it computes the weights of a
/// convolution only to fold a normalisation into them.
static bool hasMadeWeight(const onnx::GraphProto &graph, const onnx::NodeProto &node) {
  if (node.op_type() != "Conv" || node.input_size() < 3 || !StringRef(node.input(1)).starts_with("onnx::Conv_"))
    return false;
  return llvm::any_of(graph.initializer(),
                      [&](const onnx::TensorProto &tensor) { return tensor.name() == node.input(1); });
}

static bool isVector(const onnx::TensorProto &tensor) {
  return tensor.data_type() == onnx::TensorProto::FLOAT && tensor.dims_size() > 0;
}

/// The TorchScript exporter leaves an Identity where it merged.
static void findMergedByIdentity(const onnx::GraphProto &graph, ExporterNotes &notes) {
  llvm::StringSet<> vectors;
  for (const onnx::TensorProto &tensor : graph.initializer())
    if (isVector(tensor))
      vectors.insert(tensor.name());
  for (const onnx::NodeProto &node : graph.node())
    if (node.op_type() == "Identity" && node.input_size() == 1 && node.output_size() == 1 &&
        vectors.contains(node.input(0)))
      notes.merged.push_back(node.output(0));
}

/// "val_12": a value that the dynamo exporter computed when it optimised.
static bool isFoldedName(StringRef name) {
  return name.consume_front("val_") && !name.empty() && llvm::all_of(name, llvm::isDigit);
}

/// The dynamo exporter lists its parameters. Those that are not there were computed on (transposed: "val_12") or
/// merged: there are fewer computed initializers than missing parameters then. A file that was not optimised has none
/// of them, and what is missing there is tied on purpose.
static void findMergedBySignature(const onnx::GraphProto &graph, ExporterNotes &notes) {
  llvm::StringSet<> names;
  size_t computed = 0;
  bool isOptimised = false;
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    names.insert(tensor.name());
    isOptimised |= isFoldedName(tensor.name());
    computed += isVector(tensor) && isFoldedName(tensor.name()) ? 1 : 0;
  }
  std::vector<std::string> missing;
  for (const std::string &name : notes.listed)
    if (!names.contains(name))
      missing.push_back(name);
  if (isOptimised && missing.size() > computed)
    notes.merged = std::move(missing);
}

ExporterNotes amp::compiler::readExporterNotes(const ModelFile &file) {
  ExporterNotes notes;
  const onnx::GraphProto &graph = file.graph();
  if (file.proto().producer_name() != "pytorch")
    return notes;
  readSignature(metadata(graph.unknown_fields(), graphMetadata, "pkg.torch.export.ExportedProgram.graph_signature"),
                notes);
  for (int index = 0; index < graph.node_size(); ++index) {
    const onnx::NodeProto &node = graph.node(index);
    const std::string rules = metadata(node.unknown_fields(), nodeMetadata, "pkg.onnxscript.rewriter.rule_name");
    if (StringRef(rules).contains("FuseBatchNorm") || hasMadeWeight(graph, node))
      notes.folded.push_back(nodeName(node, index));
  }
  if (notes.listed.empty())
    findMergedByIdentity(graph, notes);
  else
    findMergedBySignature(graph, notes);
  return notes;
}

/// "9 nodes ('a', 'b', 'c', ...)"
static std::string countText(const std::vector<std::string> &names, StringRef what) {
  std::string text = std::to_string(names.size()) + " " + what.str() + (names.size() == 1 ? " (" : "s (");
  for (size_t at = 0; at < names.size() && at < 3; ++at)
    text += (at ? ", " : "") + quotedName(names[at]);
  return text + (names.size() > 3 ? ", ...)" : ")");
}

std::string amp::compiler::lossWarning(const ExporterNotes &notes) {
  const std::string remedy =
      "; export a model in train() with torch.onnx.export(..., dynamo=False, "
      "training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False), or with dynamo=True, optimize=False";
  if (!notes.folded.empty())
    return "the exporter folded batch normalisation into " + countText(notes.folded, "node") +
           ", with the statistics of that moment: its scale, bias and statistics are gone, and the model trains "
           "without "
           "it" +
           remedy;
  if (!notes.merged.empty())
    return "the exporter optimised " + countText(notes.merged, "parameter") +
           " away: those of equal initial value are one initializer, and train as one" + remedy;
  return std::string();
}
