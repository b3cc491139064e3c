// RUN: amp-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: @casts_there_and_back
// CHECK-NOT: graph.cast
// CHECK: train.return %arg0
train.program @casts_there_and_back model inputs ["x"] outputs ["y"] (%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %w = graph.cast %x : tensor<2xbf16> -> tensor<2xf32>
  %y = graph.cast %w : tensor<2xf32> -> tensor<2xbf16>
  train.return %y : tensor<2xbf16>
}

// A narrower type in between rounds: nothing folds.
// CHECK-LABEL: @rounding_casts_stay
// CHECK-COUNT-2: graph.cast
train.program @rounding_casts_stay model inputs ["x"] outputs ["y"] (%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = graph.cast %x : tensor<2xf32> -> tensor<2xbf16>
  %y = graph.cast %w : tensor<2xbf16> -> tensor<2xf32>
  train.return %y : tensor<2xf32>
}

// CHECK-LABEL: @transposes_compose
// CHECK: graph.transpose %arg0 {permutation = array<i64: 2, 0, 1>} : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
// CHECK-NOT: graph.transpose
train.program @transposes_compose model inputs ["x"] outputs ["y"] (%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %t = graph.transpose %x {permutation = array<i64: 0, 2, 1>} : tensor<2x3x4xf32> -> tensor<2x4x3xf32>
  %y = graph.transpose %t {permutation = array<i64: 1, 0, 2>} : tensor<2x4x3xf32> -> tensor<4x2x3xf32>
  train.return %y : tensor<4x2x3xf32>
}

// CHECK-LABEL: @reshapes_compose
// CHECK-NOT: graph.reshape
// CHECK: train.return %arg0
train.program @reshapes_compose model inputs ["x"] outputs ["y"] (%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %t = graph.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
  %y = graph.reshape %t : tensor<6xf32> -> tensor<2x3xf32>
  train.return %y : tensor<2x3xf32>
}
