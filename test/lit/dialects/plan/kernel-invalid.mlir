// RUN: amp-opt %s -split-input-file -verify-diagnostics

// C1
// expected-error @below {{'plan.kernel' op has 0 aliases for 1 results}}
plan.kernel @k attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                           aliases = array<i64>, steps = [#plan.generated<"whole">]} {
^bb0(%x: tensor<4xf32>):
  %y = graph.reshape %x : tensor<4xf32> -> tensor<4xf32>
  graph.yield %y : tensor<4xf32>
}

// -----

// C1
// expected-error @below {{'plan.kernel' op result 0 overwrites input 1, which is not one of 1}}
plan.kernel @k attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                           aliases = array<i64: 1>, steps = [#plan.generated<"whole">]} {
^bb0(%x: tensor<4xf32>):
  %y = graph.reshape %x : tensor<4xf32> -> tensor<4xf32>
  graph.yield %y : tensor<4xf32>
}

// -----

// C1
// expected-error @below {{'plan.kernel' op result 0 of type 'tensor<2x2xf32>' overwrites input 0 of type 'tensor<4xf32>'}}
plan.kernel @k attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                           aliases = array<i64: 0>, steps = [#plan.generated<"whole">]} {
^bb0(%x: tensor<4xf32>):
  %y = graph.reshape %x : tensor<4xf32> -> tensor<2x2xf32>
  graph.yield %y : tensor<2x2xf32>
}

// -----

// C2
// expected-error @below {{'plan.kernel' op has the step "whole", which is neither #plan.generated nor #plan.library}}
plan.kernel @k attributes {implementation = "generated", tiles = 1 : i64, workspace = 0 : i64,
                           aliases = array<i64: -1>, steps = ["whole"]} {
^bb0(%x: tensor<4xf32>):
  %y = graph.reshape %x : tensor<4xf32> -> tensor<4xf32>
  graph.yield %y : tensor<4xf32>
}

// -----

// C3
// expected-error @below {{'plan.kernel' op has 0 tiles, wants at least 1}}
plan.kernel @k attributes {implementation = "generated", tiles = 0 : i64, workspace = 0 : i64,
                           aliases = array<i64: -1>, steps = [#plan.generated<"whole">]} {
^bb0(%x: tensor<4xf32>):
  %y = graph.reshape %x : tensor<4xf32> -> tensor<4xf32>
  graph.yield %y : tensor<4xf32>
}
