// What the fields of a package mean to each other. A package that fails here has an intact checksum, so its writer is
// to blame, or someone forged it; either way nothing of it is used.
#include "runtime/format/PackageCheck.h"

#include "runtime/base/Checked.h"

#include <cmath>
#include <cstdint>

namespace amp::runtime {
namespace check {

Status refuse(const Place &place, const std::string &text) {
  return Status(StatusCode::Damaged, "inconsistent package: " + place + " " + text + "; recompile the model");
}

Place named(const char *kind, const flatbuffers::String *name) {
  return std::string(kind) + " " + quoted(viewOf(name));
}

Status checkName(const flatbuffers::String *name, const Place &place, const Limits &limits) {
  if (viewOf(name).empty())
    return refuse(place, "has no name");
  if (name->size() > limits.nameBytes)
    return refuse(place, "has a name of " + std::to_string(name->size()) + " bytes, over the limit of " +
                             std::to_string(limits.nameBytes));
  if (viewOf(name).find('\0') != std::string_view::npos)
    return refuse(place, "has a zero byte in its name");
  return Status();
}

Result<uint64_t> tensorBytes(format::ElementType type, Span<const uint64_t> shape, const Place &place,
                             const Limits &limits) {
  if (type > format::ElementType::MAX)
    return refuse(place, "has element type number " + std::to_string(int(type)));
  if (shape.size() > limits.rank)
    return refuse(place,
                  "has rank " + std::to_string(shape.size()) + ", over the limit of " + std::to_string(limits.rank));
  std::optional<uint64_t> count = elementCount(shape);
  std::optional<uint64_t> bytes = count ? checkedMultiply(*count, elementBytes(elementTypeOf(type))) : std::nullopt;
  if (!bytes)
    return refuse(place, "has shape " + shapeText(shape) + ", more than any memory");
  return *bytes;
}

} // namespace check

namespace {

using check::refuse;

Status checkHead(const format::Package &package, uint64_t blobBytes) {
  if (package.blob_bytes() != blobBytes)
    return refuse("the blob section", "has " + std::to_string(blobBytes) + " bytes where the metadata says " +
                                          std::to_string(package.blob_bytes()));
  if (package.nonfinite() > format::NonFinite::MAX)
    return refuse("the nonfinite policy", "has number " + std::to_string(int(package.nonfinite())));
  if (!std::isfinite(package.learning_rate()))
    return refuse("the learning rate", "is not finite");
  // Kernels may load whole vectors: sections are allocated in such steps, and addresses must not wrap.
  if (!checkedAlign(package.state_bytes(), 4096) || !checkedAlign(package.scratch_bytes(), 4096))
    return refuse("a memory section", "is larger than any address space");
  return Status();
}

Status checkScaling(const format::LossScaling &scaling) {
  bool inRange = std::isfinite(scaling.init()) && scaling.init() > 0;
  if (scaling.dynamic())
    inRange = inRange && scaling.growth() > 1 && scaling.backoff() > 0 && scaling.backoff() < 1 &&
              scaling.interval() >= 1 && scaling.min() <= scaling.max();
  return inRange ? Status()
                 : refuse("the loss scaling", "wants init > 0, growth > 1, 0 < backoff < 1, interval >= 1 and "
                                              "min <= max, and has init " +
                                                  std::to_string(scaling.init()) + ", growth " +
                                                  std::to_string(scaling.growth()) + ", backoff " +
                                                  std::to_string(scaling.backoff()) + ", interval " +
                                                  std::to_string(scaling.interval()));
}

bool isLaunchable(const format::DeviceKernel &kernel) {
  // The limits of every CUDA device there is.
  const format::Extent &grid = *kernel.grid(), &block = *kernel.block();
  bool gridFits = grid.x() >= 1 && grid.x() <= INT32_MAX && grid.y() >= 1 && grid.y() <= 65535 && grid.z() >= 1 &&
                  grid.z() <= 65535;
  bool blockFits = block.x() >= 1 && block.x() <= 1024 && block.y() >= 1 && block.y() <= 1024 && block.z() >= 1 &&
                   block.z() <= 64 && block.x() * block.y() * block.z() <= 1024;
  return gridFits && blockFits && kernel.shared_bytes() <= (228u << 10);
}

Status checkImage(const format::Package &package, const format::Binary &binary, const Limits &limits) {
  check::Place place = check::named("binary for", binary.target());
  if (!binary.kernels())
    return Status();
  for (const format::DeviceKernel *kernel : *binary.kernels()) {
    if (Status status = check::checkName(kernel->symbol(), "a kernel of the " + place, limits); !status.isOk())
      return status;
    if (kernel->kernel() >= package.kernels()->size())
      return refuse(place, "holds kernel " + std::to_string(kernel->kernel()) + " of " +
                               std::to_string(package.kernels()->size()));
    if (!isLaunchable(*kernel))
      return refuse(place, "asks for more blocks, threads or shared memory of " +
                               check::named("kernel", kernel->symbol()) + " than a GPU has");
  }
  return Status();
}

Status checkBinaries(const format::Package &package, uint64_t blobBytes, const Limits &limits) {
  for (const format::Binary *binary : *package.binaries()) {
    check::Place place = check::named("binary for", binary->target());
    if (viewOf(binary->arch()).empty())
      return refuse(place, "names no architecture");
    if (!fitsInside(binary->blob(), binary->bytes(), blobBytes))
      return refuse(place, "lies at blob " + std::to_string(binary->blob()) + ", " + std::to_string(binary->bytes()) +
                               " bytes, in a section of " + std::to_string(blobBytes));
    if (Status status = checkImage(package, *binary, limits); !status.isOk())
      return status;
  }
  return Status();
}

} // namespace

Status checkPackage(const format::Package &package, uint64_t blobBytes, const Limits &limits) {
  if (Status status = checkHead(package, blobBytes); !status.isOk())
    return status;
  if (Status status = checkScaling(*package.loss_scaling()); !status.isOk())
    return status;
  if (Status status = check::checkStates(package, blobBytes, limits); !status.isOk())
    return status;
  if (Status status = checkBinaries(package, blobBytes, limits); !status.isOk())
    return status;
  return check::checkPrograms(package, limits);
}

} // namespace amp::runtime
