#include "runtime/format/Npy.h"
#include "runtime/format/Npz.h"

namespace amp::runtime {
namespace {

constexpr std::string_view suffix = ".npy";

} // namespace

Result<NpzArchive> NpzArchive::open(FileSystem &files, const std::string &path, const Limits &limits) {
  Result<std::unique_ptr<MappedFile>> mapping = files.map(path);
  if (!mapping.isOk())
    return mapping.status();
  Result<NpzArchive> archive = parse((*mapping)->bytes(), path, limits);
  if (archive.isOk())
    archive->mapping = std::move(*mapping);
  return archive;
}

Result<NpzArchive> NpzArchive::parse(ByteSpan file, const std::string &place, const Limits &limits) {
  Result<std::vector<ZipMember>> members = readZipDirectory(file, place, limits);
  if (!members.isOk())
    return members.status();
  NpzArchive archive;
  archive.file = file;
  archive.path = place;
  archive.members = std::move(*members);
  for (size_t i = 0; i < archive.members.size(); ++i) {
    const std::string &name = archive.members[i].name;
    if (name.size() < suffix.size() || name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
      return unfit(place, "zip member " + quoted(name) + " is no .npy array; write the file with numpy.savez");
    archive.arrayNames.push_back(name.substr(0, name.size() - suffix.size()));
    archive.places.emplace(archive.arrayNames.back(), i);
  }
  return archive;
}

Result<NpzArray> NpzArchive::read(const std::string &name) const {
  auto found = places.find(name);
  if (found == places.end())
    return Status(StatusCode::NotFound, "no array " + quoted(name), path);
  std::string place = path + ": array " + quoted(name);
  NpzArray array;
  Result<ByteSpan> content = readZipMember(file, members[found->second], place, array.storage);
  if (!content.isOk())
    return content.status();
  Result<ArrayView> view = readNpy(*content, place);
  if (!view.isOk())
    return view.status();
  array.view = std::move(*view);
  return array;
}

} // namespace amp::runtime
