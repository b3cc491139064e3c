// RUN: amp-opt %s -split-input-file -amp-shape-infer -amp-shape-verify | FileCheck %s

// The lengths of the input spread; the program's type follows.
// CHECK-LABEL: @flatten_becomes_reshape
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK: %[[R:.*]] = graph.reshape %[[X]] : tensor<2x3x4xf32> -> tensor<2x12xf32>
// CHECK: %[[Y:.*]] = graph.relu %[[R]] : tensor<2x12xf32> -> tensor<2x12xf32>
// CHECK: train.return %[[Y]] : tensor<2x12xf32>
train.program @flatten_becomes_reshape model inputs ["x"] outputs ["y"] (%x: tensor<2x3x4xf32>) -> tensor<?x?xf32> {
  %0 = graph.flatten %x {axis = 1 : i64} : tensor<2x3x4xf32> -> tensor<?x?xf32>
  %1 = graph.relu %0 : tensor<?x?xf32> -> tensor<?x?xf32>
  train.return %1 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @shape_arithmetic_folds
// CHECK-NEXT: %[[Y:.*]] = graph.reshape %{{.*}} : tensor<2x3x4xf32> -> tensor<2x12xf32>
// CHECK-NEXT: train.return %[[Y]]
train.program @shape_arithmetic_folds model inputs ["x"] outputs ["y"] (%x: tensor<2x3x4xf32>) -> tensor<?x?xf32> {
  %zero = graph.constant dense<0> : tensor<i64>
  %rest = graph.constant dense<-1> : tensor<1xi64>
  %s = graph.shape %x {start = 0 : i64, end = 3 : i64} : tensor<2x3x4xf32> -> tensor<3xi64>
  %n = graph.gather %s, %zero {axis = 0 : i64} : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %l = graph.unsqueeze %n {axes = array<i64: 0>} : tensor<i64> -> tensor<1xi64>
  %t = graph.concat %l, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = graph.dynamic_reshape %x, %t : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  train.return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @slices_and_integer_arithmetic_fold
// CHECK-NEXT: graph.reshape %{{.*}} : tensor<4x6xf32> -> tensor<12x2xf32>
train.program @slices_and_integer_arithmetic_fold model inputs ["x"] outputs ["y"] (%x: tensor<4x6xf32>) -> tensor<?x?xf32> {
  %two = graph.constant dense<2> : tensor<1xi64>
  %s = graph.shape %x {start = 0 : i64, end = 2 : i64} : tensor<4x6xf32> -> tensor<2xi64>
  %last = graph.slice %s {axes = array<i64: 0>, starts = array<i64: -1>, ends = array<i64: 9>, steps = array<i64: 1>} : tensor<2xi64> -> tensor<1xi64>
  %m = graph.mul %last, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %t = graph.concat %m, %two {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = graph.dynamic_reshape %x, %t : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  train.return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @what_changes_nothing_is_removed
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: train.return %[[X]] : tensor<2x3xf32>
train.program @what_changes_nothing_is_removed model inputs ["x"] outputs ["y"] (%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.reshape %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = graph.transpose %0 {permutation = array<i64: 0, 1>} : tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = graph.cast %1 : tensor<2x3xf32> -> tensor<2x3xf32>
  %3 = graph.flatten %2 {axis = 1 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
  %unread = graph.exp %3 : tensor<2x3xf32> -> tensor<2x3xf32>
  train.return %3 : tensor<2x3xf32>
}

// -----

// A transpose of a square changes elements though not the type.
// CHECK-LABEL: @square_transpose_stays
// CHECK: graph.transpose
train.program @square_transpose_stays model inputs ["x"] outputs ["y"] (%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 1, 0>} : tensor<3x3xf32> -> tensor<3x3xf32>
  train.return %0 : tensor<3x3xf32>
}

// -----

// Weights are no constants, however small; a dropout is no identity.
train.state @w : tensor<2xf32> frozen = dense<1.0> : tensor<2xf32>
// CHECK-LABEL: @weights_and_dropout_stay
// CHECK: train.read @w
// CHECK: graph.mul
// CHECK: graph.dropout
train.program @weights_and_dropout_stay model inputs [] outputs ["y", "z"] () -> (tensor<2xf32>, tensor<2xf32>) {
  %w = train.read @w : tensor<2xf32>
  %two = graph.constant dense<2.0> : tensor<2xf32>
  %0 = graph.mul %w, %two : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.dropout %two {ratio = 5.000000e-01 : f64, number = 0 : i64} : tensor<2xf32> -> tensor<2xf32>
  train.return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @squeeze_and_unsqueeze_become_reshape
// CHECK: graph.reshape %{{.*}} : tensor<1x3xf32> -> tensor<3xf32>
// CHECK: graph.reshape %{{.*}} : tensor<3xf32> -> tensor<3x1xf32>
// CHECK-NOT: squeeze %
train.program @squeeze_and_unsqueeze_become_reshape model inputs ["x"] outputs ["y"] (%x: tensor<1x3xf32>) -> tensor<?x1xf32> {
  %0 = graph.squeeze %x {axes = array<i64: 0>} : tensor<1x3xf32> -> tensor<?xf32>
  %1 = graph.exp %0 : tensor<?xf32> -> tensor<?xf32>
  %2 = graph.unsqueeze %1 {axes = array<i64: 1>} : tensor<?xf32> -> tensor<?x1xf32>
  train.return %2 : tensor<?x1xf32>
}
