#ifndef AMP_GRAPH
#define AMP_GRAPH

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/graph/interfaces/Interfaces.td"

def GraphDialect : Dialect {
  let name = "graph";
  let cppNamespace = "::amp::graph";
  let summary = "Tensor operations with value semantics: what a model computes.";
  let description = [{
    Ops on ranked tensors, named after what they compute. They live from import to select; every op states its facts
    through the interfaces of dialects/graph/interfaces. A tensor's type is its physical shape: an op with a `layout`
    attribute says which axis is which.
  }];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
}

def DataLayout : I32EnumAttr<"DataLayout", "which axis of an image is which", [
    I32EnumAttrCase<"ChannelsFirst", 0, "channels_first">, I32EnumAttrCase<"ChannelsLast", 1, "channels_last">]> {
  let cppNamespace = "::amp::graph";
  let genSpecializedAttr = 0;
}
def DataLayoutAttr : EnumAttr<GraphDialect, DataLayout, "layout">;

def CompareKind : I32EnumAttr<"CompareKind", "predicate of a comparison", [
    I32EnumAttrCase<"Equal", 0, "eq">, I32EnumAttrCase<"Less", 1, "lt">, I32EnumAttrCase<"LessOrEqual", 2, "le">,
    I32EnumAttrCase<"Greater", 3, "gt">, I32EnumAttrCase<"GreaterOrEqual", 4, "ge">]> {
  let cppNamespace = "::amp::graph";
  let genSpecializedAttr = 0;
}
def CompareKindAttr : EnumAttr<GraphDialect, CompareKind, "compare">;

// All graph ops are pure and have a shape rule, a precision class, a layout class, a fusion class and an oracle.
// The verifier checks the result types against the shape rule; `extraVerifier` adds the op's own constraints.
class Graph_Op<string mnemonic, list<Trait> traits = []> : Op<GraphDialect, mnemonic, !listconcat([Pure,
    DeclareOpInterfaceMethods<ShapeOpInterface>,
    DeclareOpInterfaceMethods<PrecisionOpInterface>,
    DeclareOpInterfaceMethods<LayoutOpInterface>,
    DeclareOpInterfaceMethods<FusionOpInterface>,
    DeclareOpInterfaceMethods<ReferenceOpInterface>], traits)> {
  let hasVerifier = 1;
}

def Differentiable : DeclareOpInterfaceMethods<GradientOpInterface>;
def Emits : DeclareOpInterfaceMethods<EmitOpInterface>;

def Graph_Tensor : TensorOf<[AnyFloat, AnyInteger]>;
def Graph_FloatTensor : TensorOf<[AnyFloat]>;
def Graph_IntegerTensor : TensorOf<[AnyInteger]>;
def Graph_BoolTensor : TensorOf<[I1]>;

#endif
