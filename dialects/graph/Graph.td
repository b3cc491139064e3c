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

def ChannelLayout : I32EnumAttr<"ChannelLayout", "which axis of an image is which", [
    I32EnumAttrCase<"ChannelsFirst", 0, "channels_first">, I32EnumAttrCase<"ChannelsLast", 1, "channels_last">]> {
  let cppNamespace = "::amp::graph";
  let genSpecializedAttr = 0;
}
def ChannelLayoutAttr : EnumAttr<GraphDialect, ChannelLayout, "layout">;

def CompareKind : I32EnumAttr<"CompareKind", "predicate of a comparison", [
    I32EnumAttrCase<"Equal", 0, "eq">, I32EnumAttrCase<"Less", 1, "lt">, I32EnumAttrCase<"LessOrEqual", 2, "le">,
    I32EnumAttrCase<"Greater", 3, "gt">, I32EnumAttrCase<"GreaterOrEqual", 4, "ge">]> {
  let cppNamespace = "::amp::graph";
  let genSpecializedAttr = 0;
}
def CompareKindAttr : EnumAttr<GraphDialect, CompareKind, "compare">;

// The classes of an op, by the names of interfaces/Classes.h. An empty one is computed: the op defines the method.
class Facts<string precisionClass, string layoutClass, string fusionClass> {
  string precision = precisionClass;
  string layout = layoutClass;
  string fusion = fusionClass;
}

class Fact<string kind, string value> {
  string method = "::amp::graph::" # kind # " get" # kind # "()"
                  # !if(!empty(value), ";\n", " { return ::amp::graph::" # kind # "::" # value # "; }\n");
}

// All graph ops are pure and have a shape rule, a precision class, a layout class, a fusion class and an oracle. The
// shape rule checks the operands and is the verifier too; `moreFacts` declares what else the op knows about itself.
class Graph_Op<string mnemonic, Facts facts, list<Trait> traits = []> : Op<GraphDialect, mnemonic, !listconcat([Pure,
    DeclareOpInterfaceMethods<ShapeOpInterface>, PrecisionOpInterface, LayoutOpInterface, FusionOpInterface,
    DeclareOpInterfaceMethods<ReferenceOpInterface>], traits)> {
  code moreFacts = "";
  let extraClassDeclaration = Fact<"PrecisionClass", facts.precision>.method # Fact<"LayoutClass", facts.layout>.method
                              # Fact<"FusionClass", facts.fusion>.method # moreFacts;
}

def Differentiable : DeclareOpInterfaceMethods<GradientOpInterface>;
def HasModes : DeclareOpInterfaceMethods<ModeOpInterface>;
def Emits : DeclareOpInterfaceMethods<EmitOpInterface>;

def Graph_Tensor : RankedTensorOf<[AnyFloat, AnyInteger]>;
def Graph_FloatTensor : RankedTensorOf<[AnyFloat]>;
def Graph_IntegerTensor : RankedTensorOf<[AnyInteger]>;
def Graph_BoolTensor : RankedTensorOf<[I1]>;

#endif
