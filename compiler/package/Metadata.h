// The FlatBuffers metadata of a planned module.
#ifndef AMP_COMPILER_PACKAGE_METADATA_H
#define AMP_COMPILER_PACKAGE_METADATA_H

#include "compiler/package/Blobs.h"
#include "compiler/package/Package.h"

#include "runtime/format/Package_generated.h"

namespace amp::compiler {

/// Builds the root table into `builder`; appends initial bytes and the binaries to `blobs`.
runtime::Status buildMetadata(mlir::ModuleOp module, const PackageDescription &description,
                              llvm::ArrayRef<KernelBinary> binaries, Blobs &blobs,
                              flatbuffers::FlatBufferBuilder &builder);

} // namespace amp::compiler

#endif
