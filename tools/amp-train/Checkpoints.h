// The folder of --checkpoint: DIR/step-00000400 and its siblings.
#pragma once

#include "runtime/train/Trainer.h"

#include <optional>

namespace amp::tools {

class CheckpointFolder {
public:
  /// Keeps the newest `keep` checkpoints, all when 0.
  CheckpointFolder(runtime::FileSystem &files, std::string path, uint64_t keep)
      : files(files), path(std::move(path)), keep(keep) {}

  /// Makes the folder. Without `resume` a folder that holds checkpoints already is refused: a later --resume could
  /// not tell the two runs apart.
  runtime::Status prepare(bool resume);

  struct Resumed {
    std::string name;
    std::map<std::string, std::string> application;
  };
  /// Loads the newest checkpoint that is whole; nothing when there is none. Says on stderr which ones were damaged.
  runtime::Result<std::optional<Resumed>> load(runtime::Trainer &trainer);

  /// Writes the checkpoint of this step, then removes those that are too many. Gives its path.
  runtime::Result<std::string> save(runtime::Trainer &trainer, uint64_t step,
                                    const std::map<std::string, std::string> &application);

private:
  /// Step numbers, newest first.
  runtime::Result<std::vector<uint64_t>> steps() const;
  std::string folderOf(uint64_t step) const;

  runtime::FileSystem &files;
  std::string path;
  uint64_t keep;
};

} // namespace amp::tools
