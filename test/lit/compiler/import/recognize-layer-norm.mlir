// RUN: amp-opt %s -split-input-file -amp-import-recognize-patterns | FileCheck %s
// RUN: amp-opt %s -split-input-file -amp-import-recognize-patterns -verify-diagnostics

train.state @g : tensor<4xf32> frozen
train.state @b : tensor<4xf32> frozen

// CHECK-LABEL: @division_scale_and_bias
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
// CHECK-NEXT: %[[G:.*]] = train.read @g
// CHECK-NEXT: %[[B:.*]] = train.read @b
// CHECK-NEXT: %[[Y:.*]] = graph.layer_norm %[[X]], %[[G]], %[[B]] {axis = 2 : i64, eps = 2.500000e-01 : f64}
// CHECK-NEXT: train.return %[[Y]]
train.program @division_scale_and_bias model inputs ["x"] outputs ["y"] (%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %g = train.read @g : tensor<4xf32>
  %b = train.read @b : tensor<4xf32>
  %eps = graph.constant dense<0.25> : tensor<f32>
  %two = graph.constant dense<2.0> : tensor<f32>
  %mean = graph.reduce_mean %x {axes = array<i64: 2>, keep_dims = true} : tensor<2x3x4xf32> -> tensor<2x3x1xf32>
  %d = graph.sub %x, %mean : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %q = graph.pow %d, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce_mean %q {axes = array<i64: 2>, keep_dims = true} : tensor<2x3x4xf32> -> tensor<2x3x1xf32>
  %e = graph.add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %s = graph.sqrt %e : tensor<2x3x1xf32> -> tensor<2x3x1xf32>
  %n = graph.div %d, %s : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %m = graph.mul %n, %g : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  // expected-remark @below {{[import] recognized graph.layer_norm where it was spelled out}}
  %y = graph.add %m, %b : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  train.return %y : tensor<2x3x4xf32>
}

// -----

train.state @g : tensor<3x4xf32> frozen

// Without a bias, over two axes, by a reciprocal.
// CHECK-LABEL: @reciprocal_and_scale
// CHECK: %[[G:.*]] = train.read @g
// CHECK-NEXT: graph.layer_norm %{{.*}}, %[[G]] {axis = 1 : i64, eps = 0.000000e+00 : f64} : (tensor<2x3x4xf32>, tensor<3x4xf32>)
// CHECK-NEXT: train.return
train.program @reciprocal_and_scale model inputs ["x"] outputs ["y"] (%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %g = train.read @g : tensor<3x4xf32>
  %eps = graph.constant dense<0.0> : tensor<1xf32>
  %mean = graph.reduce_mean %x {axes = array<i64: 1, 2>, keep_dims = true} : tensor<2x3x4xf32> -> tensor<2x1x1xf32>
  %d = graph.sub %x, %mean : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
  %q = graph.mul %d, %d : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v = graph.reduce_mean %q {axes = array<i64: 1, 2>, keep_dims = true} : tensor<2x3x4xf32> -> tensor<2x1x1xf32>
  %e = graph.add %eps, %v : (tensor<1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %s = graph.sqrt %e : tensor<2x1x1xf32> -> tensor<2x1x1xf32>
  %r = graph.reciprocal %s : tensor<2x1x1xf32> -> tensor<2x1x1xf32>
  %n = graph.mul %r, %d : (tensor<2x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // expected-remark @below {{recognized graph.layer_norm}}
  %y = graph.mul %g, %n : (tensor<3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  train.return %y : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: @nothing_behind_it
// CHECK: %[[ONE:.*]] = graph.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: %[[Y:.*]] = graph.layer_norm %{{.*}}, %[[ONE]] {axis = 1
// CHECK: graph.mul %[[Y]], %[[Y]]
train.program @nothing_behind_it model inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %eps = graph.constant dense<0.25> : tensor<f32>
  %half = graph.constant dense<-0.5> : tensor<f32>
  %mean = graph.reduce_mean %x {axes = array<i64: 1>, keep_dims = true} : tensor<2x4xf32> -> tensor<2x1xf32>
  %d = graph.sub %x, %mean : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %q = graph.mul %d, %d : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %v = graph.reduce_mean %q {axes = array<i64: 1>, keep_dims = true} : tensor<2x4xf32> -> tensor<2x1xf32>
  %e = graph.add %v, %eps : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %s = graph.pow %e, %half : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  // expected-remark @below {{recognized graph.layer_norm}}
  %n = graph.mul %d, %s : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %y = graph.mul %n, %n : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  train.return %y : tensor<2x4xf32>
}

// -----

// An axis in the middle is another normalisation.
// CHECK-LABEL: @leading_axis_stays
// CHECK-NOT: layer_norm
// CHECK: graph.div
train.program @leading_axis_stays model inputs ["x"] outputs ["y"] (%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %eps = graph.constant dense<0.25> : tensor<f32>
  %mean = graph.reduce_mean %x {axes = array<i64: 0>, keep_dims = true} : tensor<2x4xf32> -> tensor<1x4xf32>
  %d = graph.sub %x, %mean : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %q = graph.mul %d, %d : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %v = graph.reduce_mean %q {axes = array<i64: 0>, keep_dims = true} : tensor<2x4xf32> -> tensor<1x4xf32>
  %e = graph.add %v, %eps : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  %s = graph.sqrt %e : tensor<1x4xf32> -> tensor<1x4xf32>
  %y = graph.div %d, %s : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  train.return %y : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @variance_that_is_an_output_stays
// CHECK-NOT: layer_norm
// CHECK: graph.div
train.program @variance_that_is_an_output_stays model inputs ["x"] outputs ["y", "v"] (%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x1xf32>) {
  %eps = graph.constant dense<0.25> : tensor<f32>
  %mean = graph.reduce_mean %x {axes = array<i64: 1>, keep_dims = true} : tensor<2x4xf32> -> tensor<2x1xf32>
  %d = graph.sub %x, %mean : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %q = graph.mul %d, %d : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %v = graph.reduce_mean %q {axes = array<i64: 1>, keep_dims = true} : tensor<2x4xf32> -> tensor<2x1xf32>
  %e = graph.add %v, %eps : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %s = graph.sqrt %e : tensor<2x1xf32> -> tensor<2x1xf32>
  %y = graph.div %d, %s : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  train.return %y, %v : tensor<2x4xf32>, tensor<2x1xf32>
}
