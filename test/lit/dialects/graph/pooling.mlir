// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.max_pool2d %{{.*}} {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
// CHECK: graph.average_pool2d %{{.*}} {count_include_pad = true, dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
// CHECK: graph.max_pool2d_grad %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x2x2xf32>, tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf32>
// CHECK: graph.average_pool2d_grad %{{.*}} {dilations = array<i64: 1, 1>, input_shape = array<i64: 1, 2, 4, 4>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x2x2xf32> -> tensor<1x2x4x4xf32>
train.program @f0 model inputs ["x", "d"] outputs [] (%x: tensor<1x2x4x4xf32>, %d: tensor<1x2x2x2xf32>) {
  %y = graph.max_pool2d %x {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
  %z = graph.average_pool2d %x {count_include_pad = true, dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
  %dx = graph.max_pool2d_grad %d, %x {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x2x2xf32>, tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf32>
  %dz = graph.average_pool2d_grad %d {dilations = array<i64: 1, 1>, input_shape = array<i64: 1, 2, 4, 4>, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x2x2x2xf32> -> tensor<1x2x4x4xf32>
  train.return
}

// CHECK: graph.max_pool2d %{{.*}} {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, layout = #graph<layout channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x4x4x3xf32> -> tensor<1x3x2x2xf32>
train.program @f1 model inputs ["x"] outputs [] (%x: tensor<1x4x4x3xf32>) {
  %y = graph.max_pool2d %x {dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, layout = #graph<layout channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : tensor<1x4x4x3xf32> -> tensor<1x3x2x2xf32>
  train.return
}
