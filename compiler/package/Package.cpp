// amp-compile's last stage.
#include "compiler/package/Package.h"
#include "compiler/package/Metadata.h"

#include "runtime/format/PackageWriter.h"

using namespace amp::compiler;

amp::runtime::Status amp::compiler::writePackage(mlir::ModuleOp module, const PackageDescription &description,
                                                 llvm::ArrayRef<KernelBinary> binaries, runtime::FileSystem &files,
                                                 const std::string &path) {
  Blobs blobs(files);
  flatbuffers::FlatBufferBuilder builder(1 << 16);
  runtime::Status status = buildMetadata(module, description, binaries, blobs, builder);
  if (!status.isOk())
    return status;
  return runtime::writePackage(files, path, {builder.GetBufferPointer(), builder.GetSize()},
                               {blobs.bytes().data(), blobs.bytes().size()});
}
