// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.reduce_sum %{{.*}} {axes = array<i64: 0>} : tensor<2x3xf32> -> tensor<3xf32>
// CHECK: graph.reduce_mean %{{.*}} {axes = array<i64: 0, 1>, keep_dims = true} : tensor<2x3xf32> -> tensor<1x1xf32>
// CHECK: graph.softmax %{{.*}} {axis = 1 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.log_softmax %{{.*}} {axis = 0 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.softmax_grad %{{.*}}, %{{.*}} {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK: graph.log_softmax_grad %{{.*}}, %{{.*}} {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
train.program @f0 model inputs ["a", "b"] outputs [] (%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %p = graph.reduce_sum %a {axes = array<i64: 0>} : tensor<2x3xf32> -> tensor<3xf32>
  %q = graph.reduce_mean %a {axes = array<i64: 0, 1>, keep_dims = true} : tensor<2x3xf32> -> tensor<1x1xf32>
  %r = graph.softmax %a {axis = 1 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
  %s = graph.log_softmax %a {axis = 0 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
  %t = graph.softmax_grad %a, %b {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %u = graph.log_softmax_grad %a, %b {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  train.return
}
