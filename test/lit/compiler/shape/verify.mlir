// RUN: amp-opt %s -split-input-file -verify-diagnostics -amp-shape-infer -amp-shape-verify

// expected-error @below {{input 'x' [batch, 4] has no length on axis 0 ('batch'); give --batch=N for the first axis, or the whole shape as in --shape=x=8x4}}
train.program @unknown_input model inputs ["x"] outputs ["y"] (%x: tensor<?x4xf32> loc("x"("[batch, 4]"))) -> tensor<?x4xf32> {
  train.return %x : tensor<?x4xf32>
}

// -----

train.program @shape_from_values model inputs ["x", "s"] outputs ["y"] (%x: tensor<2x4xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  // expected-error @below {{gives 'tensor<?x?xf32>', a shape that depends on computed values of the input 's'; amp compiles for fixed shapes: make what it depends on an initializer of the model, or export with fixed shapes}}
  %0 = graph.dynamic_reshape %x, %s : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  train.return %0 : tensor<?x?xf32>
}

// -----

// What follows from an unknown shape is no news.
train.program @expand_to_values model inputs ["x", "s"] outputs ["y"] (%x: tensor<4xf32>, %s: tensor<2xi64>) -> tensor<?x4xf32> {
  // expected-error @below {{(graph.dynamic_expand) gives 'tensor<?x4xf32>', a shape that depends on computed values of the input 's'}}
  %0 = graph.dynamic_expand %x, %s : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %1 = graph.relu %0 : tensor<?x4xf32> -> tensor<?x4xf32>
  train.return %1 : tensor<?x4xf32>
}

// -----

train.program @nothing model inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{(graph.slice) gives 'tensor<2x0xf32>', a tensor without elements, for which amp has no code; take it out of the model}}
  %0 = graph.slice %x {axes = array<i64: 1>, ends = array<i64: 2>, starts = array<i64: 2>, steps = array<i64: 1>} : tensor<2x4xf32> -> tensor<2x0xf32>
  %1 = graph.concat %0, %x {axis = 1 : i64} : (tensor<2x0xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  train.return %1 : tensor<2x4xf32>
}

// -----

train.program @huge model inputs ["x"] outputs ["y"] (%x: tensor<4xf32>) -> tensor<2147483648x2147483648x4xf32> {
  // expected-error @below {{(graph.expand) gives 'tensor<2147483648x2147483648x4xf32>', more than 2^40 elements; use a smaller --batch or --shape}}
  %0 = graph.expand %x : tensor<4xf32> -> tensor<2147483648x2147483648x4xf32>
  train.return %0 : tensor<2147483648x2147483648x4xf32>
}
