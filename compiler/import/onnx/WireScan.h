// Reads the framing of the protobuf wire format, so that weights stay where they are in the mapping.
#ifndef AMP_COMPILER_IMPORT_ONNX_WIRESCAN_H
#define AMP_COMPILER_IMPORT_ONNX_WIRESCAN_H

#include "runtime/base/Span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace amp::compiler {

/// Where raw_data of an initializer lies in the file.
struct PayloadSpan {
  bool present = false;
  uint64_t offset = 0;
  uint64_t length = 0;
};

struct ScannedModel {
  std::string rest;                  ///< the ModelProto without its initializers' raw_data
  std::vector<PayloadSpan> payloads; ///< one an initializer, in order
};

/// Splits a serialized ModelProto. Gives the problem's text when the framing is damaged. Copies only what is no
/// payload, and trusts no length before it is compared with what is left.
std::optional<std::string> scanModel(runtime::ByteSpan file, ScannedModel &model);

} // namespace amp::compiler

#endif
