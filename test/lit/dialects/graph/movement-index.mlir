// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.dynamic_expand %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
// CHECK: graph.fill %{{.*}} {value = dense<1.000000e+00> : tensor<1xf32>} : tensor<2xi64> -> tensor<?x?xf32>
// CHECK: graph.range %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
// CHECK: graph.trilu %{{.*}} {k = 1 : i64, upper = true} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.gather_grad %{{.*}}, %{{.*}} {axis = 0 : i64, length = 5 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<5x3xf32>
// CHECK: graph.gather_elements %{{.*}}, %{{.*}} {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>
// CHECK: graph.gather_nd %{{.*}}, %{{.*}} {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2xf32>
// CHECK: graph.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}} {axes = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: graph.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {axes = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: graph.slice_grad %{{.*}} {axes = array<i64: 0>, ends = array<i64: 3>, input_shape = array<i64: 5, 3>, starts = array<i64: 1>, steps = array<i64: 1>} : tensor<2x3xf32> -> tensor<5x3xf32>
train.program @f model inputs ["a", "s", "n", "i"] outputs [] (%a: tensor<2x3xf32>, %s: tensor<2xi64>, %n: tensor<i64>, %i: tensor<2x1xi64>) {
  %p = graph.dynamic_expand %a, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  %q = graph.fill %s {value = dense<1.0> : tensor<1xf32>} : tensor<2xi64> -> tensor<?x?xf32>
  %r = graph.range %n, %n, %n : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %t = graph.trilu %a {upper = true, k = 1 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
  %g = graph.gather_grad %a, %s {axis = 0 : i64, length = 5 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<5x3xf32>
  %e = graph.gather_elements %a, %i {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>
  %m = graph.gather_nd %a, %i {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  %d = graph.dynamic_slice %a, %s, %s {axes = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %d2 = graph.dynamic_slice %a, %s, %s, %s {axes = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %o = graph.slice_grad %a {axes = array<i64: 0>, starts = array<i64: 1>, ends = array<i64: 3>, steps = array<i64: 1>, input_shape = array<i64: 5, 3>} : tensor<2x3xf32> -> tensor<5x3xf32>
  train.return
}
