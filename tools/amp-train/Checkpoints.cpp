#include "tools/amp-train/Checkpoints.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace amp::tools {

using runtime::Result;
using runtime::Status;
using runtime::StatusCode;

namespace {

constexpr std::string_view prefix = "step-";
constexpr size_t digits = 8;

std::optional<uint64_t> stepOfName(const std::string &name) {
  if (name.size() < prefix.size() + digits || name.compare(0, prefix.size(), prefix) != 0)
    return std::nullopt;
  uint64_t step = 0;
  const char *last = name.data() + name.size();
  auto [end, error] = std::from_chars(name.data() + prefix.size(), last, step);
  return error == std::errc() && end == last ? std::optional<uint64_t>(step) : std::nullopt;
}

// Whether an older checkpoint may stand in: not where this one is whole, but of another package.
bool isDamage(StatusCode code) {
  return code == StatusCode::Damaged || code == StatusCode::NotFound || code == StatusCode::Io;
}

} // namespace

std::string CheckpointFolder::folderOf(uint64_t step) const {
  std::string number = std::to_string(step);
  number.insert(0, digits - std::min(digits, number.size()), '0');
  return path + "/" + std::string(prefix) + number;
}

Result<std::vector<uint64_t>> CheckpointFolder::steps() const {
  Result<std::vector<std::string>> names = files.list(path);
  if (!names.isOk())
    return names.status();
  std::vector<uint64_t> found;
  for (const std::string &name : *names)
    if (std::optional<uint64_t> step = stepOfName(name))
      found.push_back(*step);
  std::sort(found.rbegin(), found.rend());
  return found;
}

Status CheckpointFolder::prepare(bool resume) {
  if (Status status = files.makeDirectory(path); !status.isOk())
    return status;
  Result<std::vector<uint64_t>> found = steps();
  if (!found.isOk())
    return found.status();
  if (!resume && !found->empty())
    return Status(StatusCode::Argument,
                  "holds checkpoints up to step " + std::to_string(found->front()) +
                      "; add --resume to go on from there, or name another folder",
                  path);
  return Status();
}

Result<std::optional<CheckpointFolder::Resumed>> CheckpointFolder::load(runtime::Trainer &trainer) {
  Result<std::vector<uint64_t>> found = steps();
  if (!found.isOk())
    return found.status();
  for (uint64_t step : *found) {
    Result<std::map<std::string, std::string>> application = trainer.load(files, folderOf(step));
    if (application.isOk())
      return std::optional<Resumed>(Resumed{folderOf(step), std::move(*application)});
    if (!isDamage(application.status().code()))
      return application.status();
    std::fprintf(stderr, "amp-train: remark: passed over a damaged checkpoint: %s\n",
                 application.status().message().c_str());
  }
  return std::optional<Resumed>();
}

Result<std::string> CheckpointFolder::save(runtime::Trainer &trainer, uint64_t step,
                                           const std::map<std::string, std::string> &application) {
  if (Status status = trainer.save(files, folderOf(step), application); !status.isOk())
    return status;
  Result<std::vector<uint64_t>> found = steps();
  if (!found.isOk())
    return found.status();
  // Steps beyond this one are damaged checkpoints that a resumed run has passed over.
  found->erase(std::remove_if(found->begin(), found->end(), [&](uint64_t other) { return other > step; }),
               found->end());
  for (size_t i = keep; keep > 0 && i < found->size(); ++i)
    if (Status status = removeTree(files, folderOf((*found)[i])); !status.isOk())
      return status;
  return folderOf(step);
}

} // namespace amp::tools
