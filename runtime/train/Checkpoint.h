// Checkpoints: a directory with tensors.safetensors (every state that cannot be remade) and checkpoint.json, written
// beside, synced, and put in place in one step; so a directory of that name is always one whole checkpoint.
#pragma once

#include "runtime/base/FileSystem.h"
#include "runtime/step/Session.h"

#include <map>
#include <string>

namespace amp::runtime {

/// What a checkpoint holds beside the states.
struct CheckpointRecord {
  int64_t attempts = 0;    ///< steps that were tried, skipped ones included
  int64_t updates = 0;     ///< steps that were taken
  int64_t skipsInARow = 0; ///< skipped steps since the last that was taken
  int64_t seed = 0;
  std::string package; ///< digest of the package that wrote it
  /// The application's own, such as the position of its loader.
  std::map<std::string, std::string> application;
};

/// Whether a state belongs into a checkpoint: what "derive", the package or the next step makes again does not.
bool isSaved(format::Role role);

/// Replaces a checkpoint that is there already; refuses a directory that holds anything else. After a failure `path` is
/// what it was and nothing new lies beside it.
Status saveCheckpoint(FileSystem &files, const std::string &path, const Session &session,
                      const CheckpointRecord &record);

/// Checks names, types and shapes of everything, lists all problems at once, and only then writes the session's
/// states and runs "derive".
Result<CheckpointRecord> loadCheckpoint(FileSystem &files, const std::string &path, Session &session);

} // namespace amp::runtime
