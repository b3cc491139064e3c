// RUN: amp-opt %s -split-input-file -verify-diagnostics -amp-layout-verify

train.program @pair eval inputs ["x"] outputs ["y"] (%x: tensor<2x3x4x5xf32>) -> tensor<3x4x5x2xf32> {
  // expected-note @below {{first transpose here}}
  %0 = graph.transpose %x {permutation = array<i64: 1, 0, 2, 3>} : tensor<2x3x4x5xf32> -> tensor<3x2x4x5xf32>
  // expected-error @below {{'graph.transpose' op breaks the contract of amp-layout-fold-transpose: transposes a transpose; wants one at most}}
  %1 = graph.transpose %0 {permutation = array<i64: 0, 2, 3, 1>} : tensor<3x2x4x5xf32> -> tensor<3x4x5x2xf32>
  train.return %1 : tensor<3x4x5x2xf32>
}

// -----

train.program @unit_axis eval inputs ["x"] outputs ["y"] (%x: tensor<2x1x4x5xf32>) -> tensor<2x4x5x1xf32> {
  // expected-error @below {{'graph.transpose' op breaks the contract of amp-layout-fold-transpose: moves axes of length 1 alone; wants a reshape}}
  %0 = graph.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : tensor<2x1x4x5xf32> -> tensor<2x4x5x1xf32>
  train.return %0 : tensor<2x4x5x1xf32>
}

// -----

train.program @producer_absorbs eval inputs ["x"] outputs ["y"] (%x: tensor<2x4x4x3xf32>) -> tensor<2x3x2x2xf32> {
  %0 = graph.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout channels_last>, result_layout = #graph<layout channels_last>} : tensor<2x4x4x3xf32> -> tensor<2x2x2x3xf32>
  // expected-error @below {{'graph.transpose' op breaks the contract of amp-layout-fold-transpose: its producer can absorb it}}
  %1 = graph.transpose %0 {permutation = array<i64: 0, 3, 1, 2>} : tensor<2x2x2x3xf32> -> tensor<2x3x2x2xf32>
  train.return %1 : tensor<2x3x2x2xf32>
}
