// RUN: amp-opt %s -split-input-file -amp-layout-fold-transpose=explain=true -verify-diagnostics -amp-layout-verify | FileCheck %s

// CHECK-LABEL: @pair_cancels
// CHECK-SAME: [[X:%.*]]: tensor<2x3x4x5xf32>
// CHECK-NEXT: train.return [[X]]
train.program @pair_cancels eval inputs ["x"] outputs ["y"] (%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : tensor<2x3x4x5xf32> -> tensor<2x4x5x3xf32>
  %1 = graph.transpose %0 {permutation = array<i64: 0, 3, 1, 2>} : tensor<2x4x5x3xf32> -> tensor<2x3x4x5xf32>
  train.return %1 : tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: @one_channel_is_a_reshape
// CHECK-NEXT: graph.reshape {{.*}} : tensor<2x1x4x5xf32> -> tensor<2x4x5x1xf32>
train.program @one_channel_is_a_reshape eval inputs ["x"] outputs ["y"] (%x: tensor<2x1x4x5xf32>) -> tensor<2x4x5x1xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : tensor<2x1x4x5xf32> -> tensor<2x4x5x1xf32>
  train.return %0 : tensor<2x4x5x1xf32>
}

// -----

// CHECK-LABEL: @pair_cancels_through_elementwise
// CHECK-SAME: [[X:%.*]]: tensor<2x3x4x5xf32>
// CHECK-NEXT: [[Y:%.*]] = graph.relu [[X]] : tensor<2x3x4x5xf32>
// CHECK-NEXT: train.return [[Y]]
train.program @pair_cancels_through_elementwise eval inputs ["x"] outputs ["y"] (%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : tensor<2x3x4x5xf32> -> tensor<2x4x5x3xf32>
  %1 = graph.relu %0 : tensor<2x4x5x3xf32> -> tensor<2x4x5x3xf32>
  %2 = graph.transpose %1 {permutation = array<i64: 0, 3, 1, 2>} : tensor<2x4x5x3xf32> -> tensor<2x3x4x5xf32>
  train.return %2 : tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: @pool_absorbs_through_a_cast
// CHECK: [[P:%.*]] = graph.average_pool2d {{.*}} layout = #graph<layout channels_last>{{.*}} : tensor<2x4x4x3xf32> -> tensor<2x3x2x2xf32>
// CHECK-NEXT: [[Y:%.*]] = graph.cast [[P]] : tensor<2x3x2x2xf32> -> tensor<2x3x2x2xbf16>
// CHECK-NEXT: train.return [[Y]]
train.program @pool_absorbs_through_a_cast eval inputs ["x"] outputs ["y"] (%x: tensor<2x4x4x3xf32>) -> tensor<2x3x2x2xbf16> {
  %0 = graph.average_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout channels_last>, result_layout = #graph<layout channels_last>} : tensor<2x4x4x3xf32> -> tensor<2x2x2x3xf32>
  %1 = graph.cast %0 : tensor<2x2x2x3xf32> -> tensor<2x2x2x3xbf16>
  %2 = graph.transpose %1 {permutation = array<i64: 0, 3, 1, 2>} : tensor<2x2x2x3xbf16> -> tensor<2x3x2x2xbf16>
  train.return %2 : tensor<2x3x2x2xbf16>
}

// -----

// A channels-first pool absorbs nothing: the transpose is the model's own.
// CHECK-LABEL: @channels_first_pool_keeps_its_transpose
// CHECK: graph.transpose
train.program @channels_first_pool_keeps_its_transpose eval inputs ["x"] outputs ["y"] (%x: tensor<2x3x4x4xf32>) -> tensor<2x2x3x2xf32> {
  %0 = graph.average_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<2x3x4x4xf32> -> tensor<2x3x2x2xf32>
  // expected-remark @below {{[layout] kept the transpose graph.transpose: neither graph.average_pool2d nor a user of the transpose can absorb it}}
  %1 = graph.transpose %0 {permutation = array<i64: 0, 3, 1, 2>} : tensor<2x3x2x2xf32> -> tensor<2x2x3x2xf32>
  train.return %1 : tensor<2x2x3x2xf32>
}

// -----

// CHECK-LABEL: @border_keeps_its_transpose
// CHECK: graph.transpose
train.program @border_keeps_its_transpose eval inputs ["x"] outputs ["y"] (%x: tensor<2x3x4x4xf32>) -> tensor<2x4x4x3xf32> {
  // expected-remark @below {{[layout] kept the transpose graph.transpose: it stands at the border of the program}}
  %0 = graph.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : tensor<2x3x4x4xf32> -> tensor<2x4x4x3xf32>
  train.return %0 : tensor<2x4x4x3xf32>
}
