#ifndef AMP_LAYOUT_PASSES
#define AMP_LAYOUT_PASSES
include "mlir/Pass/PassBase.td"

def ConvertImages : Pass<"amp-layout-convert-images", "::mlir::ModuleOp"> {
  let summary = "Makes convolutions and what lies around them channels-last";
  let description = [{
    Ops that prefer channels-last, and the accepting and elementwise ops that touch their images, however far, are made
    channels-last; a graph.transpose stands wherever an image enters or leaves that region.

    Precondition: images are channels-first, types static. Postcondition: no op of the region reads or writes a
    channels-first image. With layout=channels-first nothing changes; auto is channels-last.
  }];
  let dependentDialects = ["::amp::graph::GraphDialect"];
  let options = [Option<"layout", "layout", "::amp::compiler::ImageLayout", "::amp::compiler::ImageLayout::Auto",
    "the layout of images", [{::llvm::cl::values(
      clEnumValN(::amp::compiler::ImageLayout::Auto, "auto", "channels-last where a convolution asks for it"),
      clEnumValN(::amp::compiler::ImageLayout::ChannelsLast, "channels-last", "the same, and pools alone as well"),
      clEnumValN(::amp::compiler::ImageLayout::ChannelsFirst, "channels-first", "as the model has it"))}]>];
  let statistics = [Statistic<"converted", "converted", "ops made channels-last">,
    Statistic<"borders", "borders", "transposes at the borders">];
}

def FoldTranspose : Pass<"amp-layout-fold-transpose", "::mlir::ModuleOp"> {
  let summary = "Removes the transposes that a neighbour makes needless";
  let description = [{
    A transpose of a transpose is one or none; one that moves unit axes alone is a reshape; one next to a pool, or behind
    elementwise ops with no other user, is absorbed by the pool; one that meets its inverse through such ops cancels.
    What is left has no neighbour that could take it: a remark says so with `explain`.
  }];
  let dependentDialects = ["::amp::graph::GraphDialect"];
  let options = [Option<"explain", "explain", "bool", "false", "remark on every transpose that stays">];
  let statistics = [Statistic<"folded", "folded", "transposes removed">, Statistic<"kept", "kept", "transposes left">];
}

def LayoutVerify : Pass<"amp-layout-verify", "::mlir::ModuleOp"> {
  let summary = "Checks what layout promises";
  let description = [{
    Rules: no transpose of an image between channels-first and channels-last can be folded: it is no pair, moves more
    than unit axes, and neither its producer nor a user can absorb it.
  }];
}
#endif
