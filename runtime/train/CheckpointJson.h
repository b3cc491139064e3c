// checkpoint.json: the numbers of a checkpoint, and the application's own texts.
#pragma once

#include "runtime/train/Checkpoint.h"

namespace amp::runtime {

/// Raised with every change that an older or newer runtime cannot read.
constexpr int64_t checkpointVersion = 1;

/// The same record gives the same text. Fails where a text of the application is no UTF-8.
Result<std::string> checkpointJson(const CheckpointRecord &record, const PackageReader &package);
/// Takes hostile bytes; `place` names the file in messages.
Result<CheckpointRecord> parseCheckpointJson(ByteSpan text, const std::string &place);

} // namespace amp::runtime
