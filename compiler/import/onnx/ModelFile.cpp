// Opens a model: weights stay in the mapping, protobuf parses what is left.
#include "compiler/import/onnx/ModelFile.h"

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

#include <algorithm>
#include <limits>

using namespace amp::compiler;
using amp::runtime::ByteSpan;

static constexpr const char *exportAgain = "write it again with onnx.save or torch.onnx.export";

/// Every printable character of the first bytes; protobuf's tags never give that.
static bool looksLikeText(ByteSpan bytes) {
  const ByteSpan head = bytes.slice(0, std::min<size_t>(bytes.size(), 64));
  return std::all_of(head.begin(), head.end(), [](uint8_t byte) {
    return (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\r' || byte == '\t';
  });
}

static bool parse(const std::string &bytes, onnx::ModelProto &model) {
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream coded(&stream);
  return model.ParsePartialFromCodedStream(&coded) && coded.ConsumedEntireMessage();
}

bool ModelFile::open(Problems &problems) {
  auto mapped = runtime::posixFileSystem().map(filePath);
  if (!mapped.isOk()) {
    problems.add(mapped.status().text());
    return false;
  }
  mapping = std::move(mapped.value());
  if (bytes().empty()) {
    problems.add(llvm::Twine("the file is empty; ") + exportAgain);
    return false;
  }
  ScannedModel scanned;
  std::optional<std::string> problem = scanModel(bytes(), scanned);
  if (problem && looksLikeText(bytes()))
    problem = std::string("is a text file, not a serialized ONNX model; ") + exportAgain;
  if (!problem && scanned.rest.size() > size_t(std::numeric_limits<int>::max()))
    problem = "holds " + std::to_string(scanned.rest.size()) +
              " bytes besides raw initializers, more than 2 GiB; store tensors as raw_data or external data";
  if (!problem && !parse(scanned.rest, model))
    problem =
        std::string("protobuf refuses it: messages are damaged, or nested deeper than 100 levels; ") + exportAgain;
  if (problem) {
    problems.add(*problem);
    return false;
  }
  spans = std::move(scanned.payloads);
  if (!model.has_graph()) {
    problems.add(llvm::Twine("holds no graph, so it is no ONNX model; ") + exportAgain);
    return false;
  }
  return true;
}

int64_t ModelFile::opset() const {
  int64_t version = 0;
  for (const onnx::OperatorSetIdProto &set : model.opset_import())
    if (isDefaultDomain(set.domain()))
      version = std::max<int64_t>(version, set.version());
  return version;
}

bool amp::compiler::isDefaultDomain(const std::string &domain) {
  return domain.empty() || domain == "ai.onnx";
}

std::string amp::compiler::nodeName(const onnx::NodeProto &node, int index) {
  return node.name().empty() ? node.op_type() + "_" + std::to_string(index) : node.name();
}
