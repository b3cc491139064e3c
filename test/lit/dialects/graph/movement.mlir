// RUN: amp-opt %s | amp-opt | FileCheck %s

// CHECK: graph.constant dense<1> : tensor<2xi64>
// CHECK: graph.reshape %{{.*}} : tensor<2x3xf32> -> tensor<6xf32>
// CHECK: graph.dynamic_reshape %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: graph.dynamic_reshape %{{.*}}, %{{.*}} {allow_zero = true} : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: graph.flatten %{{.*}} {axis = 1 : i64} : tensor<?x3xf32> -> tensor<?x3xf32>
// CHECK: graph.unsqueeze %{{.*}} {axes = array<i64: 0, 3>} : tensor<2x3xf32> -> tensor<1x2x3x1xf32>
// CHECK: graph.squeeze %{{.*}} {axes = array<i64: 0>} : tensor<1x2x3x1xf32> -> tensor<2x3x1xf32>
// CHECK: graph.transpose %{{.*}} {permutation = array<i64: 1, 0>} : tensor<2x3xf32> -> tensor<3x2xf32>
// CHECK: graph.expand %{{.*}} : tensor<2x3xf32> -> tensor<4x2x3xf32>
// CHECK: graph.shape %{{.*}} {end = 2 : i64, start = 0 : i64} : tensor<?x3xf32> -> tensor<2xi64>
// CHECK: graph.concat %{{.*}}, %{{.*}} {axis = 0 : i64} : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
// CHECK: graph.gather %{{.*}}, %{{.*}} {axis = 0 : i64} : (tensor<4xi64>, tensor<2xi64>) -> tensor<2xi64>
// CHECK: graph.slice %{{.*}} {axes = array<i64: 0>, ends = array<i64: 3>, starts = array<i64: 1>, steps = array<i64: 1>} : tensor<4xi64> -> tensor<2xi64>
train.program @f0 model inputs ["a", "s", "x"] outputs [] (%a: tensor<2x3xf32>, %s: tensor<2xi64>, %x: tensor<?x3xf32>) {
  %k = graph.constant dense<1> : tensor<2xi64>
  %p = graph.reshape %a : tensor<2x3xf32> -> tensor<6xf32>
  %q = graph.dynamic_reshape %a, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %q2 = graph.dynamic_reshape %x, %s {allow_zero = true} : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = graph.flatten %x {axis = 1 : i64} : tensor<?x3xf32> -> tensor<?x3xf32>
  %t = graph.unsqueeze %a {axes = array<i64: 0, 3>} : tensor<2x3xf32> -> tensor<1x2x3x1xf32>
  %u = graph.squeeze %t {axes = array<i64: 0>} : tensor<1x2x3x1xf32> -> tensor<2x3x1xf32>
  %v = graph.transpose %a {permutation = array<i64: 1, 0>} : tensor<2x3xf32> -> tensor<3x2xf32>
  %w = graph.expand %a : tensor<2x3xf32> -> tensor<4x2x3xf32>
  %y = graph.shape %x {end = 2 : i64, start = 0 : i64} : tensor<?x3xf32> -> tensor<2xi64>
  %z = graph.concat %s, %y {axis = 0 : i64} : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
  %m = graph.gather %z, %s {axis = 0 : i64} : (tensor<4xi64>, tensor<2xi64>) -> tensor<2xi64>
  %n = graph.slice %z {axes = array<i64: 0>, ends = array<i64: 3>, starts = array<i64: 1>, steps = array<i64: 1>} : tensor<4xi64> -> tensor<2xi64>
  train.return
}
