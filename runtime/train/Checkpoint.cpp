#include "runtime/train/Checkpoint.h"

#include "runtime/format/Safetensors.h"
#include "runtime/train/CheckpointJson.h"

#include <cstring>

#include <unistd.h>

namespace amp::runtime {
namespace {

const char tensorsFile[] = "tensors.safetensors";
const char recordFile[] = "checkpoint.json";

/// Saving replaces the whole directory, so it must be one of ours.
Status checkTarget(FileSystem &files, const std::string &path, bool &replaces) {
  Result<PathKind> kind = files.kind(path);
  if (!kind.isOk())
    return kind.status();
  replaces = *kind != PathKind::Missing;
  if (!replaces)
    return Status();
  if (*kind != PathKind::Directory)
    return Status(StatusCode::Argument, "is no directory; name a new one for the checkpoint", path);
  Result<std::vector<std::string>> names = files.list(path);
  if (!names.isOk())
    return names.status();
  for (const std::string &name : *names)
    if (name != tensorsFile && name != recordFile)
      return Status(StatusCode::Argument,
                    "holds " + quoted(name) + ", which is no part of a checkpoint; name a new directory", path);
  return Status();
}

Status writeFiles(FileSystem &files, const std::string &directory, const Session &session,
                  const CheckpointRecord &record) {
  if (Status status = files.makeDirectory(directory); !status.isOk())
    return status;
  SafetensorsWriter writer;
  for (const StateView &state : session.states()) {
    if (!isSaved(state.role))
      continue;
    std::vector<uint64_t> shape(state.shape.begin(), state.shape.end());
    Status status =
        writer.add(std::string(state.name), scalarTypeOf(state.type), shape, ByteSpan(state.data, state.bytes));
    if (!status.isOk())
      return status;
  }
  if (Status status = writer.write(files, directory + "/" + tensorsFile); !status.isOk())
    return status;
  Result<std::string> json = checkpointJson(record, session.package());
  if (!json.isOk())
    return json.status();
  ByteSpan part = bytesOf(*json);
  if (Status status = writeBeside(files, directory + "/" + recordFile, Span<const ByteSpan>(&part, 1)); !status.isOk())
    return status;
  return files.syncDirectory(directory);
}

/// Up to this many problems are worth reading.
class Problems {
public:
  void add(const std::string &problem) {
    constexpr unsigned shown = 20;
    if (++count <= shown)
      text += "\n  " + problem;
    else if (count == shown + 1)
      text += "\n  and more";
  }
  bool any() const { return count != 0; }
  const std::string &list() const { return text; }

private:
  unsigned count = 0;
  std::string text;
};

std::string tensorText(ScalarType type, Span<const uint64_t> shape) {
  return std::string(scalarName(type)) + " " + shapeText(shape);
}

Status checkTensors(const SafetensorsFile &tensors, const Session &session) {
  Problems problems;
  for (const StateView &state : session.states()) {
    if (!isSaved(state.role))
      continue;
    const ArrayView *found = tensors.find(std::string(state.name));
    ScalarType type = scalarTypeOf(state.type);
    if (!found) {
      problems.add("tensor " + quoted(state.name) + " is missing, wanted " + tensorText(type, state.shape));
      continue;
    }
    Span<const uint64_t> shape(found->shape);
    bool same = found->type == type && found->bytes.size() == state.bytes && shape.size() == state.shape.size() &&
                std::equal(shape.begin(), shape.end(), state.shape.begin());
    if (!same)
      problems.add("tensor " + quoted(state.name) + " is " + tensorText(found->type, shape) + ", wanted " +
                   tensorText(type, state.shape));
  }
  for (const SafetensorsFile::Tensor &tensor : tensors.tensors()) {
    const StateView *state = session.state(tensor.name);
    if (!state || !isSaved(state->role))
      problems.add("tensor " + quoted(tensor.name) + " is none of the package's states");
  }
  if (!problems.any())
    return Status();
  return Status(StatusCode::Argument, "the checkpoint does not fit the package; load it with the package it was saved "
                                      "with, or compile the same model with the same optimizer:" +
                                          problems.list());
}

} // namespace

bool isSaved(format::Role role) {
  using format::Role;
  return role != Role::Derived && role != Role::Constant && role != Role::Gradient && role != Role::Loss &&
         role != Role::Pending;
}

Status saveCheckpoint(FileSystem &files, const std::string &path, const Session &session,
                      const CheckpointRecord &record) {
  std::string target = path;
  while (target.size() > 1 && target.back() == '/')
    target.pop_back();
  bool replaces = false;
  if (Status status = checkTarget(files, target, replaces); !status.isOk())
    return status;
  std::string beside = target + ".partial-" + std::to_string(::getpid());
  // A process of the same number may have died here.
  Status status = removeTree(files, beside);
  if (status.isOk())
    status = writeFiles(files, beside, session, record);
  if (status.isOk())
    status = replaces ? files.exchange(beside, target) : files.rename(beside, target);
  if (!status.isOk()) {
    (void)removeTree(files, beside).isOk(); // the first failure is the one to report
    return status;
  }
  status = files.syncDirectory(parentOf(target));
  // Only now the old one goes: until here a crash leaves one whole checkpoint at least.
  Status removed = replaces ? removeTree(files, beside) : Status();
  return status.isOk() ? removed : status;
}

Result<CheckpointRecord> loadCheckpoint(FileSystem &files, const std::string &path, Session &session) {
  Limits limits;
  Result<std::vector<uint8_t>> json = readWhole(files, path + "/" + recordFile, limits.headerBytes);
  if (!json.isOk())
    return json.status();
  Result<CheckpointRecord> record = parseCheckpointJson(Span<const uint8_t>(*json), path + "/" + recordFile);
  if (!record.isOk())
    return record.status();
  Result<SafetensorsFile> tensors = SafetensorsFile::open(files, path + "/" + tensorsFile, limits);
  if (!tensors.isOk())
    return tensors.status();
  if (Status status = checkTensors(*tensors, session); !status.isOk())
    return std::move(status).at(path);
  for (const StateView &state : session.states())
    if (isSaved(state.role) && state.bytes != 0)
      std::memcpy(state.data, tensors->find(std::string(state.name))->bytes.data(), state.bytes);
  if (Status status = session.derive(); !status.isOk())
    return status;
  return record;
}

} // namespace amp::runtime
