// RUN: amp-opt %s -split-input-file -verify-diagnostics -amp-shape-infer -amp-shape-verify

// expected-error @below {{input 'x' [batch, 4] has no length on axis 0 ('batch'); give --batch=N for the first axis, or the whole shape as in --shape=x=8x4}}
train.program @unknown_input model inputs ["x"] outputs ["y"] (%x: tensor<?x4xf32> loc("x"("[batch, 4]"))) -> tensor<?x4xf32> {
  train.return %x : tensor<?x4xf32>
}

// -----

train.program @concat_of_values model inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{applies graph.concat to computed values, which is not supported here; it works on shapes and constants only}}
  %0 = graph.concat %x, %x {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  train.return %0 : tensor<4x4xf32>
}

// -----

train.program @shape_from_values model inputs ["x", "s"] outputs ["y"] (%x: tensor<2x4xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  // expected-error @below {{gives 'tensor<?x?xf32>', a shape that depends on computed values}}
  %0 = graph.dynamic_reshape %x, %s : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  train.return %0 : tensor<?x?xf32>
}
