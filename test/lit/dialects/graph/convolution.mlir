// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.conv2d %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<?x2x2x2xf32>
train.program @f0 model inputs ["x", "w"] outputs [] (%x: tensor<?x2x4x4xf32>, %w: tensor<2x2x3x3xf32>) {
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<?x2x2x2xf32>
  train.return
}

// CHECK: graph.conv2d %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x2xbf16>, tensor<2x2x3x3xbf16>) -> tensor<1x2x2x2xbf16>
// CHECK: graph.conv2d_input_grad %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, groups = 1 : i64, input_shape = array<i64: 1, 4, 4, 2>, layout = #graph<layout channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x2x2xbf16>, tensor<2x2x3x3xbf16>) -> tensor<1x4x4x2xbf16>
// CHECK: graph.conv2d_weight_grad %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, weight_shape = array<i64: 2, 2, 3, 3>} : (tensor<1x4x4x2xbf16>, tensor<1x2x2x2xbf16>) -> tensor<2x2x3x3xf32>
train.program @f1 model inputs ["x", "w", "d"] outputs [] (%x: tensor<1x4x4x2xbf16>, %w: tensor<2x2x3x3xbf16>, %d: tensor<1x2x2x2xbf16>) {
  %y = graph.conv2d %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x2xbf16>, tensor<2x2x3x3xbf16>) -> tensor<1x2x2x2xbf16>
  %dx = graph.conv2d_input_grad %d, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, input_shape = array<i64: 1, 4, 4, 2>, layout = #graph<layout channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x2x2xbf16>, tensor<2x2x3x3xbf16>) -> tensor<1x4x4x2xbf16>
  %dw = graph.conv2d_weight_grad %x, %d {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #graph<layout channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, weight_shape = array<i64: 2, 2, 3, 3>} : (tensor<1x4x4x2xbf16>, tensor<1x2x2x2xbf16>) -> tensor<2x2x3x3xf32>
  train.return
}
