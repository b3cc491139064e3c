// RUN: amp-opt %s -split-input-file -amp-layout-convert-images | FileCheck %s
// RUN: amp-opt %s -split-input-file -amp-layout-convert-images=layout=channels-first | FileCheck %s --check-prefix=FIRST
// RUN: amp-opt %s -split-input-file -amp-layout-convert-images=layout=channels-last | FileCheck %s --check-prefix=LAST

// The images of a convolution become channels-last, its kernel does not; transposes stand at both ends.
// CHECK-LABEL: @convolution_is_channels_last
// CHECK-SAME: [[X:%.*]]: tensor<2x3x8x8xf32>, [[W:%.*]]: tensor<4x3x3x3xf32>
// FIRST-LABEL: @convolution_is_channels_last
// FIRST-NOT: graph.transpose
// FIRST: graph.conv2d
// FIRST-SAME: -> tensor<2x4x6x6xf32>
train.program @convolution_is_channels_last eval inputs ["x", "w", "b"] outputs ["y"] (%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x6x6xf32> {
  // CHECK: [[T:%.*]] = graph.transpose [[X]] {permutation = array<i64: 0, 2, 3, 1>}
  // CHECK: [[C:%.*]] = graph.conv2d [[T]], [[W]] {{.*}}channels_last{{.*}} -> tensor<2x6x6x4xf32>
  %0 = graph.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32>
  // CHECK: [[B:%.*]] = graph.bias_add [[C]], {{.*}} {axis = 3 : i64}
  %1 = graph.bias_add %0, %b {axis = 1 : i64} : (tensor<2x4x6x6xf32>, tensor<4xf32>) -> tensor<2x4x6x6xf32>
  // CHECK: [[R:%.*]] = graph.relu [[B]] : tensor<2x6x6x4xf32>
  %2 = graph.relu %1 : tensor<2x4x6x6xf32> -> tensor<2x4x6x6xf32>
  // CHECK: [[Y:%.*]] = graph.transpose [[R]] {permutation = array<i64: 0, 3, 1, 2>}
  // CHECK: train.return [[Y]]
  train.return %2 : tensor<2x4x6x6xf32>
}

// -----

// The gradient of a kernel is no image, even where all its axes have one length.
// CHECK-LABEL: @kernel_gradient_keeps_its_layout
train.program @kernel_gradient_keeps_its_layout eval inputs ["x", "dy"] outputs ["dw"] (%x: tensor<2x3x5x5xf32>, %dy: tensor<2x3x3x3xf32>) -> tensor<3x3x3x3xf32> {
  // CHECK: [[DW:%.*]] = graph.conv2d_weight_grad {{.*}}channels_last
  // CHECK-NEXT: train.return [[DW]]
  %0 = graph.conv2d_weight_grad %x, %dy {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, weight_shape = array<i64: 3, 3, 3, 3>} : (tensor<2x3x5x5xf32>, tensor<2x3x3x3xf32>) -> tensor<3x3x3x3xf32>
  train.return %0 : tensor<3x3x3x3xf32>
}

// -----

// Without a convolution nothing asks for channels-last.
// CHECK-LABEL: @pool_alone_stays
// CHECK-NOT: graph.transpose
// LAST-LABEL: @pool_alone_stays
// LAST: graph.transpose
train.program @pool_alone_stays eval inputs ["x"] outputs ["y"] (%x: tensor<2x3x4x4xf32>) -> tensor<2x3x2x2xf32> {
  // CHECK: graph.max_pool2d
  // CHECK-SAME: -> tensor<2x3x2x2xf32>
  %0 = graph.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<2x3x4x4xf32> -> tensor<2x3x2x2xf32>
  train.return %0 : tensor<2x3x2x2xf32>
}
