// The stage layout: which axis of an image is which.
#ifndef AMP_COMPILER_LAYOUT_PASSES_H
#define AMP_COMPILER_LAYOUT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace amp::compiler {

/// What the user asks of the layout of images.
enum class ImageLayout { Auto, ChannelsLast, ChannelsFirst };

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/layout/Passes.h.inc"

} // namespace amp::compiler

#endif
