// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK-LABEL: @dense
// CHECK: graph.matmul %{{.*}}, %{{.*}} {transpose_rhs = true} : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x3xf32>
train.program @dense model inputs ["x", "w"] outputs ["y"] (%x: tensor<?x4xf32>, %w: tensor<3x4xf32>) -> tensor<?x3xf32> {
  %y = graph.matmul %x, %w {transpose_rhs = true} : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x3xf32>
  train.return %y : tensor<?x3xf32>
}

// The gradient of a weight leaves in f32.
// CHECK-LABEL: @wide_result
// CHECK: graph.matmul %{{.*}}, %{{.*}} {transpose_lhs = true} : (tensor<8x4xbf16>, tensor<8x3xbf16>) -> tensor<4x3xf32>
train.program @wide_result model inputs ["x", "dy"] outputs ["dw"] (%x: tensor<8x4xbf16>, %dy: tensor<8x3xbf16>) -> tensor<4x3xf32> {
  %dw = graph.matmul %x, %dy {transpose_lhs = true} : (tensor<8x4xbf16>, tensor<8x3xbf16>) -> tensor<4x3xf32>
  train.return %dw : tensor<4x3xf32>
}
