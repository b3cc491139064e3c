#ifndef AMP_IMPORT_RECOGNIZE_PASSES
#define AMP_IMPORT_RECOGNIZE_PASSES

include "mlir/Pass/PassBase.td"

def RecognizePatternsPass : Pass<"amp-import-recognize-patterns"> {
  let summary = "Recognizes layer normalisation and GELU where they are spelled out";
  let description = [{
    layer_norm: (x - mean x) / sqrt(mean (x - mean x)^2 + eps) over trailing axes, as a division or as a product with a
    reciprocal, with the scale and the bias of those axes behind it if they are there. gelu: x * 0.5 * (1 + erf(x /
    sqrt(2))), in any order of the factors, and the form with tanh(sqrt(2/pi) * (x + 0.044715 * x^3)), whatever way the
    polynomial is written. A remark names each. An intermediate value that something else reads keeps its ops, and the
    pattern stays. Runs after shape arithmetic has folded: it reads constants and the lengths of axes. What is
    recognized trains with the gradient, the precision and the kernel of the one op.
  }];
  let dependentDialects = ["::amp::graph::GraphDialect"];
  let statistics = [Statistic<"layerNormCount", "layer-norms", "Layer normalisations recognized">,
                    Statistic<"geluCount", "gelus", "GELUs recognized">];
}

#endif
