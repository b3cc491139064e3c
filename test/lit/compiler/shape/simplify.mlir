// RUN: amp-opt %s -split-input-file -amp-shape-infer -amp-shape-verify | FileCheck %s

// CHECK-LABEL: @expand_to_a_computed_shape
// CHECK-NEXT: %[[Y:.*]] = graph.expand %{{.*}} : tensor<1x4xf32> -> tensor<3x4xf32>
// CHECK-NEXT: train.return %[[Y]]
train.program @expand_to_a_computed_shape model inputs ["x", "z"] outputs ["y"] (%x: tensor<1x4xf32>, %z: tensor<3x1xf32>) -> tensor<?x?xf32> {
  %s = graph.shape %z {start = 0 : i64, end = 2 : i64} : tensor<3x1xf32> -> tensor<2xi64>
  %y = graph.dynamic_expand %x, %s : (tensor<1x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  train.return %y : tensor<?x?xf32>
}

// -----

// -1 in a shape that an exporter computes: where(equal(shape, -1), ones, shape).
// CHECK-LABEL: @where_on_shapes_folds
// CHECK-NEXT: %[[Y:.*]] = graph.expand %{{.*}} : tensor<1x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: train.return %[[Y]]
train.program @where_on_shapes_folds model inputs ["x"] outputs ["y"] (%x: tensor<1x4xf32>) -> tensor<?x?xf32> {
  %length = graph.constant dense<2> : tensor<1xi64>
  %given = graph.constant dense<[2, -1]> : tensor<2xi64>
  %minus = graph.constant dense<-1> : tensor<i64>
  %ones = graph.fill %length {value = dense<1> : tensor<1xi64>} : tensor<1xi64> -> tensor<?xi64>
  %negative = graph.mul %ones, %minus : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %same = graph.compare eq %given, %negative : (tensor<2xi64>, tensor<?xi64>) -> tensor<2xi1>
  %s = graph.select %same, %ones, %given : (tensor<2xi1>, tensor<?xi64>, tensor<2xi64>) -> tensor<2xi64>
  %y = graph.dynamic_expand %x, %s : (tensor<1x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  train.return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @slice_to_a_computed_end
// CHECK-NEXT: graph.slice %{{.*}} {axes = array<i64: 0>, ends = array<i64: 3>, starts = array<i64: 1>, steps = array<i64: 1>} : tensor<8x4xf32> -> tensor<2x4xf32>
train.program @slice_to_a_computed_end model inputs ["x", "z"] outputs ["y"] (%x: tensor<8x4xf32>, %z: tensor<3xf32>) -> tensor<?x4xf32> {
  %start = graph.constant dense<1> : tensor<1xi64>
  %end = graph.shape %z {start = 0 : i64, end = 1 : i64} : tensor<3xf32> -> tensor<1xi64>
  %y = graph.dynamic_slice %x, %start, %end {axes = array<i64: 0>} : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x4xf32>
  train.return %y : tensor<?x4xf32>
}

// -----

// Longer than folding goes, but one value.
// CHECK-LABEL: @splats_have_any_length
// CHECK-NEXT: %[[C:.*]] = graph.constant dense<1.000000e+00> : tensor<300x100xf32>
// CHECK-NEXT: train.return %[[C]]
train.program @splats_have_any_length model inputs [] outputs ["y"] () -> tensor<?x?xf32> {
  %s = graph.constant dense<[100, 300]> : tensor<2xi64>
  %0 = graph.fill %s {value = dense<1.0> : tensor<1xf32>} : tensor<2xi64> -> tensor<?x?xf32>
  %1 = graph.transpose %0 {permutation = array<i64: 1, 0>} : tensor<?x?xf32> -> tensor<?x?xf32>
  train.return %1 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @counting_folds
// CHECK-NEXT: graph.constant dense<[0, 2, 4, 6]> : tensor<4xi64>
train.program @counting_folds model inputs ["x"] outputs ["y", "z"] (%x: tensor<8xf32>) -> (tensor<?xi64>, tensor<8xf32>) {
  %zero = graph.constant dense<0> : tensor<i64>
  %two = graph.constant dense<2> : tensor<i64>
  %s = graph.shape %x {start = 0 : i64, end = 1 : i64} : tensor<8xf32> -> tensor<1xi64>
  %n = graph.squeeze %s {axes = array<i64: 0>} : tensor<1xi64> -> tensor<i64>
  %y = graph.range %zero, %n, %two : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  train.return %y, %x : tensor<?xi64>, tensor<8xf32>
}

// -----

train.state @w : tensor<8x4xf32> frozen
// CHECK-LABEL: @positions_are_a_slice
// CHECK: %[[W:.*]] = train.read @w
// CHECK: %[[S:.*]] = graph.slice %[[W]] {axes = array<i64: 0>, ends = array<i64: 3>, starts = array<i64: 0>, steps = array<i64: 1>}
// CHECK: graph.reshape %[[S]] : tensor<3x4xf32> -> tensor<1x3x4xf32>
// CHECK: %[[LAST:.*]] = graph.slice %[[W]] {axes = array<i64: 0>, ends = array<i64: 8>, starts = array<i64: 7>, steps = array<i64: 1>}
// CHECK: graph.reshape %[[LAST]] : tensor<1x4xf32> -> tensor<4xf32>
// CHECK: %[[ONE:.*]] = graph.slice %[[W]] {axes = array<i64: 0>, ends = array<i64: 2>, starts = array<i64: 1>, steps = array<i64: 1>}
// CHECK: graph.expand %{{.*}} : tensor<1x1x4xf32> -> tensor<2x2x4xf32>
// CHECK: graph.gather
train.program @positions_are_a_slice model inputs [] outputs ["a", "b", "c", "d"] () -> (tensor<1x3x4xf32>, tensor<4xf32>, tensor<2x2x4xf32>, tensor<2x4xf32>) {
  %w = train.read @w : tensor<8x4xf32>
  %positions = graph.constant dense<[[0, 1, 2]]> : tensor<1x3xi64>
  %minus = graph.constant dense<-1> : tensor<i64>
  %same = graph.constant dense<1> : tensor<2x2xi64>
  %others = graph.constant dense<[2, 1]> : tensor<2xi64>
  %a = graph.gather %w, %positions {axis = 0 : i64} : (tensor<8x4xf32>, tensor<1x3xi64>) -> tensor<1x3x4xf32>
  %b = graph.gather %w, %minus {axis = 0 : i64} : (tensor<8x4xf32>, tensor<i64>) -> tensor<4xf32>
  %c = graph.gather %w, %same {axis = 0 : i64} : (tensor<8x4xf32>, tensor<2x2xi64>) -> tensor<2x2x4xf32>
  %d = graph.gather %w, %others {axis = 0 : i64} : (tensor<8x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  train.return %a, %b, %c, %d : tensor<1x3x4xf32>, tensor<4xf32>, tensor<2x2x4xf32>, tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @only_the_last_shape_counts
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT: %[[R:.*]] = graph.reshape %[[X]] : tensor<2x3x4xf32> -> tensor<6x4xf32>
// CHECK-NEXT: %[[S:.*]] = graph.slice %[[R]] {{.*}}steps = array<i64: -1>
// CHECK-NEXT: train.return %[[S]], %[[X]]
train.program @only_the_last_shape_counts model inputs ["x"] outputs ["y", "z"] (%x: tensor<2x3x4xf32>) -> (tensor<6x4xf32>, tensor<2x3x4xf32>) {
  %0 = graph.reshape %x : tensor<2x3x4xf32> -> tensor<24xf32>
  %1 = graph.reshape %0 : tensor<24xf32> -> tensor<6x4xf32>
  %whole = graph.slice %1 {axes = array<i64: 0>, starts = array<i64: 0>, ends = array<i64: 9>, steps = array<i64: 1>} : tensor<6x4xf32> -> tensor<6x4xf32>
  %2 = graph.slice %whole {axes = array<i64: 0>, starts = array<i64: 9>, ends = array<i64: -9>, steps = array<i64: -1>} : tensor<6x4xf32> -> tensor<6x4xf32>
  %3 = graph.concat %0 {axis = 0 : i64} : (tensor<24xf32>) -> tensor<24xf32>
  %4 = graph.reshape %3 : tensor<24xf32> -> tensor<2x3x4xf32>
  train.return %2, %4 : tensor<6x4xf32>, tensor<2x3x4xf32>
}

// -----

train.state @w : tensor<5x4xf32> frozen
// The heads of attention are no matrix: that transpose stays.
// CHECK-LABEL: @matmul_reads_either_way
// CHECK: %[[W:.*]] = train.read @w
// CHECK-NEXT: graph.matmul %{{.*}}, %[[W]] {transpose_rhs = true} : (tensor<2x3x4xf32>, tensor<5x4xf32>)
// CHECK-NEXT: graph.matmul %{{.*}}, %{{.*}} {transpose_lhs = true} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
// CHECK-NEXT: %[[T:.*]] = graph.transpose
// CHECK-NEXT: graph.matmul %[[T]], %{{.*}} : (tensor<3x2x4xf32>, tensor<4x5xf32>)
train.program @matmul_reads_either_way model inputs ["x", "z"] outputs ["a", "b", "c"] (%x: tensor<2x3x4xf32>, %z: tensor<4x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x4x4xf32>, tensor<3x2x5xf32>) {
  %w = train.read @w : tensor<5x4xf32>
  %0 = graph.transpose %w {permutation = array<i64: 1, 0>} : tensor<5x4xf32> -> tensor<4x5xf32>
  %a = graph.matmul %x, %0 : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %1 = graph.transpose %x {permutation = array<i64: 0, 2, 1>} : tensor<2x3x4xf32> -> tensor<2x4x3xf32>
  %b = graph.matmul %1, %x : (tensor<2x4x3xf32>, tensor<2x3x4xf32>) -> tensor<2x4x4xf32>
  %2 = graph.transpose %x {permutation = array<i64: 1, 0, 2>} : tensor<2x3x4xf32> -> tensor<3x2x4xf32>
  %c = graph.matmul %2, %z : (tensor<3x2x4xf32>, tensor<4x5xf32>) -> tensor<3x2x5xf32>
  train.return %a, %b, %c : tensor<2x3x5xf32>, tensor<2x4x4xf32>, tensor<3x2x5xf32>
}

// -----

// CHECK-LABEL: @conditions_that_change_nothing
// CHECK-SAME: (%[[M:.*]]: tensor<2x1x4xi1>
// CHECK-NEXT: %[[NONE:.*]] = graph.constant dense<false>
// CHECK-NEXT: %[[E:.*]] = graph.expand %[[M]] : tensor<2x1x4xi1> -> tensor<2x3x4xi1>
// CHECK-NEXT: %[[A:.*]] = graph.logical_and %[[M]], %[[NONE]]
// CHECK-NEXT: train.return %[[E]], %[[M]], %[[A]]
train.program @conditions_that_change_nothing model inputs ["m"] outputs ["a", "b", "c"] (%m: tensor<2x1x4xi1>) -> (tensor<2x3x4xi1>, tensor<2x1x4xi1>, tensor<2x1x4xi1>) {
  %all = graph.constant dense<true> : tensor<1x3x1xi1>
  %none = graph.constant dense<false> : tensor<i1>
  %a = graph.logical_and %all, %m : (tensor<1x3x1xi1>, tensor<2x1x4xi1>) -> tensor<2x3x4xi1>
  %b = graph.logical_or %m, %none : (tensor<2x1x4xi1>, tensor<i1>) -> tensor<2x1x4xi1>
  %c = graph.logical_and %m, %none : (tensor<2x1x4xi1>, tensor<i1>) -> tensor<2x1x4xi1>
  train.return %a, %b, %c : tensor<2x3x4xi1>, tensor<2x1x4xi1>, tensor<2x1x4xi1>
}
