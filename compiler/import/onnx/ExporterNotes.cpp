// Reads the metadata that PyTorch's exporters leave. Both fold batch normalisations when asked to optimise, and then
// the model trains without them: the user must hear of it.
#include "compiler/import/onnx/ExporterNotes.h"

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
    if (!target.empty())
      notes.parameters.insert(target);
  }
  notes.listsParameters = !notes.parameters.empty();
}

/// The TorchScript exporter names what it computes "onnx::<operator>_<number>"; it computes the weights of a
/// convolution only to fold a normalisation into them.
static bool hasMadeWeight(const onnx::GraphProto &graph, const onnx::NodeProto &node) {
  if (node.op_type() != "Conv" || node.input_size() < 3 || !StringRef(node.input(1)).starts_with("onnx::Conv_"))
    return false;
  return llvm::any_of(graph.initializer(),
                      [&](const onnx::TensorProto &tensor) { return tensor.name() == node.input(1); });
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
  return notes;
}

std::string amp::compiler::foldedWarning(const ExporterNotes &notes) {
  if (notes.folded.empty())
    return std::string();
  std::string nodes;
  for (size_t at = 0; at < notes.folded.size() && at < 3; ++at)
    nodes += (at ? ", " : "") + quotedName(notes.folded[at]);
  return "the exporter folded batch normalisation into " + std::to_string(notes.folded.size()) +
         (notes.folded.size() == 1 ? " node (" : " nodes (") + nodes + (notes.folded.size() > 3 ? ", ..." : "") +
         "), with the statistics of that moment: its scale, bias and statistics are gone, and the model trains without "
         "it; export a model in train() with torch.onnx.export(..., dynamo=False, "
         "training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False), or with dynamo=True, optimize=False";
}
