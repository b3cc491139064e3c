// RUN: amp-opt %s -split-input-file -verify-diagnostics -amp-shape-infer

train.program @reshape_that_a_batch_breaks model inputs ["x"] outputs ["y"] (%x: tensor<8x6xf32>) -> tensor<?x?xf32> {
  %a = graph.constant dense<4> : tensor<1xi64>
  %b = graph.constant dense<6> : tensor<1xi64>
  %t = graph.concat %a, %b {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  // expected-error @unknown {{node 'view' (graph.dynamic_reshape) turns 8x6 into 4x6, which has another number of elements; if --batch or --shape replaced a length that the file fixes, this node still holds the old one: export the model with symbolic axes}}
  %y = graph.dynamic_reshape %x, %t : (tensor<8x6xf32>, tensor<2xi64>) -> tensor<?x?xf32> loc("view")
  train.return %y : tensor<?x?xf32>
}

// -----

train.program @division_by_zero model inputs [] outputs ["y"] () -> tensor<i64> {
  %a = graph.constant dense<7> : tensor<i64>
  %b = graph.constant dense<0> : tensor<i64>
  // expected-error @below {{'graph.div' op divides an integer by 0}}
  %y = graph.div %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i64>
  train.return %y : tensor<i64>
}

// -----

train.program @axis_sliced_twice model inputs ["x"] outputs ["y"] (%x: tensor<4x8xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{'graph.slice' op has axis 1 twice; wants each axis once}}
  %y = graph.slice %x {axes = array<i64: 1, 1>, starts = array<i64: 2, 0>, ends = array<i64: 8, 3>, steps = array<i64: 1, 1>} : tensor<4x8xf32> -> tensor<?x?xf32>
  train.return %y : tensor<?x?xf32>
}
