// RUN: amp-opt %s -split-input-file -amp-shape-limit-indices | FileCheck %s

train.state @small : tensor<7x4xf32> frozen
train.state @large : tensor<9x4xf32> frozen
// CHECK-LABEL: train.program @the_least_length_limits
// CHECK-SAME: index_limits [7, 0] ignore_indices [0, 0]
train.program @the_least_length_limits model inputs ["ids", "mask"] outputs ["y", "z"] (%ids: tensor<2x3xi32>, %mask: tensor<2x3xi64>) -> (tensor<6x4xf32>, tensor<2x3x4xf32>) {
  %small = train.read @small : tensor<7x4xf32>
  %large = train.read @large : tensor<9x4xf32>
  %0 = graph.cast %ids : tensor<2x3xi32> -> tensor<2x3xi64>
  %1 = graph.reshape %0 : tensor<2x3xi64> -> tensor<6xi64>
  %y = graph.gather %small, %1 {axis = 0 : i64} : (tensor<7x4xf32>, tensor<6xi64>) -> tensor<6x4xf32>
  %z = graph.gather %large, %0 {axis = 0 : i64} : (tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
  %unused = graph.add %mask, %mask : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
  train.return %y, %z : tensor<6x4xf32>, tensor<2x3x4xf32>
}

// -----

// What is gathered is no index, and neither is a number that another is computed from.
// CHECK-LABEL: train.program @no_index
// CHECK-NOT: index_limits
// CHECK-SAME: (
train.program @no_index model inputs ["x", "i"] outputs ["y"] (%x: tensor<5xi64>, %i: tensor<2xi64>) -> tensor<2xi64> {
  %0 = graph.add %i, %i : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %y = graph.gather %x, %0 {axis = 0 : i64} : (tensor<5xi64>, tensor<2xi64>) -> tensor<2xi64>
  train.return %y : tensor<2xi64>
}
