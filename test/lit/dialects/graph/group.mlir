// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.group(%{{.*}}, %{{.*}}) : (tensor<8x4xf32>, tensor<3x4xf32>) -> tensor<8x3xf32> {
// CHECK: ^bb0(%[[X:.*]]: tensor<8x4xf32>, %[[W:.*]]: tensor<3x4xf32>):
// CHECK: %[[P:.*]] = graph.matmul %[[X]], %[[W]]
// CHECK: %[[Y:.*]] = graph.relu %[[P]]
// CHECK: graph.yield %[[Y]] : tensor<8x3xf32>
train.program @f model inputs ["x", "w"] outputs ["y"] (%x: tensor<8x4xf32>, %w: tensor<3x4xf32>) -> tensor<8x3xf32> {
  %y = graph.group(%x, %w) : (tensor<8x4xf32>, tensor<3x4xf32>) -> tensor<8x3xf32> {
  ^bb0(%a: tensor<8x4xf32>, %b: tensor<3x4xf32>):
    %p = graph.matmul %a, %b {transpose_rhs = true} : (tensor<8x4xf32>, tensor<3x4xf32>) -> tensor<8x3xf32>
    %r = graph.relu %p : tensor<8x3xf32> -> tensor<8x3xf32>
    graph.yield %r : tensor<8x3xf32>
  }
  train.return %y : tensor<8x3xf32>
}
